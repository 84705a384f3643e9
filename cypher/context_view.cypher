// context_view (READ): all that one question needs to know, in one read.
// Where it stands: at $entry_id if that is given; else at the leaf, if $tip_id is where the leaf's own active path ends (see
// path_end; or $at_leaf says so); else at $tip_id itself. From there the path goes up to the nearest boundary, and further until
// the turns that the session keeps raw are complete, or (for a compaction) to the first entry it keeps, but at most 1,000
// entries.
// An answer that ended after the session was read (by its revision) is still on its way here: the leaf read is its question.
// Ids that are not given are '' and not null: the embedded engine scans all entries for a null id.
// Both walks use group variables and stop on stored properties, so their cost follows the distance to the boundary and
// not the depth of the tree (a path variable is quadratic on the embedded engine).
// Returns one row: session, leaf, tip, start, request (the question of an earlier call with $request_key), and path (above
// start, nearest first) with parent_id (of the last of it; null at the root), and changes
// (of model, thinking level and tools that hold at start).
MATCH (s:Session {id: $session_id})
WITH s, s {.*} AS session
OPTIONAL MATCH (l:Entry {id: coalesce(session.leaf_id, '')})
OPTIONAL MATCH (k:Entry {id: coalesce(l.question_id, '')})
OPTIONAL MATCH (w:Answer)-[:ANSWERS]->(l)
  WHERE w.ended IS NULL OR w.ended_revision > session.revision
WITH s, session, l, k, count(w) AS answering
OPTIONAL MATCH (t:Entry {id: $tip_id})
  WHERE t.session_id = s.id
OPTIONAL MATCH (e:Entry {id: $entry_id})
  WHERE e.session_id = s.id
OPTIONAL MATCH (r:Entry {request_key: $request_key})
WITH s, session, l, t, r,
     CASE
       WHEN $entry_id <> '' THEN e
       WHEN $at_leaf THEN l
       WHEN answering = 0
        AND CASE WHEN l.ends_turn THEN l.id WHEN k.is_node THEN k.id ELSE coalesce(l.node_above, '') END = $tip_id THEN l
       ELSE t
     END AS start
WITH s, session, l, t, r, start,
     CASE WHEN start.depth > 1000 THEN start.depth - 1000 ELSE 0 END AS floor,
     start.turns_above - s.keep_raw_count
       + CASE WHEN start.ends_turn OR start.question_id IS NOT NULL THEN 1 ELSE 0 END AS low
OPTIONAL MATCH (start)((x:Entry WHERE NOT x.is_boundary AND x.depth > floor)-[:PARENT]->(y:Entry))*(b:Entry WHERE b.is_boundary OR b.depth = floor)
WITH session, l, t, r, start, floor, coalesce(b.kept_depth, b.depth) AS stop,
     CASE WHEN b.kept_depth IS NULL THEN low ELSE start.turns_above + 1 END AS low
OPTIONAL MATCH (start)((x:Entry WHERE (x.depth > stop OR x.turns_above >= low) AND x.depth > floor)-[:PARENT]->(y:Entry))*(a:Entry WHERE (a.depth <= stop AND a.turns_above < low) OR a.depth = floor)
OPTIONAL MATCH (a)-[:PARENT]->(above:Entry)
OPTIONAL MATCH (m:Entry {id: coalesce(start.model_from, '')})
OPTIONAL MATCH (h:Entry {id: coalesce(start.thinking_from, '')})
OPTIONAL MATCH (o:Entry {id: coalesce(start.tools_from, '')})
RETURN session, l {.*} AS leaf, t {.*} AS tip, start {.*} AS start, above.id AS parent_id, r {.*} AS request,
       [n IN CASE WHEN a IS NULL THEN [] ELSE y END | n {.*}] AS path,
       [n IN [m, h, o] WHERE n IS NOT NULL | n {.*}] AS changes
