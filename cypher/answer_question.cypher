// answer_question (WRITE): a question and the answer that now begins, in one transaction with the leaf's move.
// The first SET takes the session's write lock, so that what is compared below cannot change before the commit; the
// lock has a property of its own because a value read before the lock may be stale.
// The answer's place in the order of creation is reserved here: its node is in the tree from now on, with the id it keeps.
// $superseded: an answered question on this path whose turn is left open by asking here; it becomes a node of its own.
// Returns the session; no row: no such session or parent, or the leaf is not $expected_leaf.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted AND (NOT $check_leaf OR coalesce(s.leaf_id, '') = $expected_leaf)
OPTIONAL MATCH (p:Entry {id: $parent_id})
  WHERE p.session_id = s.id
WITH s, p
WHERE $parent_id = '' OR p IS NOT NULL
OPTIONAL MATCH (o:Entry {id: $superseded})
  WHERE NOT o.is_node
WITH s, p, o, CASE WHEN o IS NULL THEN 1 ELSE 2 END AS nodes
SET s.revision = s.revision + 1
CREATE (q:Entry:Message:User)
SET q = $question,
    q.position = s.id + ':' + right('000000000000' + toString(s.next_sequence), 12)
CREATE (x:Answer)-[:ANSWERS]->(q)
SET x = $answer,
    x.position = s.id + ':' + right('000000000000' + toString(s.next_sequence + 1), 12),
    x.lease_until = timestamp() + $lease_ms
SET s.next_sequence = s.next_sequence + 2,
    s.entry_count = s.entry_count + 1,
    s.node_count = s.node_count + nodes,
    s.leaf_id = q.id,
    s.updated_at = $now
FOREACH (_ IN CASE WHEN p IS NULL THEN [] ELSE [1] END | CREATE (q)-[:PARENT]->(p))
FOREACH (_ IN CASE WHEN p IS NULL THEN [1] ELSE [] END | CREATE (s)-[:ROOT]->(q))
FOREACH (e IN CASE WHEN o IS NULL THEN [] ELSE [o] END | SET e.is_node = true)
RETURN s {.*} AS session
