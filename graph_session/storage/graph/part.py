"""What the parts of the graph storage share."""

from __future__ import annotations

from typing import Any

from graph_session.domain.errors import LeafConflict, NotFound
from graph_session.domain.ids import timestamp_now
from graph_session.domain.sessions import Session
from graph_session.storage.graph.database import Database
from graph_session.storage.graph.records import session_from
from graph_session.storage.protocol import Anywhere, ExpectedLeaf


class GraphPart:
    """A part of the storage, on one database. `exclusive`: no other process can use that database."""

    def __init__(self, database: Database, *, exclusive: bool) -> None:
        self._db = database
        self.exclusive = exclusive

    async def session(self, session_id: str) -> Session | None:
        row = await self._db.row("session_read", session_id=session_id)
        return None if row is None else session_from(row["session"])

    async def _refuse(self, session_id: str, expected_leaf: ExpectedLeaf, entry_id: str | None) -> Exception:
        """Why a compare-and-set on a session changed nothing; `entry_id` names the entry that it needs, if any."""
        session = await self.session(session_id)
        if session is None:
            return NotFound("session", session_id)
        if not isinstance(expected_leaf, Anywhere) and session.leaf_id != expected_leaf:
            return LeafConflict(session.leaf_id)
        row = await self._db.row("entry_read", ids=[entry_id] if entry_id else [])
        found = [node["entry"]["session_id"] for node in (row["entries"] if row else [])]
        if entry_id and found != [session_id]:
            return NotFound("entry", entry_id)
        return LeafConflict(session.leaf_id)


def leaf_parameters(expected_leaf: ExpectedLeaf) -> dict[str, Any]:
    """The parameters of a compare-and-set, and the time of the change."""
    check = not isinstance(expected_leaf, Anywhere)
    return {"check_leaf": check, "expected_leaf": (expected_leaf or "") if check else "", "now": timestamp_now()}
