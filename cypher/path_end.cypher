// path_end (READ): at which dialogue node a user stands whose leaf is this entry: the turn that ends here; the answer that
// is running for the question here; the open question, if it is a node; else the node above.
// Returns one row: node_id; running (whether that is an answer and no entry), and then running_below, the node above it.
MATCH (t:Entry {id: $entry_id})
OPTIONAL MATCH (q:Entry {id: coalesce(t.question_id, '')})
OPTIONAL MATCH (x:Answer)-[:ANSWERS]->(q)
  WHERE x.ended IS NULL
WITH t, q, x
ORDER BY x.position DESC
LIMIT 1
RETURN CASE
         WHEN t.ends_turn THEN t.id
         WHEN t.id = q.id AND x IS NOT NULL THEN x.id
         WHEN q.is_node THEN q.id
         ELSE t.node_above
       END AS node_id,
       CASE WHEN t.id = q.id AND x IS NOT NULL THEN x.node_above END AS running_below,
       t.id = q.id AND x IS NOT NULL AS running
