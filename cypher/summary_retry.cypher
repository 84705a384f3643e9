// summary_retry (WRITE): a summary that failed for good, or waits for its next attempt, is due now and from the start.
// Returns the id; no row: nothing to retry.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
MATCH (e:Entry {id: $id})
WHERE e.session_id = s.id AND e.summary_state IN ['FAILED', 'PENDING']
SET s.revision = s.revision + 1
SET e.summary_state = 'PENDING',
    e.summary_attempts = 0,
    e.summary_error = null,
    e.summary_due = timestamp(),
    e.summary_owner = ''
RETURN e.id AS id
