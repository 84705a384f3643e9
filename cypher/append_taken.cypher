// append_taken (READ): which of the ids of new entries are those of running answers, which will be entries with these ids.
// Returns one row an id.
UNWIND $ids AS id
MATCH (x:Answer {id: id})
WHERE x.ended IS NULL
RETURN x.id AS id
