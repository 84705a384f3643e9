// 03 Path from the leaf to the root
// Draws where the user stands and all that lies above, but nothing of other branches; at most 150 entries.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (leaf:Entry {id: s.leaf_id})
WITH leaf, CASE WHEN leaf.depth > 150 THEN leaf.depth - 149 ELSE 0 END AS stop
MATCH path = (leaf)((x:Entry WHERE x.depth > stop)-[:PARENT]->(:Entry))*(top:Entry WHERE top.depth = stop)
OPTIONAL MATCH (s:Session)-[root:ROOT]->(top)
RETURN s, root, reverse(nodes(path)) AS entries, relationships(path) AS parents
