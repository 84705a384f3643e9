// 10 Labels
// Lists the labelled entries of a session, at most 100: the label, who speaks there or which type it is, and the text.
WITH '' AS name // a session's name; '' is the session that was used last
MATCH (s:Session)
WHERE NOT s.deleted AND (name = '' OR s.name = name)
WITH s
ORDER BY s.updated_at DESC
LIMIT 1
MATCH (e:Entry)
WHERE e.position > s.id + ':' AND e.position < s.id + ';' AND e.label IS NOT NULL
WITH e
ORDER BY e.position
LIMIT 100
RETURN e.label AS label, coalesce(e.role, e.type) AS who, left(e.text, 200) AS text, e.timestamp AS written,
       e.id AS entry
