// node_running (READ): the running answers of a session; there are never many.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
MATCH (x:Answer {session_id: $session_id})-[:ANSWERS]->(q:Entry)
WITH x {.*} AS answer, q {.id, .text, .timestamp} AS asked
RETURN collect({answer: answer, asked: asked}) AS nodes
