// summaries_since (READ): the entries whose summaries ended between two revisions of a session, oldest first.
MATCH (e:Entry)
WHERE e.changed > $after AND e.changed <= $until AND e.summary_state IN ['DONE', 'FAILED']
WITH e
ORDER BY e.changed
RETURN collect({id: e.id, kind: e.summary_kind, changed: e.changed}) AS summaries
