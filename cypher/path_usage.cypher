// path_usage (READ): the tokens of model calls of an entry and those above it, at most $limit, by model.
// Returns one row: usages ([model, input, output, cache read, cache write]) and next_id, the entry to go on from (null at
// the root).
MATCH (t:Entry {id: $entry_id})
WITH t, CASE WHEN t.depth >= $limit THEN t.depth - $limit + 1 ELSE 0 END AS stop
MATCH (t)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.depth = stop)
OPTIONAL MATCH (a)-[:PARENT]->(p:Entry)
RETURN [e IN [t] + y WHERE e.input_tokens IS NOT NULL |
         [e.model, e.input_tokens, e.output_tokens, e.cache_read_tokens, e.cache_write_tokens]] AS usages,
       p.id AS next_id
