// entry_typed (READ): the entries of some types between two positions of a session's order of creation, oldest first.
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND e.type IN $types
WITH e
ORDER BY e.position
RETURN collect(e {.*}) AS entries
