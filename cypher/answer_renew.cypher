// answer_renew (WRITE): the owner of a running answer is alive; keeps what text has come so far, for other processes and
// for the time after a crash.
// Returns whether somebody asked for a cancel; no row: the answer is no longer ours.
MATCH (x:Answer {id: $id})
WHERE x.owner = $owner AND x.ended IS NULL
SET x.lease_until = timestamp() + $lease_ms,
    x.partial = $partial
RETURN coalesce(x.cancel_requested, false) AS cancel
