// anchor_nearest (READ): the nearest summary anchor at or above an entry that has its text, at most 1,000 entries up.
// Returns one row: entry (the anchor, or the entry at which the reading was cut) and the question of its turn.
MATCH (t:Entry {id: $entry_id})
WITH t, CASE WHEN t.depth > 1000 THEN t.depth - 1000 ELSE 0 END AS floor
MATCH (t)((x:Entry WHERE NOT (x.is_boundary AND x.is_summary_anchor) AND x.depth > floor)-[:PARENT]->(y:Entry))*(a:Entry WHERE (a.is_boundary AND a.is_summary_anchor) OR a.depth = floor)
OPTIONAL MATCH (q:Entry {id: coalesce(a.question_id, '')})
RETURN a {.*} AS entry, q {.id, .text, .timestamp} AS question
