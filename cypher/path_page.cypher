// path_page (READ): an entry and those above it, at most $limit, nearest first.
// Group variables and a stop by the stored depth: a path variable is quadratic on the embedded engine, and a walk without
// a stop takes Neo4j 5.26 longer than its time-out.
// Returns one row: entries, parent_id (of the last of them; null at the root).
MATCH (t:Entry {id: $entry_id})
WITH t, CASE WHEN t.depth >= $limit THEN t.depth - $limit + 1 ELSE 0 END AS stop
MATCH (t)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.depth = stop)
OPTIONAL MATCH (a)-[:PARENT]->(p:Entry)
RETURN [e IN [t] + y | e {.*}] AS entries, p.id AS parent_id
