// append_answered (WRITE): questions that an appended entry has answered are no longer dialogue nodes of their own, unless
// another question follows them.
MATCH (s:Session {id: $session_id})
UNWIND $ids AS id
MATCH (q:Entry {id: id})
OPTIONAL MATCH (f:Entry {node_above: id})
WITH s, q, count(f) AS followers
WHERE q.is_node AND followers = 0
SET q.is_node = false, s.node_count = s.node_count - 1
