// entry_nodes (READ): the dialogue nodes that entries are part of: of the turns an entry is in (a question may have been
// answered more than once) the one that ended first; else its question, where that is a node; else the answer that is on
// its way; else the node above.
// An answer that is no entry yet for the first part, and has ended for the second, is missed by both: `torn` says that this
// may be so, and then it is an entry now.
// Returns one row an entry: id, node_id (null: none), torn.
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
WITH e, q, ended, min(CASE WHEN a.ended IS NULL THEN a.id END) AS running, count(a.ended) AS just_ended
RETURN e.id AS id,
       CASE WHEN e.ends_turn THEN e.id ELSE coalesce(ended, CASE WHEN q.is_node THEN q.id END, running, e.node_above) END AS node_id,
       just_ended > 0 AND NOT e.ends_turn AND ended IS NULL AS torn
