// answer_finish (WRITE): the answer becomes an entry; in the same transaction the leaf follows if it still stands at the
// question, and what needs a summary is marked.
// Only the answer's owner may do this, or, with $expired, anybody once the lease has run out ($exclusive: at once, where no
// other process can be alive).
// The answer stays for a while as ended (answers_forget): a read that began before, and had not found the entry, finds it
// still. Everywhere an entry counts before the answer with its id.
// The fork trigger is decided here and not before, because only under the session's lock are the other clients' answers
// all there: two finished turns below the same node make that node an anchor. $anchor and $turns were decided from the path.
// Ids that are not given are '' and not null: the embedded engine scans all entries for a null id.
// An answer below a compaction that came after its question takes a place behind that one, so that parents come first.
// Below an anchor nothing is counted, so the cost does not grow with the branches there.
// Returns the session; no row: the answer is no longer ours.
MATCH (s:Session {id: $session_id})
SET s.write_lock = true
WITH s
MATCH (x:Answer {id: $id})-[:ANSWERS]->(q:Entry)
WHERE NOT s.deleted AND x.ended IS NULL
  AND ((NOT $expired AND x.owner = $owner)
       OR ($expired AND (x.lease_until < timestamp() OR ($exclusive AND x.owner <> $owner))))
OPTIONAL MATCH (above:Entry {id: $parent_id})
WITH s, x, q, coalesce(above, q) AS above
SET s.revision = s.revision + 1
CREATE (a:Entry:Message:Assistant)-[:PARENT]->(above)
SET a = $answer,
    a.position = CASE WHEN above = q THEN x.position ELSE s.id + ':' + right('000000000000' + toString(s.next_sequence), 12) END
SET s.next_sequence = s.next_sequence + CASE WHEN above = q THEN 0 ELSE 1 END
SET s.leaf_id = CASE WHEN s.leaf_id IN [q.id, above.id] THEN a.id ELSE s.leaf_id END,
    s.entry_count = s.entry_count + 1,
    s.updated_at = $now
SET x.ended = timestamp(), x.ended_revision = s.revision
WITH s, a
OPTIONAL MATCH (p:Entry {id: coalesce(a.node_above, '')})
  WHERE NOT p.is_summary_anchor AND p.ends_turn
OPTIONAL MATCH (c:Entry {node_above: coalesce(p.id, '')})
  WHERE c.finished
WITH s, a, p, count(c) AS siblings
OPTIONAL MATCH (l:Entry {id: $anchor})
  WHERE l.ends_turn
WITH s, a, siblings,
     [e IN [CASE WHEN a.finished AND siblings > 1 THEN p END, l] WHERE e IS NOT NULL AND NOT e.is_summary_anchor] AS anchors
FOREACH (e IN anchors |
  SET e.is_summary_anchor = true, e.summary_kind = 'ANCHOR', e.summary_state = 'PENDING', e.summary_attempts = 0,
      e.summary_due = timestamp(), e.summary_owner = '')
WITH s
UNWIND CASE WHEN size($turns) = 0 THEN [''] ELSE $turns END AS turn
OPTIONAL MATCH (m:Entry {id: turn})
  WHERE m.summary_kind IS NULL
FOREACH (e IN CASE WHEN m IS NULL THEN [] ELSE [m] END |
  SET e.summary_kind = 'NODE', e.summary_state = 'PENDING', e.summary_attempts = 0,
      e.summary_due = timestamp(), e.summary_owner = '')
WITH s, count(*) AS marked
RETURN s {.*} AS session
