// 04 What a question at the leaf builds on
// Draws the leaf and what lies above it, up to the nearest summary that stands for all above (an anchor's, one of the
// history, a compaction), or else up to the root; at most 150 entries.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (leaf:Entry {id: s.leaf_id})
WITH leaf, CASE WHEN leaf.depth > 150 THEN leaf.depth - 149 ELSE 0 END AS stop
MATCH path = (leaf)
             ((x:Entry WHERE NOT x.is_boundary AND x.depth > stop)-[:PARENT]->(:Entry))*
             (top:Entry WHERE top.is_boundary OR top.depth = stop)
RETURN reverse(nodes(path)) AS entries, relationships(path) AS parents
