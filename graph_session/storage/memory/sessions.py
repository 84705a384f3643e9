"""Sessions in memory, and what moves their leaf without an answer."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.entries import Entry, LeafMove, Summary
from graph_session.domain.errors import NotFound
from graph_session.domain.sessions import Session
from graph_session.domain.triggers import Marks
from graph_session.storage.memory.marking import marked
from graph_session.storage.memory.part import MemoryPart
from graph_session.storage.memory.records import EntryWritten, Record, SessionChanged, SummaryChanged, Work
from graph_session.storage.memory.tree import new_tree
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, Page

_LONG_AGO = 1


class MemorySessions(MemoryPart):
    async def create_session(self, session: Session) -> Session:
        async with self._locked(session.id) as tree:
            if tree is not None:
                raise Duplicate(f"there is a session {session.id}")
            created = new_tree(session)
            await self._create(created.session)
            self._trees[session.id] = created
            return created.session

    async def session(self, session_id: str) -> Session | None:
        tree = await self._tree(session_id)
        return None if tree is None else tree.session

    async def sessions(self, owner: str, query: str, after: str | None, first: int) -> Page[Session]:
        before_time, _, before_id = (after or "").partition("|")
        found = sorted(
            (
                (updated_at, session_id)
                for session_id, owned_by, name, updated_at in self._names()
                if owned_by == owner and query.lower() in (name or "").lower()
                if not after or (updated_at, session_id) < (before_time, before_id)
            ),
            reverse=True,
        )
        trees = [await self._tree(session_id) for _, session_id in found[:first]]
        shown = [tree.session for tree in trees if tree is not None]
        return Page(shown, [f"{session.updated_at}|{session.id}" for session in shown], len(found) > first)

    async def update_session(self, session_id: str, changes: dict[str, object]) -> Session | None:
        async with self._locked(session_id) as tree:
            return None if tree is None else await self._change(tree, SessionChanged(changes))

    async def delete_session(self, session_id: str) -> bool:
        async with self._locked(session_id) as tree:
            if tree is None:
                return False
            await self._remove(session_id)
            del self._trees[session_id]
            for gone in [entry_id for entry_id in tree.order.values() if self._where.get(entry_id) == session_id]:
                del self._where[gone]
            return True

    async def finish_deletions(self) -> None:
        """A session is removed in one step, so no crash cuts that short."""

    async def move_leaf(
        self, session_id: str, entry_id: str | None, expected_leaf: ExpectedLeaf, record: Entry | None = None
    ) -> Session:
        async with self._locked(session_id) as found:
            tree = self._existing(found, session_id, expected_leaf)
            if entry_id is not None and entry_id not in tree.entries:
                raise NotFound("entry", entry_id)
            records = [] if record is None else written(record)
            return await self._change(tree, *records, leaf_id=entry_id)

    async def append(
        self,
        session_id: str,
        entries: Sequence[Entry],
        *,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        move_leaf: bool = True,
        marks: Marks | None = None,
    ) -> Session:
        async with self._locked(session_id) as found:
            tree = self._existing(found, session_id, expected_leaf)
            await self._check_new([entry.id for entry in entries])
            known = set[str | None]([None])
            for entry in entries:
                if entry.parent_id not in known and entry.parent_id not in tree.entries:
                    raise NotFound("entry", str(entry.parent_id))
                known.add(entry.id)
            records = [record for entry in entries for record in written(entry)]
            records += [] if marks is None else marked(tree, entries, marks, self._ms())
            last = entries[-1]
            leaf_id = last.body.target_id if isinstance(last.body, LeafMove) else last.id
            return await self._change(tree, *records, leaf_id=leaf_id if move_leaf else ANYWHERE)


def written(entry: Entry) -> list[Record]:
    """The records of a new entry. What it brings along that has been summarised elsewhere is kept; work that was not
    done there is due here."""
    summary = entry.summary if entry.summary.kind else Summary(is_anchor=entry.summary.is_anchor)
    if summary == Summary():
        return [EntryWritten(entry)]
    return [EntryWritten(entry), SummaryChanged(entry.id, summary, Work(due=_LONG_AGO if summary.waits else None))]
