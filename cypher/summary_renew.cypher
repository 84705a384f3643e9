// summary_renew (WRITE): the worker that holds a summary is alive.
// Returns the id; no row: it is no longer this worker's.
MATCH (e:Entry {id: $id})
WHERE e.summary_owner = $claim
SET e.summary_due = timestamp() + $lease_ms
RETURN e.id AS id
