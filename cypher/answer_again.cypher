// answer_again (WRITE): one more answer to a question that is already there; the leaf moves to the question.
// A question that was a node of its own because nothing had answered it stops being one, unless another question follows it.
// The count stands in a WITH of its own: inside an expression the embedded engine does not group by what stands beside it,
// and goes on with a row for each question that follows.
// Returns the session; no row: no such session or question.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
WHERE NOT s.deleted
MATCH (q:Entry {id: $question_id})
OPTIONAL MATCH (f:Entry {node_above: $question_id})
WITH s, q, count(f) AS followers
WITH s, q, q.is_node AND followers = 0 AS replaces
SET s.revision = s.revision + 1
CREATE (x:Answer)-[:ANSWERS]->(q)
SET x = $answer,
    x.position = s.id + ':' + right('000000000000' + toString(s.next_sequence), 12),
    x.lease_until = timestamp() + $lease_ms
SET q.is_node = q.is_node AND NOT replaces,
    s.next_sequence = s.next_sequence + 1,
    s.node_count = s.node_count + CASE WHEN replaces THEN 0 ELSE 1 END,
    s.leaf_id = q.id,
    s.updated_at = $now
RETURN s {.*} AS session
