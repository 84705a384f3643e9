-- The same analyser as on Neo4j, so that the same words find the same entries.
CREATE INDEX IF NOT EXISTS ON Entry (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.cjk.CJKAnalyzer"}
