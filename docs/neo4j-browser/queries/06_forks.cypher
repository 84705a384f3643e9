// 06 Where a session forked
// Lists the turns below which more than one way goes on, at most 100: which turn it is (0: before the first), its
// question, and the questions that follow it. One that stands there twice was answered twice; one whose first answer
// is still running is not there yet.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (e:Entry)
WHERE e.position > s.id + ':' AND e.position < s.id + ';' AND e.is_node
WITH e
ORDER BY e.position
WITH e.node_above AS above, collect(e) AS nodes
WHERE size(nodes) > 1
WITH above, nodes
ORDER BY nodes[0].position
LIMIT 100
OPTIONAL MATCH (fork:Entry {id: coalesce(above, '')})
OPTIONAL MATCH (q:Entry {id: coalesce(fork.question_id, '')})
RETURN coalesce(fork.turns_above + 1, 0) AS turn, left(q.text, 100) AS question, size(nodes) AS ways_on,
       COLLECT {
         UNWIND nodes[..20] AS node
         OPTIONAL MATCH (asked:Entry {id: coalesce(node.question_id, '')})
         RETURN coalesce(left(asked.text, 100), '')
         ORDER BY node.position
       } AS questions,
       fork.id AS fork
