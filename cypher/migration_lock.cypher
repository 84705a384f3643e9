// migration_lock (WRITE): one starter at a time migrates. The lock is the record of version 0; it is leased, so that a
// starter that was killed does not stop the others for ever.
// Returns the owner; no row: somebody else holds it.
MERGE (m:Migration {version: 0})
ON CREATE SET m.owner = '', m.lease_until = 0
SET m.write_lock = true
WITH m
WHERE m.owner = $owner OR m.lease_until < timestamp()
SET m.owner = $owner, m.lease_until = timestamp() + $lease_ms
RETURN m.owner AS owner
