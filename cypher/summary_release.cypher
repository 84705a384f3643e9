// summary_release (WRITE): a worker that stops gives back what it holds, so that the next one need not wait for the lease.
MATCH (e:Entry {id: $id})
WHERE e.summary_owner = $claim
SET e.summary_state = 'PENDING',
    e.summary_owner = '',
    e.summary_attempts = e.summary_attempts - 1,
    e.summary_due = timestamp()
