// 09 Answers that are running
// Lists those of all sessions, the newest 50: the question, which model and which process answer it, since when, and
// until when the process holds it. What is held no longer is closed by the next process that looks.
MATCH (x:Answer)-[:ANSWERS]->(q:Entry)
WHERE x.ended IS NULL
WITH x, q
ORDER BY x.started DESC
LIMIT 50
OPTIONAL MATCH (s:Session {id: x.session_id})
RETURN s.name AS session, left(q.text, 100) AS question, x.model AS model, x.started AS since,
       datetime({epochMillis: x.lease_until}) AS held_until, x.owner AS process, x.id AS answer
