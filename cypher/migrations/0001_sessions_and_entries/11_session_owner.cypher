CREATE INDEX session_owner IF NOT EXISTS FOR (s:Session) ON (s.owner)
