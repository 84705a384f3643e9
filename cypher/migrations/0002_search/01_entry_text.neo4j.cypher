// The analyser `cjk` writes pairs of neighbouring characters of Chinese, Japanese and Korean, which no blanks divide into
// words, and words of other scripts.
CREATE FULLTEXT INDEX entry_text IF NOT EXISTS FOR (e:Entry) ON EACH [e.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}
