CREATE INDEX entry_summary_due IF NOT EXISTS FOR (e:Entry) ON (e.summary_due)
