-- The engine's Cypher has no full-text indexes, its SQL has, and there they stand on a property with a declared type.
CREATE PROPERTY Entry.text IF NOT EXISTS STRING
