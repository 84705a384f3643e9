// search_entries (READ): messages whose text the full-text index finds for $words, of one owner, and with $session_id (not
// '') of one session, the best first.
// Returns one row a message: entry, parent_id and session.
CALL db.index.fulltext.queryNodes('entry_text', $words) YIELD node, score
WITH node AS e, score
WHERE e.type IN ['message', 'custom_message'] AND ($session_id = '' OR e.session_id = $session_id)
MATCH (s:Session {id: e.session_id})
WHERE s.owner = $owner AND NOT s.deleted
WITH e, s, score
ORDER BY score DESC, e.position
SKIP $skip LIMIT $limit
OPTIONAL MATCH (e)-[:PARENT]->(p:Entry)
RETURN e {.*} AS entry, p.id AS parent_id, s {.*} AS session
ORDER BY score DESC, e.position
