// entry_read (READ): entries by id, with their parents' ids, as one list; unknown ids are left out.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
UNWIND $ids AS id
OPTIONAL MATCH (e:Entry {id: id})
OPTIONAL MATCH (e)-[:PARENT]->(p:Entry)
WITH e, p
WHERE e IS NOT NULL
WITH e {.*} AS entry, p.id AS parent_id
RETURN collect({entry: entry, parent_id: parent_id}) AS entries
