// session_usage (READ): the tokens of model calls between two positions of a session's order of creation, by model.
// Returns one row: usages ([model, input, output, cache read, cache write], summed).
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND e.input_tokens IS NOT NULL
WITH e.model AS model, sum(e.input_tokens) AS input, sum(e.output_tokens) AS output,
     sum(e.cache_read_tokens) AS read, sum(e.cache_write_tokens) AS write
RETURN collect([model, input, output, read, write]) AS usages
