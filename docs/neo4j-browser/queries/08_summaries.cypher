// 08 Summaries that are not there yet
// Lists those of a session that wait (PENDING), are being made (RUNNING) or went wrong (FAILED), at most 100: of which
// turn, how often they were tried, when it is their turn (RUNNING: when another worker may take over), and the error.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (e:Entry)
WHERE e.position > s.id + ':' AND e.position < s.id + ';' AND e.summary_state IN ['PENDING', 'RUNNING', 'FAILED']
WITH e
ORDER BY e.position
LIMIT 100
OPTIONAL MATCH (q:Entry {id: coalesce(e.question_id, '')})
RETURN e.summary_state AS state, e.summary_kind AS kind, left(q.text, 100) AS question, e.summary_attempts AS attempts,
       CASE WHEN e.summary_due IS NOT NULL THEN datetime({epochMillis: e.summary_due}) END AS due,
       e.summary_error AS error, e.id AS entry
