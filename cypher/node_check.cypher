// node_check (READ): what an active path that does not fit is compared with: for each id, whether it is a node, of which
// session, below which node, and whether it is still being answered. Rows come in no order.
UNWIND $ids AS id
OPTIONAL MATCH (e:Entry {id: id})
OPTIONAL MATCH (x:Answer {id: id})
RETURN collect({id: id, session_id: coalesce(e.session_id, x.session_id), node_above: coalesce(e.node_above, x.node_above),
                is_node: coalesce(e.is_node, false), running: e IS NULL AND x IS NOT NULL}) AS nodes
