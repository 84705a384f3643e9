// An index of entries that were there before is filled in the background, and a search fails until that is done.
CALL db.awaitIndex('entry_text', 600)
