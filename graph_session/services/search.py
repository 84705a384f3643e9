"""Searching what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_session.domain.entries import Entry, text_of_body
from graph_session.domain.errors import InvalidInput
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.search import search_of, snippet
from graph_session.domain.sessions import Session
from graph_session.domain.text import check_text
from graph_session.services.access import owned_session
from graph_session.storage.protocol import Page, SessionStorage

MAX_HITS = 10_000
MAX_TIPS = 20
_MAX_CHARS = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """A message that was found; `node`: the turn it is part of."""

    entry: Entry
    node: DialogueNode | None
    session: Session
    snippet: str


class SearchService:
    def __init__(self, storage: SessionStorage) -> None:
        self._storage = storage

    async def search(
        self, who: Principal, text: str, session_id: str | None, after: str | None, first: int
    ) -> Page[Found]:
        """The caller's messages with every word of the text in them, the best first; of one session, if it is given.

        Raises NotFound, and InvalidInput for an empty or over-long text and past the first MAX_HITS.
        """
        check_text(text, "text", max_chars=_MAX_CHARS)
        search = search_of(text)
        skip = _offset(after)
        if session_id is not None:
            await owned_session(self._storage, who, session_id)
        hits = await self._storage.search(who.owner, search, session_id, skip, first + 1)
        shown = hits[:first]
        node_ids = await self._storage.nodes_with([hit.entry.id for hit in shown]) if shown else {}
        nodes = await self._storage.nodes(sorted(set(node_ids.values()))) if node_ids else {}
        found = [
            Found(
                hit.entry,
                nodes.get(node_ids.get(hit.entry.id, "")),
                hit.session,
                snippet(text_of_body(hit.entry.body), search),
            )
            for hit in shown
        ]
        cursors = [str(skip + number) for number in range(1, len(shown) + 1)]
        return Page(found, cursors, len(hits) > first)

    async def tips(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The nodes at the ends of the branches that entries lie on, at most MAX_TIPS of each. For entries the caller
        was given: ownership is not looked up again."""
        tips = await self._storage.tips(ids, MAX_TIPS)
        # Labels and moves of the leaf hang below nodes that the conversation has gone on from: those are no ends.
        children = await self._storage.children(sorted({tip for found in tips.values() for tip in found}))
        return {entry_id: [tip for tip in found if not children[tip]] or found[:1] for entry_id, found in tips.items()}


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and int(cursor) <= MAX_HITS):
        raise InvalidInput(f"The cursor is not of this list, or behind its first {MAX_HITS:,} hits.", "after")
    return int(cursor)
