// session_create (WRITE): a new, empty session.
// Returns it.
CREATE (s:Session)
SET s = $session,
    s.revision = 0, s.next_sequence = 0, s.entry_count = 0, s.node_count = 0, s.deleted = false, s.write_lock = true
RETURN s {.*} AS session
