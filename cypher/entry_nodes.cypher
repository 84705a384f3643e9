// entry_nodes (READ): the dialogue nodes that entries are part of: of the turns an entry is in (a question may have been
// answered more than once) the one that ended first; else its question, where that is a node; else the answer that is on
// its way; else the node above.
// An answer that ended a moment ago is still on its way for its question, which may have been read before it; what stands
// beside it is no part of it.
// Returns one row an entry: id, node_id (null: none).
UNWIND $ids AS id
MATCH (e:Entry {id: id})
WITH e, coalesce(e.question_id, '') AS asked
OPTIONAL MATCH (q:Entry {id: asked})
WITH e, q, asked,
     head(COLLECT {
       MATCH (e)((x:Entry WHERE NOT x.ends_turn)<-[:PARENT]-(y:Entry WHERE y.question_id = asked))*(t:Entry WHERE t.ends_turn)
       RETURN t.id ORDER BY t.position LIMIT 1
     }) AS ended
OPTIONAL MATCH (a:Answer)-[:ANSWERS]->(q)
  WHERE a.ended IS NULL OR e.id = asked
WITH e, q, ended, min(a.id) AS running
RETURN e.id AS id,
       CASE WHEN e.ends_turn THEN e.id ELSE coalesce(ended, CASE WHEN q.is_node THEN q.id END, running, e.node_above) END AS node_id
