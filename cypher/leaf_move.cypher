// leaf_move (WRITE): moves the leaf to an entry of the session, or ('') before the root. Compare-and-set under the lock.
// Returns the session; no row: no such session or entry, or the leaf is not $expected_leaf.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted AND (NOT $check_leaf OR coalesce(s.leaf_id, '') = $expected_leaf)
OPTIONAL MATCH (e:Entry {id: $entry_id})
  WHERE e.session_id = s.id
WITH s, e
WHERE $entry_id = '' OR e IS NOT NULL
SET s.leaf_id = e.id,
    s.revision = s.revision + 1,
    s.updated_at = $now
RETURN s {.*} AS session
