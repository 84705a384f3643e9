// summary_orphans (WRITE): on a database that no other process can use, whatever was being summarised when this one
// started is due again at once.
// All that has a due time is touched, for the embedded engine would look at all entries to find those with one state.
MATCH (e:Entry)
WHERE e.summary_due > 0
SET e.summary_due = CASE e.summary_state WHEN 'RUNNING' THEN timestamp() ELSE e.summary_due END,
    e.summary_state = 'PENDING',
    e.summary_owner = ''
