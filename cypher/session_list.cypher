// session_list (READ): an owner's sessions, the one used last first, whose names contain $query ('': all), from after the
// cursor ($before_time, $before_id) on.
// Returns one row a session.
MATCH (s:Session {owner: $owner})
WHERE NOT s.deleted
  AND ($query = '' OR toLower(coalesce(s.name, '')) CONTAINS toLower($query))
  AND ($before_id = '' OR s.updated_at < $before_time OR (s.updated_at = $before_time AND s.id < $before_id))
RETURN s {.*} AS session
ORDER BY s.updated_at DESC, s.id DESC
LIMIT $limit
