// node_outline (READ): the same range as node_window, only what a drawing of the tree needs: short rows of the nodes, and of the
// compactions and branch summaries ($mark_types) that stand between them. The scope of a branch summary is in its data.
// One walk for both, because a second one over the same range would cost as much again.
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND (e.is_node OR e.type IN $mark_types)
WITH e
ORDER BY e.position
WITH e, head(COLLECT { MATCH (q:Entry {id: coalesce(e.question_id, '')}) RETURN q.text }) AS text
RETURN collect(CASE WHEN e.is_node THEN [e.position, e.id, e.node_above, e.stop_reason, e.role, e.is_summary_anchor, e.summary_state, substring(coalesce(text, ''), 0, $text_chars), e.label] END) AS nodes,
       collect(CASE WHEN NOT e.is_node THEN [e.position, e.id, e.node_above, e.type, CASE WHEN e.type = 'branch_summary' THEN e.data END] END) AS marks
