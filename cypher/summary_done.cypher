// summary_done (WRITE): a summary lands on the entry it was made from, and from now on contexts may use it.
// A worker whose lease ran out and whose work another has taken finds nothing here.
// Returns the session's revision; no row: the summary is no longer this worker's.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
MATCH (e:Entry {id: $id})
WHERE e.summary_owner = $claim AND e.summary_state = 'RUNNING'
SET s.revision = s.revision + 1
SET e += $summary,
    e.is_boundary = e.is_boundary OR $is_boundary,
    e.summary_state = 'DONE',
    e.summary_owner = '',
    e.summary_error = null,
    e.summary_due = null,
    e.changed = s.id + ':' + right('000000000000' + toString(s.revision), 12)
RETURN s.revision AS revision
