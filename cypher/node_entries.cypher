// node_entries (READ): the entries of turns, each from its last entry up to its question.
// Returns one row a turn: id, entries (last first).
UNWIND $ids AS id
MATCH (e:Entry {id: id})
WITH e, coalesce(e.question_id, e.id) AS first
MATCH (e)((x:Entry WHERE x.id <> first)-[:PARENT]->(y:Entry))*(a:Entry WHERE a.id = first)
OPTIONAL MATCH (a)-[:PARENT]->(p:Entry)
RETURN e.id AS id, [n IN [e] + y | n {.*}] AS entries, p.id AS parent_id
