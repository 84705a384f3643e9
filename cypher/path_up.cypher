// path_up (READ): the id of the entry $hops above another, on its path.
// Returns one row: id; no row: the path is shorter.
MATCH (t:Entry {id: $entry_id})
WITH t, t.depth - $hops AS stop
WHERE stop >= 0
MATCH (t)((x:Entry WHERE x.depth > stop)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.depth = stop)
RETURN a.id AS id
