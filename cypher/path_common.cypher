// path_common (READ): where two entries of the same depth meet, at most $limit up: their paths side by side, nearest first.
// Returns one row: common_id (null: further up, or nowhere), and the last ids of both, to go on from.
MATCH (a:Entry {id: $a_id})
MATCH (b:Entry {id: $b_id})
WITH a, b, CASE WHEN a.depth >= $limit THEN a.depth - $limit + 1 ELSE 0 END AS stop
MATCH (a)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(c:Entry WHERE c.depth = stop)
WITH b, stop, [n IN [a] + y | n.id] AS left
MATCH (b)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(c:Entry WHERE c.depth = stop)
WITH left, [n IN [b] + y | n.id] AS right
RETURN head([i IN range(0, size(left) - 1) WHERE left[i] = right[i] | left[i]]) AS common_id,
       last(left) AS a_id, last(right) AS b_id
