// summary_orphans (WRITE): on a database that no other process can use, whatever was being summarised when this one
// started is due again at once.
MATCH (e:Entry)
WHERE e.summary_due > 0 AND e.summary_state = 'RUNNING'
SET e.summary_state = 'PENDING',
    e.summary_owner = '',
    e.summary_lease = 0,
    e.summary_due = timestamp()
