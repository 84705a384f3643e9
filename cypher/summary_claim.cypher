// summary_claim (WRITE): takes the summary that has waited longest, or one whose worker is gone, and leases it.
// Between finding it and locking it another worker may have taken it, so what is compared after the lock has not been read
// before it.
// Returns entry and session; no row: nothing is due, or another worker was faster.
MATCH (e:Entry)
WHERE e.summary_due > 0 AND e.summary_due <= timestamp()
WITH e
ORDER BY e.summary_due
LIMIT 1
SET e.write_lock = true
WITH e
WHERE coalesce(e.summary_lease, 0) <= timestamp() AND e.summary_state IN ['PENDING', 'RUNNING']
SET e.summary_state = 'RUNNING',
    e.summary_owner = $claim,
    e.summary_attempts = e.summary_attempts + 1,
    e.summary_lease = timestamp() + $lease_ms,
    e.summary_due = timestamp() + $lease_ms
WITH e
OPTIONAL MATCH (s:Session {id: e.session_id})
RETURN e {.*} AS entry, s {.*} AS session
