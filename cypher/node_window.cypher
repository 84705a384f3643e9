// node_window (READ): the dialogue nodes that are entries, between two positions of a session's order of creation.
// Both ends are given and the questions are read by a subquery: with an OPTIONAL MATCH instead, the embedded engine looks at
// all entries and not just at that range of the index.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND e.is_node
WITH e
ORDER BY e.position
WITH e {.*} AS entry,
     head(COLLECT { MATCH (q:Entry {id: coalesce(e.question_id, '')}) RETURN q {.id, .text, .timestamp} }) AS question
RETURN collect({entry: entry, question: question}) AS nodes
