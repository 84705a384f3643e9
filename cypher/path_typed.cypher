// path_typed (READ): of an entry and those above it, at most $limit, the ones whose type is in $types, nearest first.
// Returns one row: entries (their parents' ids are not read) and next_id, the entry to go on from (null at the root).
MATCH (t:Entry {id: $entry_id})
WITH t, CASE WHEN t.depth >= $limit THEN t.depth - $limit + 1 ELSE 0 END AS stop
MATCH (t)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.depth = stop)
OPTIONAL MATCH (a)-[:PARENT]->(p:Entry)
RETURN [e IN [t] + y WHERE e.type IN $types | e {.*}] AS entries, p.id AS next_id
