// node_read (READ): dialogue nodes by id, as one list: finished ones and open questions are entries, running ones answers.
// Ids of nothing give a row without either; an answer that ended a moment ago may have both, and the entry counts.
// The projections stand in a WITH of their own: inside a map literal the embedded engine puts the first one in its place.
UNWIND $ids AS id
OPTIONAL MATCH (e:Entry {id: id})
OPTIONAL MATCH (q:Entry {id: coalesce(e.question_id, '')})
OPTIONAL MATCH (x:Answer {id: id})
OPTIONAL MATCH (x)-[:ANSWERS]->(xq:Entry)
WITH e {.*} AS entry, q {.id, .text, .timestamp} AS question, x {.*} AS answer, xq {.id, .text, .timestamp} AS asked
RETURN collect({entry: entry, question: question, answer: answer, asked: asked}) AS nodes
