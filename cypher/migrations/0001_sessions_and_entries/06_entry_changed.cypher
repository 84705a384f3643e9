CREATE INDEX entry_changed IF NOT EXISTS FOR (e:Entry) ON (e.changed)
