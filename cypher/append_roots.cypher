// append_roots (WRITE): new entries that have no parent become roots of the session.
MATCH (s:Session {id: $session_id})
UNWIND $ids AS id
MATCH (e:Entry {id: id})
CREATE (s)-[:ROOT]->(e)
