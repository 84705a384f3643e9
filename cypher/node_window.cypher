// node_window (READ): the dialogue nodes that are entries, between two positions of a session's order of creation.
// Both ends are given: the embedded engine then reads just that range of the index, whatever the session's size.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND e.is_node
OPTIONAL MATCH (q:Entry {id: coalesce(e.question_id, '')})
WITH e, q
ORDER BY e.position
WITH e {.*} AS entry, q {.id, .text, .timestamp} AS question
RETURN collect({entry: entry, question: question}) AS nodes
