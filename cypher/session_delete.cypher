// session_delete (WRITE): hides a session at once; its entries are removed afterwards, in pages.
// Returns how far its sequence goes; no row: there is no such session.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted
SET s.deleted = true
RETURN s.next_sequence AS next_sequence
