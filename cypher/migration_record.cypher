// migration_record (WRITE): a migration has been carried out.
MERGE (m:Migration {version: $version})
SET m.name = $name, m.checksum = $checksum, m.applied_at = $now
