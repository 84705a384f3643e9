// session_update (WRITE): changes name, system prompt, model or config; a null in $changes removes a value.
// Returns the session; no row: there is none.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted
SET s += $changes,
    s.revision = s.revision + 1
RETURN s {.*} AS session
