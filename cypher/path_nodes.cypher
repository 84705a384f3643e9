// path_nodes (READ): the same walk as path_page, only what tells the dialogue nodes of a path apart.
// Returns one row: entries ([id, node above], nearest first) and parent_id (of the last of them; null at the root).
MATCH (t:Entry {id: $entry_id})
WITH t, CASE WHEN t.depth >= $limit THEN t.depth - $limit + 1 ELSE 0 END AS stop
MATCH (t)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.depth = stop)
OPTIONAL MATCH (a)-[:PARENT]->(p:Entry)
RETURN [e IN [t] + y | [e.id, e.node_above]] AS entries, p.id AS parent_id
