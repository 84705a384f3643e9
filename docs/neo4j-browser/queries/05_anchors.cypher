// 05 Anchors and their summaries
// Lists the summary anchors of a session, at most 100: which turn it is, its question, how many ways go on below it,
// whether its summary is there, and the summary, which stands for everything from the root to that turn.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (a:Entry)
WHERE a.position > s.id + ':' AND a.position < s.id + ';' AND a.is_summary_anchor
WITH a
ORDER BY a.position
LIMIT 100
OPTIONAL MATCH (q:Entry {id: coalesce(a.question_id, '')})
RETURN a.turns_above + 1 AS turn, left(q.text, 100) AS question,
       COUNT { MATCH (c:Entry {node_above: a.id}) WHERE c.is_node } AS ways_on,
       a.summary_state AS state, a.anchor_summary AS summary, a.id AS anchor
