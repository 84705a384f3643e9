// sessions_deleted (READ): sessions whose removal was begun and not ended, by a crash perhaps.
MATCH (s:Session)
WHERE s.deleted
RETURN s.id AS id, s.next_sequence AS next_sequence
