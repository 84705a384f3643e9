CREATE INDEX answer_session IF NOT EXISTS FOR (x:Answer) ON (x.session_id)
