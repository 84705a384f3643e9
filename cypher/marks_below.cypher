// marks_below (READ): the compactions and branch summaries ($mark_types) whose nearest dialogue node above is one of the given
// ones, as the short rows of node_outline, in no order.
MATCH (e:Entry)
WHERE e.node_above IN $ids AND e.type IN $mark_types
RETURN collect([e.position, e.id, e.node_above, e.type, CASE WHEN e.type = 'branch_summary' THEN e.data END]) AS marks
