"""Reading the tree in memory: views for a question, nodes, paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from graph_session.domain.catalogue import usage_by_model
from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, EntryType
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.outline import MARK_TYPES, Row, mark_of, row_of
from graph_session.domain.sessions import Session
from graph_session.storage.memory.answers import MemoryAnswers
from graph_session.storage.memory.reading import (
    context_path,
    entries_between,
    entry_node,
    node,
    nodes_after,
    standing_nodes,
    state_at,
    turn,
    without_parent,
)
from graph_session.storage.memory.tree import Tree
from graph_session.storage.protocol import NodeCheck, OutlinePage, Page, View

T = TypeVar("T")


class MemoryNodes(MemoryAnswers):
    async def view(self, session_id: str, *, tip_id: str | None, request_id: str | None = None) -> View | None:
        tree = await self._tree(session_id)
        if tree is None:
            return None
        leaf, tip = tree.entries.get(tree.session.leaf_id or ""), tree.entries.get(tip_id or "")
        start = leaf if _standing(tree, leaf) == tip_id else tip
        return _view(tree, tip, start, tree.requests.get(request_id or ""))

    async def view_at(self, session_id: str, entry_id: str | None) -> View | None:
        tree = await self._tree(session_id)
        if tree is None:
            return None
        start = tree.entries.get((tree.session.leaf_id if entry_id is None else entry_id) or "")
        return _view(tree, None, start, None)

    async def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        await self._reach(ids)
        found = (self._entry(entry_id) for entry_id in ids)
        return {entry.id: entry for entry in found if entry is not None}

    async def nodes(self, ids: Sequence[str]) -> dict[str, DialogueNode]:
        await self._reach(ids)
        placed = ((self._of(node_id), node_id) for node_id in ids)
        found = (node(tree, node_id) for tree, node_id in placed if tree is not None)
        return {shown.node_id: shown for shown in found if shown is not None}

    async def node_page(self, session: Session, after: str | None, first: int) -> Page[DialogueNode]:
        return await self._page(session, after, first, lambda shown: shown)

    async def outline_page(self, session: Session, after: str | None, first: int) -> OutlinePage:
        tree = await self._tree(session.id)
        page = await self._page(session, after, first, row_of)
        until = int(page.cursors[-1]) if page.has_next else None
        marks = entries_between(tree, MARK_TYPES, -1 if after is None else int(after), until) if tree else []
        return OutlinePage(page.items, page.cursors, page.has_next, page.total, [mark_of(mark) for mark in marks])

    async def marks_below(self, ids: Sequence[str]) -> list[Row]:
        await self._reach(ids)
        trees = ((self._of(node_id), node_id) for node_id in dict.fromkeys(ids))
        below = [tree.entries[entry_id] for tree, node_id in trees if tree for entry_id in tree.below.get(node_id, ())]
        return [mark_of(entry) for entry in sorted(below, key=lambda entry: entry.sequence) if entry.type in MARK_TYPES]

    async def _page(
        self, session: Session, after: str | None, first: int, form: Callable[[DialogueNode], T]
    ) -> Page[T]:
        tree = await self._tree(session.id)
        start = -1 if after is None else int(after)
        found = list(islice(nodes_after(tree, start), first + 1)) if tree else []
        shown = found[:first]
        cursors = [str(item.sequence) for item in shown]
        return Page([form(item) for item in shown], cursors, len(found) > first, session.node_count)

    async def entries_between(self, session_id: str, types: Sequence[EntryType], after: int, until: int) -> list[Entry]:
        tree = await self._tree(session_id)
        return [without_parent(entry) for entry in entries_between(tree, types, after, until)] if tree else []

    async def children(self, ids: Sequence[str]) -> dict[str, list[str]]:
        await self._reach(ids)
        return {node_id: self._children(self._of(node_id), node_id) for node_id in ids}

    def _children(self, tree: Tree | None, node_id: str) -> list[str]:
        if tree is None:
            return []
        entries = [tree.entries[entry_id] for entry_id in tree.below.get(node_id, ())]
        answers = [running.answer for running in tree.running.values() if running.answer.node_above == node_id]
        placed = [(entry.sequence, entry.id) for entry in entries if entry.is_node]
        return [child for _, child in sorted(placed + [(answer.sequence, answer.id) for answer in answers])]

    async def turn_entries(self, ids: Sequence[str]) -> dict[str, list[Entry]]:
        await self._reach(ids)
        placed = ((self._of(entry_id), self._entry(entry_id)) for entry_id in ids)
        return {entry.id: turn(tree, entry) for tree, entry in placed if tree is not None and entry is not None}

    async def path_page(self, entry_id: str, limit: int) -> list[Entry]:
        await self._reach([entry_id])
        tree = self._of(entry_id)
        return list(islice(tree.up(entry_id), limit)) if tree else []

    async def active_path(self, entry_id: str) -> list[str]:
        await self._reach([entry_id])
        tree, entry = self._of(entry_id), self._entry(entry_id)
        return list(standing_nodes(tree, entry))[::-1] if tree is not None and entry is not None else []

    async def path_of_types(self, entry_id: str, types: Sequence[EntryType]) -> list[Entry]:
        await self._reach([entry_id])
        tree = self._of(entry_id)
        found = [entry for entry in tree.up(entry_id) if entry.type in types] if tree else []
        return [without_parent(entry) for entry in reversed(found)]

    async def path_usage(self, entry_id: str) -> dict[str | None, Usage]:
        await self._reach([entry_id])
        tree = self._of(entry_id)
        return usage_by_model(tree.up(entry_id)) if tree else {}

    async def session_usage(self, session: Session) -> dict[str | None, Usage]:
        tree = await self._tree(session.id)
        return usage_by_model(tree.entries.values()) if tree else {}

    async def common_ancestor(self, a: str, b: str) -> str | None:
        await self._reach([a, b])
        tree = self._of(a)
        if tree is None or tree is not self._of(b):
            return None
        on_path = {entry.id for entry in tree.up(a)}
        return next((entry.id for entry in tree.up(b) if entry.id in on_path), None)

    async def check_nodes(self, ids: Sequence[str]) -> dict[str, NodeCheck]:
        await self._reach(ids)
        return {node_id: _check(self._of(node_id), node_id) for node_id in ids}

    async def nearest_anchor(self, entry_id: str) -> DialogueNode | None:
        await self._reach([entry_id])
        tree = self._of(entry_id)
        for entry in tree.up(entry_id) if tree else ():
            if tree and entry.summary.is_anchor and entry.summary.anchor_summary is not None:
                return entry_node(tree, entry)
        return None


def _standing(tree: Tree, leaf: Entry | None) -> str | None:
    return None if leaf is None else next(standing_nodes(tree, leaf), None)


def _view(tree: Tree, tip: Entry | None, start: Entry | None, earlier: str | None) -> View:
    leaf = tree.entries.get(tree.session.leaf_id or "")
    return View(
        session=tree.session,
        leaf=without_parent(leaf) if leaf else None,
        tip=without_parent(tip) if tip else None,
        path=context_path(tree, start),
        earlier=earlier,
        state=state_at(tree, start),
    )


def _check(tree: Tree | None, node_id: str) -> NodeCheck:
    if tree is None:
        return NodeCheck(session_id=None, node_above=None, is_node=False, running=False)
    entry, running = tree.entries.get(node_id), tree.running.get(node_id)
    if entry is not None:
        above: str | None = entry.place.node_above
    else:
        above = running.answer.node_above if running else None
    is_node = entry is not None and entry.is_node
    return NodeCheck(session_id=tree.session.id, node_above=above, is_node=is_node, running=running is not None)
