// session_purge (WRITE): removes a deleted session whose entries are gone, with answers that were still running.
MATCH (s:Session {id: $session_id})
OPTIONAL MATCH (x:Answer {session_id: $session_id})
DETACH DELETE s, x
