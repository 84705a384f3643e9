"""Reading the tree: views for a question, nodes, paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from graph_session.domain.answers import node_of_answer
from graph_session.domain.content import Usage
from graph_session.domain.context import is_boundary
from graph_session.domain.entries import BranchSummary, Entry, EntryType, Role, StopReason, SummaryState
from graph_session.domain.jsonform import body_from_json
from graph_session.domain.nodes import DialogueNode, NodeStatus, node_of_entry, status_of
from graph_session.domain.outline import MARK_TYPES, TEXT_CHARS, Row, mark_row, row_of
from graph_session.domain.sessions import Session
from graph_session.domain.state import fold
from graph_session.storage.graph.answers import GraphAnswers, request_key
from graph_session.storage.graph.records import (
    answer_from,
    entry_from,
    path_from,
    position,
    question_from,
    sequence_of,
    session_from,
)
from graph_session.storage.protocol import NodeCheck, OutlinePage, Page, View

T = TypeVar("T")
PAGE = 1000
_USAGE_PAGE = 20_000


class GraphTree(GraphAnswers):
    async def view(self, session_id: str, *, tip_id: str | None, request_id: str | None = None) -> View | None:
        key = request_key(session_id, request_id) if request_id else ""
        return await self._view(session_id, tip_id=tip_id or "", request_key=key)

    async def view_at(self, session_id: str, entry_id: str | None) -> View | None:
        return await self._view(session_id, entry_id=entry_id or "", at_leaf=entry_id is None)

    async def _view(
        self, session_id: str, *, tip_id: str = "", entry_id: str = "", at_leaf: bool = False, request_key: str = ""
    ) -> View | None:
        row = await self._db.row(
            "context_view",
            session_id=session_id,
            tip_id=tip_id,
            entry_id=entry_id,
            at_leaf=at_leaf,
            request_key=request_key,
        )
        if row is None or row["session"]["deleted"]:
            return None
        session = session_from(row["session"])
        nodes = [row["start"], *row["path"]] if row["start"] else []
        path = path_from(nodes, row["parent_id"])
        while path and path[0].place.depth > 0 and not _reaches(path, session.config.keep_raw_count):
            above = await self.path_page(path[0].id, PAGE)
            path = [*reversed(above[1:]), *path]
        return View(
            session=session,
            leaf=entry_from(row["leaf"], None) if row["leaf"] else None,
            tip=entry_from(row["tip"], None) if row["tip"] else None,
            path=tuple(path),
            earlier=row["request"]["request_answer_id"] if row["request"] else None,
            state=fold(entry_from(node, None) for node in row["changes"]),
        )

    async def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        row = await self._db.row("entry_read", ids=list(ids))
        found = [entry_from(node["entry"], node["parent_id"]) for node in (row["entries"] if row else [])]
        return {entry.id: entry for entry in found}

    async def nodes(self, ids: Sequence[str]) -> dict[str, DialogueNode]:
        row = await self._db.row("node_read", ids=list(ids))
        found: dict[str, DialogueNode] = {}
        for node in row["nodes"] if row else []:
            if node["entry"]:
                if node["entry"]["is_node"]:
                    found[node["entry"]["id"]] = _node(node)
            elif node["answer"] and node["asked"]:
                answer = answer_from(node["answer"])
                found[answer.id] = node_of_answer(answer, question_from(node["asked"]))
        return found

    async def node_page(self, session: Session, after: str | None, first: int) -> Page[DialogueNode]:
        page, _ = await self._pages(session, after, first, "node_window", _placed_node, lambda node: node)
        return page

    async def outline_page(self, session: Session, after: str | None, first: int) -> OutlinePage:
        page, windows = await self._pages(
            session,
            after,
            first,
            "node_outline",
            _placed_row,
            row_of,
            text_chars=TEXT_CHARS,
            mark_types=list(MARK_TYPES),
        )
        until = int(page.cursors[-1]) if page.has_next else None
        marks = _marks([mark for window in windows for mark in window["marks"]], until)
        return OutlinePage(page.items, page.cursors, page.has_next, page.total, marks)

    async def marks_below(self, ids: Sequence[str]) -> list[Row]:
        row = await self._db.row("marks_below", ids=list(ids), mark_types=list(MARK_TYPES))
        return _marks(row["marks"] if row else [])

    async def _pages(
        self,
        session: Session,
        after: str | None,
        first: int,
        statement: str,
        decode: Callable[[Any], tuple[int, T]],
        form: Callable[[DialogueNode], T],
        **parameters: Any,
    ) -> tuple[Page[T], list[Mapping[str, Any]]]:
        """Windows of the order of creation until the page is full, running answers at the places they will keep; and
        what was read of each window."""
        nodes = [node_of_answer(answer, question) for answer, question in await self.running(session.id)]
        running = [(node.sequence, form(node)) for node in nodes]
        found: list[tuple[int, T]] = []
        windows: list[Mapping[str, Any]] = []
        low = -1 if after is None else int(after)
        width = 2 * (first + 1)
        while len(found) <= first and low < session.next_sequence:
            high, width = low + width, 2 * width
            row = await self._db.row(
                statement, after=position(session.id, low), until=position(session.id, high), **parameters
            )
            windows += [row] if row else []
            window = [decode(node) for node in (row["nodes"] if row else [])]
            # An answer may have become an entry since the running ones were read.
            written = {sequence for sequence, _ in window}
            window += [placed for placed in running if low < placed[0] <= high and placed[0] not in written]
            found += sorted(window, key=lambda placed: placed[0])
            low = high
        shown = found[:first]
        cursors = [str(sequence) for sequence, _ in shown]
        return Page([node for _, node in shown], cursors, len(found) > first, session.node_count), windows

    async def entries_between(self, session_id: str, types: Sequence[EntryType], after: int, until: int) -> list[Entry]:
        low, high = position(session_id, after), position(session_id, until)
        row = await self._db.row("entry_typed", types=list(types), after=low, until=high)
        return [entry_from(node, None) for node in (row["entries"] if row else [])]

    async def children(self, ids: Sequence[str]) -> dict[str, list[str]]:
        rows = await self._db.rows("node_children", ids=list(ids))
        below: dict[str, dict[str, None]] = {node_id: {} for node_id in ids}
        for row in sorted(rows, key=lambda row: row["position"]):
            below[row["parent"]][row["id"]] = None
        return {node_id: list(found) for node_id, found in below.items()}

    async def turn_entries(self, ids: Sequence[str]) -> dict[str, list[Entry]]:
        rows = await self._db.rows("node_entries", ids=list(ids))
        return {row["id"]: path_from(row["entries"], row["parent_id"]) for row in rows}

    async def path_page(self, entry_id: str, limit: int) -> list[Entry]:
        row = await self._db.row("path_page", entry_id=entry_id, limit=limit)
        return [] if row is None else path_from(row["entries"], row["parent_id"])[::-1]

    async def active_path(self, entry_id: str) -> list[str]:
        end = await self._db.row("path_end", entry_id=entry_id)
        if end is None:
            return []
        ids, wanted = [], end["node_id"]
        if end["running"]:
            ids, wanted = [wanted], end["running_below"]
        at: str | None = entry_id
        while wanted is not None and at is not None:
            row = await self._db.row("path_nodes", entry_id=at, limit=PAGE)
            if row is None:
                break
            for entry_above, above in row["entries"]:
                if entry_above == wanted:
                    ids.append(entry_above)
                    wanted = above
            at = row["parent_id"]
        return ids[::-1]

    async def path_of_types(self, entry_id: str, types: Sequence[EntryType]) -> list[Entry]:
        found: list[Entry] = []
        at: str | None = entry_id
        while at is not None:
            row = await self._db.row("path_typed", entry_id=at, types=list(types), limit=PAGE)
            if row is None:
                break
            found += [entry_from(node, None) for node in row["entries"]]
            at = row["next_id"]
        return found[::-1]

    async def path_usage(self, entry_id: str) -> dict[str | None, Usage]:
        sums: dict[str | None, Usage] = {}
        at: str | None = entry_id
        while at is not None:
            row = await self._db.row("path_usage", entry_id=at, limit=PAGE)
            if row is None:
                break
            _add_usages(sums, row["usages"])
            at = row["next_id"]
        return sums

    async def session_usage(self, session: Session) -> dict[str | None, Usage]:
        sums: dict[str | None, Usage] = {}
        for low in range(-1, session.next_sequence, _USAGE_PAGE):
            until = position(session.id, low + _USAGE_PAGE)
            row = await self._db.row("session_usage", after=position(session.id, low), until=until)
            _add_usages(sums, row["usages"] if row else [])
        return sums

    async def common_ancestor(self, a: str, b: str) -> str | None:
        ends = await self.entries([a, b])
        if len({a, b} & ends.keys()) < len({a, b}):
            return None
        deep, high = sorted((ends[a], ends[b]), key=lambda entry: -entry.place.depth)
        deep_id: str | None = await self._above(deep.id, deep.place.depth - high.place.depth)
        high_id: str | None = high.id
        while deep_id is not None and high_id is not None:
            row = await self._db.row("path_common", a_id=deep_id, b_id=high_id, limit=PAGE)
            if row is None or row["common_id"] is not None:
                return None if row is None else str(row["common_id"])
            deep_id, high_id = await self._above(row["a_id"], 1), await self._above(row["b_id"], 1)
        return None

    async def _above(self, entry_id: str, hops: int) -> str | None:
        at: str | None = entry_id
        while hops > 0 and at is not None:
            step = min(hops, PAGE)
            row = await self._db.row("path_up", entry_id=at, hops=step)
            at, hops = (None if row is None else str(row["id"])), hops - step
        return at

    async def check_nodes(self, ids: Sequence[str]) -> dict[str, NodeCheck]:
        row = await self._db.row("node_check", ids=list(ids))
        return {
            node["id"]: NodeCheck(
                session_id=node["session_id"],
                node_above=node["node_above"],
                is_node=node["is_node"],
                running=node["running"],
            )
            for node in (row["nodes"] if row else [])
        }

    async def nearest_anchor(self, entry_id: str) -> DialogueNode | None:
        at: str | None = entry_id
        while at is not None:
            row = await self._db.row("anchor_nearest", entry_id=at)
            if row is None:
                return None
            if row["entry"]["is_summary_anchor"] and row["entry"]["is_boundary"]:
                return _node(row)
            at = row["entry"]["id"] if row["entry"]["depth"] > 0 else None
        return None


def _add_usages(sums: dict[str | None, Usage], rows: Sequence[Sequence[Any]]) -> None:
    for model, *tokens in rows:
        sums[model] = sums.get(model, Usage()).plus(Usage(*tokens))


def _reaches(path: Sequence[Entry], keep_raw: int) -> bool:
    """Whether a path goes up far enough to assemble a context from it."""
    boundary = next((entry for entry in reversed(path) if is_boundary(entry)), None)
    if boundary is None:
        return False
    if boundary.place.kept_depth is not None:
        return path[0].place.depth <= boundary.place.kept_depth
    turns = path[-1].place.turns_above + (path[-1].place.question_id is not None or path[-1].ends_turn)
    return path[0].place.turns_above < turns - keep_raw


def _node(row: Mapping[str, Any]) -> DialogueNode:
    question = question_from(row["question"]) if row["question"] else None
    return node_of_entry(entry_from(row["entry"], None), question)


def _placed_node(row: Mapping[str, Any]) -> tuple[int, DialogueNode]:
    node = _node(row)
    return node.sequence, node


def _placed_row(row: Sequence[Any]) -> tuple[int, Row]:
    at, node_id, parent, stop_reason, role, is_anchor, state, text, label = row
    status = NodeStatus.UNANSWERED if role == Role.USER else status_of(StopReason(stop_reason) if stop_reason else None)
    shown: Row = [node_id, parent, status.value, is_anchor, state or SummaryState.NONE.value, text, label]
    return sequence_of(at), shown


def _marks(rows: Sequence[Sequence[Any]], until: int | None = None) -> list[Row]:
    placed = sorted((sequence_of(at), mark) for at, *mark in rows)
    return [_mark(*mark) for at, mark in placed if until is None or at <= until]


def _mark(entry_id: str, node_above: str | None, kind: str, data: str | None) -> Row:
    body = body_from_json(EntryType.BRANCH_SUMMARY, orjson.loads(data)) if data else None
    return mark_row(entry_id, node_above, EntryType(kind), body.scope if isinstance(body, BranchSummary) else None)
