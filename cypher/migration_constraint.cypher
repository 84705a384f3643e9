// migration_constraint (SCHEMA): what the migrations' own lock stands on, so it comes before them.
CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (m:Migration) REQUIRE m.version IS UNIQUE
