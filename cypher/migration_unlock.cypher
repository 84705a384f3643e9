// migration_unlock (WRITE): gives the lock back, if it is still this starter's.
MATCH (m:Migration {version: 0})
WHERE m.owner = $owner
SET m.owner = '', m.lease_until = 0
