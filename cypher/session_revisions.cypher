// session_revisions (READ): the revisions of the sessions that somebody watches; one poll for all of them.
UNWIND $session_ids AS id
MATCH (s:Session {id: id})
WHERE NOT s.deleted
RETURN s.id AS id, s.revision AS revision
