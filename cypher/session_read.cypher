// session_read (READ): one session, unless it is being deleted.
MATCH (s:Session {id: $session_id})
WHERE NOT s.deleted
RETURN s {.*} AS session
