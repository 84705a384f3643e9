// entry_window (READ): what lies between two positions of a session's order of creation, as it lies there: for checks and
// exports, which must see what does not belong too.
// Both ends are given and the edges are read by subqueries: with an OPTIONAL MATCH instead, the embedded engine looks at all
// entries and not just at that range of the index.
// The projection stands in a WITH of its own: inside a map literal the embedded engine puts the first one in its place.
// Returns one row: entries, each with parents (ids; more than one is a fault), children and roots (numbers of edges).
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until
WITH e
ORDER BY e.position
WITH e {.*} AS entry,
     COLLECT { MATCH (e)-[:PARENT]->(p:Entry) RETURN p.id } AS parents,
     COUNT { (e)<-[:PARENT]-(:Entry) } AS children,
     COUNT { (e)<-[:ROOT]-(:Session) } AS roots
RETURN collect({entry: entry, parents: parents, children: children, roots: roots}) AS entries
