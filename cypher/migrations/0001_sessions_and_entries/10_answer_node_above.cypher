CREATE INDEX answer_node_above IF NOT EXISTS FOR (x:Answer) ON (x.node_above)
