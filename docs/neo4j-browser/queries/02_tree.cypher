// 02 Tree of a session
// Draws the newest 200 entries of a session, the entry above each of them, and the answers that are running.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (e:Entry)
WHERE e.position > s.id + ':' AND e.position < s.id + ';'
WITH s, e
ORDER BY e.position DESC
LIMIT 200
OPTIONAL MATCH (e)-[up:PARENT]->(above:Entry)
OPTIONAL MATCH (s)-[root:ROOT]->(e)
OPTIONAL MATCH (running:Answer)-[answers:ANSWERS]->(e)
  WHERE running.ended IS NULL
RETURN s, root, e, up, above, answers, running
ORDER BY e.position DESC
