"""Reading a session's tree: nodes, entries, paths, contexts."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import Entry
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.outline import row_of
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.domain.text import check_text
from graph_session.services.access import owned_entry, owned_node, owned_session
from graph_session.services.ask import AskService
from graph_session.services.paths import check_active_path
from graph_session.storage.protocol import OutlinePage, Page, SessionStorage

MAX_SUBTREE_DEPTH = 50
MAX_SUBTREE_NODES = 10_000
MAX_NODES = 500


class TreeService:
    """Every method raises NotFound for what is not the caller's."""

    def __init__(self, storage: SessionStorage, ask: AskService, *, max_question_chars: int) -> None:
        self._storage = storage
        self._ask = ask
        self._max_question_chars = max_question_chars

    async def node(self, who: Principal, node_id: str) -> DialogueNode:
        """One dialogue node."""
        node, _ = await owned_node(self._storage, who, node_id)
        return node

    async def nodes(self, who: Principal, node_ids: Sequence[str]) -> list[DialogueNode | None]:
        """Several dialogue nodes, None for what is not the caller's. Raises InvalidInput for more than MAX_NODES."""
        found = await self._nodes(node_ids)
        sessions = [await self._storage.session(it) for it in sorted({node.session_id for node in found.values()})]
        own = {session.id for session in sessions if session is not None and session.owner == who.owner}
        theirs = {node_id: node for node_id, node in found.items() if node.session_id in own}
        return [theirs.get(node_id) for node_id in node_ids]

    async def entry(self, who: Principal, entry_id: str) -> Entry:
        """One entry."""
        entry, _ = await owned_entry(self._storage, who, entry_id)
        return entry

    async def all_nodes(self, who: Principal, session_id: str, after: str | None, first: int) -> Page[DialogueNode]:
        """A session's nodes in the order of creation."""
        session = await owned_session(self._storage, who, session_id)
        return await self._storage.node_page(session, _sequence(after), first)

    async def outline(self, who: Principal, session_id: str, after: str | None, first: int) -> OutlinePage:
        """A session's nodes in the order of creation, as short rows, with the marks between them."""
        session = await owned_session(self._storage, who, session_id)
        return await self._storage.outline_page(session, _sequence(after), first)

    async def outline_of(self, who: Principal, session_id: str, node_ids: Sequence[str]) -> OutlinePage:
        """The same of these nodes alone, with the marks directly below them; what is no node of the session is left
        out. Raises InvalidInput for more than MAX_NODES."""
        session = await owned_session(self._storage, who, session_id)
        found = [node for node in (await self._nodes(node_ids)).values() if node.session_id == session.id]
        shown = sorted(found, key=lambda node: node.sequence)
        marks = await self._storage.marks_below([node.node_id for node in shown])
        cursors = [str(node.sequence) for node in shown]
        return OutlinePage([row_of(node) for node in shown], cursors, False, session.node_count, marks)

    async def root_node_id(self, session: Session) -> str | None:
        """The first dialogue node of a session."""
        page = await self._storage.node_page(session, None, 1)
        return page.items[0].node_id if page.items else None

    async def subtree(
        self, who: Principal, node_id: str, depth: int, after: str | None, first: int
    ) -> Page[DialogueNode]:
        """A node and those at most `depth` below it, in the order of creation. Raises InvalidInput past the limits."""
        if not 0 <= depth <= MAX_SUBTREE_DEPTH:
            raise InvalidInput(f"depth is {depth}; it must be from 0 to {MAX_SUBTREE_DEPTH}.", "depth")
        await owned_node(self._storage, who, node_id)
        ids, level = [node_id], [node_id]
        for _ in range(depth):
            below = await self._storage.children(level)
            level = [child for parent in level for child in below[parent]]
            ids += level
            if len(ids) > MAX_SUBTREE_NODES:
                raise InvalidInput(f"More than {MAX_SUBTREE_NODES:,} nodes; ask for a smaller depth.", "depth")
            if not level:
                break
        nodes = sorted((await self._storage.nodes(ids)).values(), key=lambda node: node.sequence)
        start = -1 if after is None else int(_sequence(after) or -1)
        rest = [node for node in nodes if node.sequence > start]
        shown = rest[:first]
        return Page(shown, [str(node.sequence) for node in shown], len(rest) > first, len(nodes))

    async def path_to_root(self, who: Principal, entry_id: str, after: str | None, first: int) -> Page[Entry]:
        """An entry and those above it, nearest first; a cursor is the id of the entry it stands behind."""
        entry, _ = await owned_entry(self._storage, who, entry_id)
        if after is None:
            path = await self._storage.path_page(entry.id, first + 1)
        else:
            if await self._storage.common_ancestor(entry.id, after) != after:
                raise InvalidInput("The cursor is not of this path.", "after")
            path = (await self._storage.path_page(after, first + 2))[1:]
        shown = path[:first]
        return Page(shown, [above.id for above in shown], len(path) > first, entry.place.depth + 1)

    async def active_path(self, who: Principal, session_id: str) -> list[str]:
        """The dialogue node ids from the root to where the user stands."""
        session = await owned_session(self._storage, who, session_id)
        return await self._storage.active_path(session.leaf_id) if session.leaf_id else []

    async def nearest_anchor(self, who: Principal, node_id: str) -> DialogueNode | None:
        """The nearest summary anchor at or above a node."""
        node, _ = await owned_node(self._storage, who, node_id)
        return await self._storage.nearest_anchor(node.entry_id)

    async def context(
        self,
        who: Principal,
        session_id: str,
        *,
        active_path: Sequence[str] | None = None,
        entry_id: str | None = None,
        question: str | None = None,
    ) -> AssembledContext:
        """What the model is sent at the end of an active path, at an entry, or at the leaf, with a question or without.

        Raises InvalidActivePath, InvalidInput.
        """
        if question is not None:
            check_text(question, "question", max_chars=self._max_question_chars, required=False)
        if active_path is not None and entry_id is not None:
            raise InvalidInput("Give activePath or entryId, not both.", "entryId")
        if active_path is not None:
            view = await self._storage.view(session_id, tip_id=active_path[-1] if active_path else None)
        else:
            view = await self._storage.view_at(session_id, entry_id)
            running = await self._storage.running_answer(entry_id) if entry_id and view and not view.path else None
            if running is not None:
                # It has no entry yet, and is being sent what stands above it.
                view, entry_id = await self._storage.view_at(session_id, running.question_id), running.question_id
        if view is None or view.session.owner != who.owner:
            raise NotFound("session", session_id)
        if active_path is not None:
            await check_active_path(self._storage, view, active_path)
        elif entry_id is not None and not (view.path and view.path[-1].session_id == session_id):
            raise NotFound("entry", entry_id)
        return self._ask.context(view.session, view.path, question, view.state)

    async def _nodes(self, node_ids: Sequence[str]) -> dict[str, DialogueNode]:
        if len(node_ids) > MAX_NODES:
            raise InvalidInput(f"{len(node_ids):,} ids; at most {MAX_NODES} at a time.", "nodeIds")
        return await self._storage.nodes(list(dict.fromkeys(node_ids)))

    async def children(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Ids of the nodes below each node. For nodes the caller was given: ownership is not looked up again."""
        return await self._storage.children(ids)

    async def turn_entries(self, nodes: Sequence[DialogueNode]) -> dict[str, list[Entry]]:
        """The entries of nodes, oldest first, by node id. For nodes the caller was given."""
        entries = await self._storage.turn_entries(sorted({node.entry_id for node in nodes}))
        return {node.node_id: entries.get(node.entry_id, []) for node in nodes}


def _sequence(cursor: str | None) -> str | None:
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 12):
        raise InvalidInput("The cursor is not of this list.", "after")
    return cursor
