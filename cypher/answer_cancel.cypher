// answer_cancel (WRITE): asks the process that runs an answer to stop it.
// Returns the id; no row: nothing runs under that id.
MATCH (x:Answer {id: $id})
WHERE x.ended IS NULL
SET x.cancel_requested = true
RETURN x.id AS id
