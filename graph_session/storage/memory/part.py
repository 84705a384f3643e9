"""What the parts of the memory storage share: the state, its locks, and how a change is made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from graph_session.domain.entries import Entry
from graph_session.domain.errors import LeafConflict, NotFound
from graph_session.domain.ids import format_timestamp
from graph_session.domain.sessions import Session
from graph_session.storage.memory.records import Change, Record
from graph_session.storage.memory.tree import Tree, apply
from graph_session.storage.protocol import ANYWHERE, Anywhere, Duplicate, ExpectedLeaf


class MemoryPart:
    """A part of the storage. The state is a tree per session, and in which of them each id is.

    What a storage with files does otherwise are the hooks `_tree`, `_reach`, `_names`, `_create`, `_commit`, `_remove`.
    """

    exclusive = True

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        """`now`: the clock that leases go by, seconds since 1970."""
        self._now = now
        self._trees: dict[str, Tree] = {}
        self._where: dict[str, str] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def _tree(self, session_id: str) -> Tree | None:
        return self._trees.get(session_id)

    async def _reach(self, ids: Iterable[str]) -> None:
        """Have the trees of entries or answers in memory."""

    async def _create(self, session: Session) -> None:
        """Keep a new session before anything says that it is there."""

    async def _commit(self, tree: Tree, change: Change) -> None:
        """Keep a change, and then carry it out."""
        self._carry_out(tree, change)

    async def _remove(self, session_id: str) -> None:
        """Keep nothing of a session."""

    def _names(self) -> Iterable[tuple[str, str, str | None, str]]:
        """Session id, owner, name and time of the last change of all sessions."""
        for tree in self._trees.values():
            session = tree.session
            yield session.id, session.owner, session.name, session.updated_at

    @asynccontextmanager
    async def _locked(self, session_id: str) -> AsyncIterator[Tree | None]:
        """The tree of a session that nobody else changes meanwhile."""
        lock = self._locks.get(session_id)
        if lock is None:
            lock = self._locks[session_id] = asyncio.Lock()
        async with lock:
            yield await self._tree(session_id)

    @asynccontextmanager
    async def _locked_by(self, entry_id: str) -> AsyncIterator[Tree | None]:
        """The same for the session that an entry or answer is in."""
        await self._reach([entry_id])
        async with self._locked(self._where.get(entry_id, "")) as tree:
            yield tree

    async def _change(
        self,
        tree: Tree,
        *records: Record,
        leaf_id: ExpectedLeaf = ANYWHERE,
        touch: bool = True,
        revise: bool = True,
    ) -> Session:
        """Make a change that the lock is held for. `leaf_id`: Anywhere leaves it; `touch`: the session is used by this,
        and not just worked on; `revise`: watchers are to hear of it."""
        session = tree.session
        change = Change(
            revision=session.revision + revise,
            leaf_id=session.leaf_id if isinstance(leaf_id, Anywhere) else leaf_id,
            updated_at=self._stamp() if touch else session.updated_at,
            records=records,
        )
        await self._commit(tree, change)
        return tree.session

    def _carry_out(self, tree: Tree, change: Change) -> None:
        apply(tree, change)
        self._where |= dict.fromkeys(change.new_ids(), tree.session.id)

    @staticmethod
    def _existing(tree: Tree | None, session_id: str, expected_leaf: ExpectedLeaf) -> Tree:
        """Raises NotFound where there is no tree, LeafConflict where its leaf is another."""
        if tree is None:
            raise NotFound("session", session_id)
        if not isinstance(expected_leaf, Anywhere) and tree.session.leaf_id != expected_leaf:
            raise LeafConflict(tree.session.leaf_id)
        return tree

    async def _check_new(self, ids: Sequence[str]) -> None:
        """Raises Duplicate for an id that is taken."""
        await self._reach(ids)
        taken = [entry_id for entry_id in ids if entry_id in self._where]
        if taken or len(set(ids)) < len(ids):
            raise Duplicate(f"an id is taken: {', '.join(taken) or 'one is given twice'}")

    def _of(self, entry_id: str) -> Tree | None:
        """The tree that an entry or answer is in."""
        return self._trees.get(self._where.get(entry_id, ""))

    def _entry(self, entry_id: str | None) -> Entry | None:
        tree = self._of(entry_id) if entry_id else None
        return tree.entries.get(entry_id or "") if tree else None

    def _ms(self) -> int:
        return int(self._now() * 1000)

    def _stamp(self) -> str:
        return format_timestamp(datetime.fromtimestamp(self._now(), UTC))
