// entry_counts (READ): how many entries say that they are of each session, by a look at all entries, whether or not they
// have a place in their session's order of creation.
// Returns one row a session: id, entries.
MATCH (e:Entry)
RETURN e.session_id AS id, count(*) AS entries
