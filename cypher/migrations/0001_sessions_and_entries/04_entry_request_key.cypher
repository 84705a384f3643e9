// A clientRequestId asks only once, whichever process it reaches.
CREATE CONSTRAINT entry_request_key IF NOT EXISTS FOR (e:Entry) REQUIRE e.request_key IS UNIQUE
