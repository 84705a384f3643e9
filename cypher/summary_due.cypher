// summary_due (READ): the summaries that have waited longest, and those whose worker is gone, at most $limit.
// Apart from summary_claim, because the embedded engine uses the index only where nothing is written after a LIMIT.
// Returns one row an entry: id.
MATCH (e:Entry)
WHERE e.summary_due > 0 AND e.summary_due <= timestamp()
RETURN e.id AS id
ORDER BY e.summary_due
LIMIT $limit
