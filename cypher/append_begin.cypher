// append_begin (WRITE): takes the session's lock and reserves places for new entries; the leaf and the name change with
// them where $moves_leaf and $renames say so (null: to none). The entries follow in the same transaction (append_entries, append_parents).
// Returns the session as it was changed; no row: no such session, or the leaf is not $expected_leaf.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted AND (NOT $check_leaf OR coalesce(s.leaf_id, '') = $expected_leaf)
SET s.revision = s.revision + 1,
    s.next_sequence = s.next_sequence + $count,
    s.entry_count = s.entry_count + $count,
    s.node_count = s.node_count + $nodes,
    s.leaf_id = CASE WHEN $moves_leaf THEN $leaf_id ELSE s.leaf_id END,
    s.name = CASE WHEN $renames THEN $name ELSE s.name END,
    s.updated_at = $now
RETURN s {.*} AS session
