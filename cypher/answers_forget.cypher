// answers_forget (WRITE): removes answers that ended so long ago that no read can have missed their entries.
MATCH (x:Answer)
WHERE x.ended < timestamp() - $keep_ms
DETACH DELETE x
