// node_outline (READ): the same range as node_window, only what a drawing of the tree needs: short rows.
MATCH (e:Entry)
WHERE e.position > $after AND e.position <= $until AND e.is_node
WITH e
ORDER BY e.position
WITH e, head(COLLECT { MATCH (q:Entry {id: coalesce(e.question_id, '')}) RETURN q.text }) AS text
RETURN collect([e.position, e.id, e.node_above, e.stop_reason, e.role, e.is_summary_anchor, e.summary_state, substring(coalesce(text, ''), 0, $text_chars)]) AS nodes
