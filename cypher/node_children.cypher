// node_children (READ): ids of the dialogue nodes below each of the given ones, running answers included.
// Returns one row a child: parent, id, position.
MATCH (c:Entry)
WHERE c.node_above IN $ids AND c.is_node
RETURN c.node_above AS parent, c.id AS id, c.position AS position
UNION ALL
MATCH (x:Answer)
WHERE x.node_above IN $ids
RETURN x.node_above AS parent, x.id AS id, x.position AS position
