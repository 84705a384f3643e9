// summary_failed (WRITE): an attempt failed. $retry_ms: when to try again; below 0: never, the summary is FAILED.
// Returns the session's revision; no row: the summary is no longer this worker's.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
MATCH (e:Entry {id: $id})
WHERE e.summary_owner = $claim AND e.summary_state = 'RUNNING'
SET s.revision = s.revision + 1
SET e.summary_state = CASE WHEN $retry_ms < 0 THEN 'FAILED' ELSE 'PENDING' END,
    e.summary_owner = '',
    e.summary_error = $error,
    e.summary_due = CASE WHEN $retry_ms < 0 THEN null ELSE timestamp() + $retry_ms END,
    e.changed = s.id + ':' + right('000000000000' + toString(s.revision), 12)
RETURN s.revision AS revision
