// node_children (READ): ids of the dialogue nodes below each of the given ones, running answers included.
// Returns one row a child: parent, id, position; a second for one whose answer ended a moment ago.
// That one must not be left out here: the first part may have run before the answer ended.
MATCH (c:Entry)
WHERE c.node_above IN $ids AND c.is_node
RETURN c.node_above AS parent, c.id AS id, c.position AS position
UNION ALL
MATCH (x:Answer)
WHERE x.node_above IN $ids
OPTIONAL MATCH (e:Entry {id: x.id})
WITH x, e
WHERE e IS NULL OR e.is_node
RETURN x.node_above AS parent, x.id AS id, coalesce(e.position, x.position) AS position
