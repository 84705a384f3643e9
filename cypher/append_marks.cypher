// append_marks (WRITE): what appended turns have made due, as answer_finish does for an answer: $forks are the nodes above
// finished turns that were appended, and those with two or more become anchors; $anchor and $turns follow from the path.
// The first row of $forks and $turns is '', so that an empty list does not end the statement.
MATCH (s:Session {id: $session_id})
UNWIND $forks AS fork
OPTIONAL MATCH (c:Entry {node_above: fork})
  WHERE c.finished AND fork <> ''
WITH fork, count(c) AS below
WITH collect(CASE WHEN below > 1 THEN fork ELSE '' END) + [$anchor] AS anchors
UNWIND anchors AS anchor
OPTIONAL MATCH (p:Entry {id: anchor})
  WHERE NOT p.is_summary_anchor AND p.ends_turn
FOREACH (e IN CASE WHEN p IS NULL THEN [] ELSE [p] END |
  SET e.is_summary_anchor = true, e.summary_kind = 'ANCHOR', e.summary_state = 'PENDING', e.summary_attempts = 0,
      e.summary_due = timestamp(), e.summary_owner = '')
WITH count(*) AS marked
UNWIND $turns AS turn
OPTIONAL MATCH (m:Entry {id: turn})
  WHERE m.summary_kind IS NULL
FOREACH (e IN CASE WHEN m IS NULL THEN [] ELSE [m] END |
  SET e.summary_kind = 'NODE', e.summary_state = 'PENDING', e.summary_attempts = 0,
      e.summary_due = timestamp(), e.summary_owner = '')
