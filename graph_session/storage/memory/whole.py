"""Whole sessions in memory, and finding what was said in them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence

from graph_session.domain.entries import CustomMessage, Entry, Message, text_of_body
from graph_session.domain.search import Search, is_prefix, is_stop_word, without_blanks
from graph_session.domain.verify import StoredEntry
from graph_session.storage.memory.summaries import MemorySummaries
from graph_session.storage.memory.tree import Tree
from graph_session.storage.protocol import Hit

_REACH = 1000


class MemoryWhole(MemorySummaries):
    async def stored_entries(self, session_id: str, after: int = -1) -> AsyncIterator[StoredEntry]:
        tree = await self._tree(session_id)
        if tree is None:
            return
        children = Counter(entry.parent_id for entry in tree.entries.values())
        rest = (entry for entry in tree.entries.values() if entry.sequence > after)
        for entry in sorted(rest, key=lambda entry: entry.sequence):
            yield StoredEntry(
                id=entry.id,
                sequence=entry.sequence,
                entry=entry,
                parent_ids=() if entry.parent_id is None else (entry.parent_id,),
                children=children[entry.id],
                is_root=entry.parent_id is None,
            )

    async def entry_counts(self) -> dict[str, int]:
        trees = [await self._tree(session_id) for session_id, *_ in list(self._names())]
        return {tree.session.id: len(tree.entries) for tree in trees if tree is not None and tree.entries}

    async def search(self, owner: str, search: Search, session_id: str | None, skip: int, limit: int) -> list[Hit]:
        patterns = [_pattern(term) for term in search.terms if not is_stop_word(term)]
        hits: list[tuple[int, Hit]] = []
        for name, owned_by, *_ in list(self._names()):
            if not patterns or owned_by != owner or session_id not in (None, name):
                continue
            tree = await self._tree(name)
            for entry in tree.entries.values() if tree else ():
                counts = [len(pattern.findall(_plain(entry))) for pattern in patterns]
                if tree and isinstance(entry.body, Message | CustomMessage) and all(counts):
                    hits.append((sum(counts), Hit(entry, tree.session)))
        best = sorted(hits, key=lambda found: (-found[0], found[1].session.id, found[1].entry.sequence))
        return [hit for _, hit in best[skip : skip + limit]]

    async def nodes_with(self, ids: Sequence[str]) -> dict[str, str]:
        await self._reach(ids)
        placed = ((self._of(entry_id), self._entry(entry_id)) for entry_id in ids)
        found = ((entry.id, _node_with(tree, entry)) for tree, entry in placed if tree is not None and entry)
        return {entry_id: node_id for entry_id, node_id in found if node_id is not None}

    async def tips(self, ids: Sequence[str], limit: int) -> dict[str, list[str]]:
        await self._reach(ids)
        return {entry_id: _tips(self._of(entry_id), entry_id, limit) for entry_id in ids}


def _pattern(term: str) -> re.Pattern[str]:
    """What finds a term: a row of characters where words are not parted by blanks, else a word or its beginning."""
    word = re.escape(unicodedata.normalize("NFKC", term).lower())
    if without_blanks(term):
        return re.compile(word)
    return re.compile(rf"(?<!\w){word}" if is_prefix(term) else rf"(?<!\w){word}(?!\w)")


def _plain(entry: Entry) -> str:
    return unicodedata.normalize("NFKC", text_of_body(entry.body)).lower()


def _node_with(tree: Tree, entry: Entry) -> str | None:
    """Of the turns that an entry is in, the one that ended first; else where a user stands at its question."""
    asked = entry.place.question_id
    if entry.ends_turn or asked is None:
        return entry.id if entry.ends_turn else entry.place.node_above
    ends = (end for end in tree.entries.values() if end.ends_turn and end.place.question_id == asked)
    for end in sorted(ends, key=lambda end: end.sequence):
        if any(above.id == entry.id for above in tree.up(end.id)):
            return end.id
    return asked if tree.entries[asked].is_node else _first_running(tree, asked) or entry.place.node_above


def _first_running(tree: Tree, question_id: str) -> str | None:
    """The answer to a question that was begun first, of those that run."""
    return min((it.answer.id for it in tree.running.values() if it.answer.question_id == question_id), default=None)


def _end_node(tree: Tree, end: Entry) -> str | None:
    """Where a user stands at the end of a branch; at a question that is being answered, at the answer."""
    asked = end.place.question_id
    if end.ends_turn or asked is None:
        return end.id if end.ends_turn else end.place.node_above
    return _first_running(tree, asked) or (asked if tree.entries[asked].is_node else end.place.node_above)


def _tips(tree: Tree | None, entry_id: str, limit: int) -> list[str]:
    if tree is None or entry_id not in tree.entries:
        return []
    below: dict[str | None, list[Entry]] = {}
    for entry in tree.entries.values():
        below.setdefault(entry.parent_id, []).append(entry)
    ends = sorted(_ends(below, tree.entries[entry_id], limit), key=lambda end: end.sequence)
    nodes = (_end_node(tree, end) for end in ends)
    return list(dict.fromkeys(node_id for node_id in nodes if node_id is not None))


def _ends(below: dict[str | None, list[Entry]], top: Entry, limit: int) -> Iterator[Entry]:
    waiting, found = [top], 0
    while waiting and found < limit:
        entry = waiting.pop()
        children = below.get(entry.id, [])
        if children and entry.place.depth < top.place.depth + _REACH:
            waiting += reversed(children)
        else:
            found += 1
            yield entry
