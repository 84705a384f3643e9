// answers_expired (READ): answers whose process is gone: the lease has run out or, with $exclusive (no other process can be
// alive on this database), that belong to any other owner.
// Returns answer, question and session of at most 50.
MATCH (x:Answer)-[:ANSWERS]->(q:Entry)
WHERE x.ended IS NULL AND (x.lease_until < timestamp() OR ($exclusive AND x.owner <> $owner))
WITH x, q LIMIT 50
OPTIONAL MATCH (s:Session {id: x.session_id})
RETURN x {.*} AS answer, q {.*} AS question, s {.*} AS session
