// session_purge_entries (WRITE): removes one page of a deleted session's entries, so that no transaction grows with it.
MATCH (e:Entry)
WHERE e.position >= $from AND e.position < $until
DETACH DELETE e
