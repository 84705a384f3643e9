// 07 Cost of each branch, in tokens
// Lists the 20 newest branches of a session, with a row for each model that answered there: how often, and the tokens
// of those calls between the root and the end of the branch (at most 1,000 entries); in alone, only those of the calls
// since the branch left the others.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (tip:Entry)
WHERE tip.position > s.id + ':' AND tip.position < s.id + ';' AND tip.is_node
  AND NOT EXISTS { MATCH (below:Entry {node_above: tip.id}) WHERE below.is_node }
WITH tip
ORDER BY tip.position DESC
LIMIT 20
WITH tip, CASE WHEN tip.depth > 1000 THEN tip.depth - 999 ELSE 0 END AS stop
MATCH (tip)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(top:Entry WHERE top.depth = stop)
UNWIND [tip] + y AS e
WITH tip, e, e.is_node AND COUNT { MATCH (c:Entry {node_above: e.id}) WHERE c.is_node } > 1 AS forks
WITH tip, collect(e) AS path, max(CASE WHEN forks THEN e.depth ELSE -1 END) AS fork
UNWIND path AS e
WITH tip, fork, e
WHERE e.input_tokens IS NOT NULL
WITH tip, e.model AS model, count(e) AS calls, sum(e.input_tokens) AS input, sum(e.output_tokens) AS output,
     sum(e.cache_read_tokens) AS cache_read, sum(e.cache_write_tokens) AS cache_write,
     sum(CASE WHEN e.depth > fork
         THEN e.input_tokens + e.output_tokens + e.cache_read_tokens + e.cache_write_tokens ELSE 0 END) AS alone
OPTIONAL MATCH (q:Entry {id: coalesce(tip.question_id, '')})
RETURN left(q.text, 100) AS last_question, tip.turns_above + 1 AS turns, model, calls, input, output, cache_read,
       cache_write, alone, tip.id AS branch
ORDER BY tip.position DESC, model
