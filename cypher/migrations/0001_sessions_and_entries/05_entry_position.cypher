// Session id and sequence as one string: the embedded engine uses no index of two properties for a range.
CREATE CONSTRAINT entry_position IF NOT EXISTS FOR (e:Entry) REQUIRE e.position IS UNIQUE
