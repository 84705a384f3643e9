"""Finding what was said, by the engines' full-text index, and where in the tree it stands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from graph_session.domain.search import Search, lucene_query
from graph_session.storage.graph.database import Row
from graph_session.storage.graph.part import GraphPart
from graph_session.storage.graph.records import entry_from, session_from
from graph_session.storage.protocol import Hit

_REACH = 1000


class GraphSearch(GraphPart):
    async def search(self, owner: str, search: Search, session_id: str | None, skip: int, limit: int) -> list[Hit]:
        if not search.terms:
            return []
        rows = await self._db.rows(
            "search_entries",
            words=lucene_query(search),
            owner=owner,
            session_id=session_id or "",
            skip=skip,
            limit=limit,
        )
        return [Hit(entry_from(row["entry"], row["parent_id"]), session_from(row["session"])) for row in rows]

    async def nodes_with(self, ids: Sequence[str]) -> dict[str, str]:
        rows = await self._twice_if_torn(ids, lambda ids: self._db.rows("entry_nodes", ids=ids))
        return {row["id"]: row["node_id"] for row in rows if row["node_id"] is not None}

    async def tips(self, ids: Sequence[str], limit: int) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {entry_id: [] for entry_id in ids}
        for row in await self._twice_if_torn(
            ids, lambda ids: self._db.rows("entry_tips", ids=ids, tips=limit, reach=_REACH)
        ):
            tip = row["tip"]
            if tip["ends_turn"]:
                node_id = tip["id"]
            elif tip.get("question_id") is not None:
                node_id = row["running"] or (tip["question_id"] if row["open"] else tip.get("node_above"))
            else:
                node_id = tip.get("node_above")
            if node_id is not None and node_id not in found[row["id"]]:
                found[row["id"]].append(node_id)
        return found

    async def _twice_if_torn(self, ids: Sequence[str], read: Callable[[list[str]], Awaitable[list[Row]]]) -> list[Row]:
        """The rows of these ids, of some by a second read: those that were `torn`, or have none at all (the walk came
        to an entry that had none below it, and then had one)."""
        rows = await read(list(ids))
        whole = {row["id"] for row in rows} - {row["id"] for row in rows if row["torn"]}
        again = [entry_id for entry_id in ids if entry_id not in whole]
        return [row for row in rows if row["id"] in whole] + (await read(again) if again else [])
