CREATE INDEX entry_node_above IF NOT EXISTS FOR (e:Entry) ON (e.node_above)
