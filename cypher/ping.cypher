// ping (READ): the database answers.
RETURN 1 AS ok
