// append_parents (WRITE): the edges of entries that append_entries made. A statement of its own, because rows made by the
// same statement are not found by it.
// Returns the ids of the children that have got their parent.
UNWIND $edges AS edge
MATCH (c:Entry {id: edge.child})
MATCH (p:Entry {id: edge.parent})
CREATE (c)-[:PARENT]->(p)
RETURN c.id AS id
