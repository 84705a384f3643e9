"""Searching in what was said: the words of a search, what a full-text index is asked for them, and the place in a text
that a hit is shown by.

The indexes keep words of most scripts, and pairs of neighbouring characters of Chinese, Japanese and Korean, which are
written without blanks; so those are looked for as a row of characters, and other words by their beginning. A single
character of them is found wherever another follows it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_TERMS = 20
_MIN_PREFIX = 3
_WITHOUT_BLANKS = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff]"
)
# What Lucene's CJK analyser leaves out: no text has them in the index, and as a beginning they would exclude the text.
_STOP_WORDS = frozenset(
    {
        *("a", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of"),
        *("on", "or", "s", "such", "t", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was"),
        *("will", "with", "www"),
    }
)
_TERM = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: texts that have every one of the terms."""

    terms: tuple[str, ...]


def search_of(text: str) -> Search:
    """The search that a person typed: words, and "several words" that stand together (on Neo4j; the embedded engine's
    index does not know where in a text a word stands, and there they only have to be in it)."""
    terms = [(quoted or word).strip() for quoted, word in _TERM.findall(text)]
    return Search(tuple(dict.fromkeys(term for term in terms if any(map(str.isalnum, term))))[:MAX_TERMS])


def lucene_query(search: Search) -> str:
    """The search in the language of Lucene, with nothing in it that the user could break out with."""
    return " AND ".join(map(_clause, search.terms))


def snippet(text: str, search: Search, around: int = 80) -> str:
    """The text around the first place where a term stands, at most about `around` characters on each side; from its
    beginning where none stands as it was typed."""
    found = re.search("|".join(map(re.escape, search.terms)), text, re.IGNORECASE) if search.terms else None
    start, end = found.span() if found else (0, 0)
    low, high = max(0, start - around), min(len(text), end + around)
    while 0 < low < start and _joins(text, low):
        low += 1
    while end < high < len(text) and _joins(text, high):
        high -= 1
    shown = " ".join(text[low:high].split())
    return f"{'…' if low else ''}{shown}{'…' if high < len(text) else ''}"


def is_stop_word(term: str) -> bool:
    """Whether a term is a word that every text has, so that it is no condition, and finds nothing alone."""
    return unicodedata.normalize("NFKC", term).lower() in _STOP_WORDS


def without_blanks(term: str) -> bool:
    """Whether a term is, in part, of a script whose words are not parted by blanks."""
    return _WITHOUT_BLANKS.search(term) is not None


def is_prefix(term: str) -> bool:
    """Whether a term also finds words that only begin with it."""
    word = unicodedata.normalize("NFKC", term).lower()
    long = word.isalnum() and len(word) >= _MIN_PREFIX
    return long and word not in _STOP_WORDS and not without_blanks(word)


def _clause(term: str) -> str:
    word = unicodedata.normalize("NFKC", term).lower()
    if is_prefix(term) or (len(word) == 1 and without_blanks(word)):
        return f"{word}*"
    quoted = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _joins(text: str, at: int) -> bool:
    """Whether a cut at this place would fall inside a word, or between a character and a mark that belongs to it."""
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after) or after in "\u200d\ufe0f" or before == "\u200d":
        return True
    return before.isalnum() and after.isalnum() and not _WITHOUT_BLANKS.search(before + after)
