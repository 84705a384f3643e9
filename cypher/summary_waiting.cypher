// summary_waiting (READ): a session's entries whose summaries are due or being made.
// By the index of all summaries that are due, which are few: an index of its own would be written to with every entry.
MATCH (e:Entry)
WHERE e.summary_due > 0 AND e.session_id = $session_id
RETURN collect([e.id, e.summary_kind]) AS waiting
