// migration_list (READ): the migrations that this database has seen.
MATCH (m:Migration)
WHERE m.version > 0
RETURN m.version AS version, m.name AS name, m.checksum AS checksum
ORDER BY m.version
