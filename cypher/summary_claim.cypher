// summary_claim (WRITE): leases a summary that summary_due has found.
// Since then another worker may have taken it, so all that tells is compared under the lock.
// Returns entry and session; no row: it is no longer due.
MATCH (e:Entry {id: $id})
SET e.write_lock = true
WITH e
WHERE e.summary_due <= timestamp() AND e.summary_state IN ['PENDING', 'RUNNING']
SET e.summary_state = 'RUNNING',
    e.summary_owner = $claim,
    e.summary_attempts = e.summary_attempts + 1,
    e.summary_due = timestamp() + $lease_ms
WITH e
OPTIONAL MATCH (s:Session {id: e.session_id})
RETURN e {.*} AS entry, s {.*} AS session
