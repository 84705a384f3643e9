// 01 Sessions
// Lists the 50 sessions that were used last: their names, how many entries and turns they have, when they were made and
// used, where the leaf stands, and their ids.
MATCH (s:Session)
WHERE NOT s.deleted
WITH s
ORDER BY s.updated_at DESC
LIMIT 50
RETURN s.name AS name, s.entry_count AS entries, s.node_count AS turns, s.created_at AS made, s.updated_at AS used,
       s.owner AS owner, s.leaf_id AS leaf, s.id AS session
