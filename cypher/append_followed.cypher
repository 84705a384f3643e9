// append_followed (WRITE): questions that an appended question follows before anything answered them on this path become
// dialogue nodes of their own.
MATCH (s:Session {id: $session_id})
UNWIND $ids AS id
MATCH (q:Entry {id: id})
WHERE NOT q.is_node
SET q.is_node = true, s.node_count = s.node_count + 1
