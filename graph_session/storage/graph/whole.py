"""Whole sessions, read as they lie in the graph: for checks and exports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from graph_session.domain.verify import StoredEntry
from graph_session.storage.graph.part import GraphPart
from graph_session.storage.graph.records import entry_from, position, sequence_of

_WINDOW = 1
_MAX_WINDOW = 500
_WINDOW_CHARS = 2_000_000
_END = 10**12 - 1


class GraphWhole(GraphPart):
    async def stored_entries(self, session_id: str, after: int = -1) -> AsyncIterator[StoredEntry]:
        session = await self.session(session_id)
        if session is None:
            return
        low, width = after, _WINDOW
        while low < _END:
            # Beyond the last place that was given out there should be nothing; one read tells.
            high = low + width if low + 1 < session.next_sequence else _END
            row = await self._db.row("entry_window", after=position(session_id, low), until=position(session_id, high))
            chars = 1
            for node in row["entries"] if row else []:
                chars += len(str(node["entry"].get("text"))) + len(str(node["entry"].get("data")))
                yield _stored(node)
            # Entries may be long, with images in them: the next page is as wide as the last one lets hope for.
            low, width = high, max(1, min(_MAX_WINDOW, 4 * width, width * _WINDOW_CHARS // chars))

    async def entry_counts(self) -> dict[str, int]:
        return {str(row["id"]): row["entries"] for row in await self._db.rows("entry_counts")}


def _stored(node: Mapping[str, Any]) -> StoredEntry:
    properties, parents = node["entry"], tuple(sorted(map(str, node["parents"])))
    reason, entry, sequence = "", None, -1
    try:
        sequence = sequence_of(properties["position"])
        entry = entry_from(properties, parents[0] if parents else None)
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
    return StoredEntry(
        id=str(properties.get("id")),
        sequence=sequence,
        entry=entry,
        parent_ids=parents,
        children=node["children"],
        is_root=node["roots"] > 0,
        reason=reason,
    )
