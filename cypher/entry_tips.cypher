// entry_tips (READ): where the branches end on which entries lie: at most $tips of each, looked for at most $reach entries
// below it; a branch that goes on further is named by the entry at which the walk ended.
// The stop is on the stored depth, so that the walk does not follow a deep tree to its end.
// Returns one row a tip: id (of the entry), tip (where a user stands there: its id, whether it ends a turn, its question
// and the node above), open (whether that question is a node) and running (the answer to it that is on its way:
// one that ended a moment ago is so for its question alone, which may have been read before it).
UNWIND $ids AS id
MATCH (e:Entry {id: id})
CALL (e) {
  WITH e, e.depth + $reach AS floor
  MATCH (e)((x:Entry WHERE x.depth < floor)<-[:PARENT]-(y:Entry))*(t:Entry WHERE t.depth = floor OR NOT EXISTS { (t)<-[:PARENT]-(:Entry) })
  RETURN t
  LIMIT $tips
}
OPTIONAL MATCH (q:Entry {id: coalesce(t.question_id, '')})
OPTIONAL MATCH (a:Answer)-[:ANSWERS]->(q)
  WHERE a.ended IS NULL OR t.id = q.id
RETURN e.id AS id, t {.id, .ends_turn, .question_id, .node_above, .position} AS tip, q.is_node AS open, min(a.id) AS running
ORDER BY tip.position
