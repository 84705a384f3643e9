"""Walking paths page by page."""

from __future__ import annotations

from graph_session.domain.entries import Entry
from graph_session.storage.protocol import SessionStorage

_PAGE = 1000


async def path_below(storage: SessionStorage, top_id: str | None, entry_id: str) -> list[Entry]:
    """The entries of a path from below `top_id` (None: from the root) down to an entry, oldest first."""
    found: list[Entry] = []
    at: str | None = entry_id
    while at is not None and at != top_id:
        page = await storage.path_page(at, _PAGE)
        for entry in page:
            if entry.id == top_id:
                return found[::-1]
            found.append(entry)
        at = page[-1].parent_id if page else None
    return found[::-1]
