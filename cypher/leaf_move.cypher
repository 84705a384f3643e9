// leaf_move (WRITE): moves the leaf to an entry of the session, or ('') before the root, and records the move as an entry
// below the old leaf ($record; null where there is no old leaf). Compare-and-set under the lock.
// Returns the session; no row: no such session or entry, or the leaf is not $expected_leaf.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted AND (NOT $check_leaf OR coalesce(s.leaf_id, '') = $expected_leaf)
OPTIONAL MATCH (e:Entry {id: $entry_id})
  WHERE e.session_id = s.id
OPTIONAL MATCH (l:Entry {id: $expected_leaf})
WITH s, e, l
WHERE $entry_id = '' OR e IS NOT NULL
SET s.revision = s.revision + 1
FOREACH (old IN CASE WHEN $record IS NULL OR l IS NULL THEN [] ELSE [l] END |
  CREATE (r:Entry:LeafMove)-[:PARENT]->(old)
  SET r = $record,
      r.position = s.id + ':' + right('000000000000' + toString(s.next_sequence), 12),
      s.next_sequence = s.next_sequence + 1,
      s.entry_count = s.entry_count + 1)
SET s.leaf_id = e.id,
    s.updated_at = $now
RETURN s {.*} AS session
