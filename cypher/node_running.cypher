// node_running (READ): the answers of a session that run, or ended a moment ago, with whether they are entries (written);
// there are never many.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
MATCH (x:Answer {session_id: $session_id})-[:ANSWERS]->(q:Entry)
OPTIONAL MATCH (e:Entry {id: x.id})
WITH x {.*} AS answer, q {.id, .text, .timestamp} AS asked, e IS NOT NULL AS written
RETURN collect({answer: answer, asked: asked, written: written}) AS nodes
