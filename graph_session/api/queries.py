"""The queries. What does not exist, or is somebody else's, is null; other failures are errors with a code."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import strawberry
from strawberry.scalars import JSON

from graph_session.api.connection import Connection, decode_cursor, encode_cursor, page_size
from graph_session.api.context import ApiInfo
from graph_session.api.inspection import InspectionQueries
from graph_session.api.types.assembled_context import AssembledContext
from graph_session.api.types.entry import Entry, entry_of
from graph_session.api.types.export import ExportPage
from graph_session.api.types.model import ModelInfo
from graph_session.api.types.node import DialogueNode
from graph_session.api.types.session import Session
from graph_session.api.types.state import BranchComparison, SessionState
from graph_session.api.types.usage import BranchUsage, Usage
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.outline import COLUMNS, MARK_COLUMNS
from graph_session.domain.state import THINKING_LEVELS

T = TypeVar("T")
_OUTLINE_PAGE = 5000


@strawberry.type
class Query(InspectionQueries):
    @strawberry.field
    async def session(self, info: ApiInfo, id: strawberry.ID) -> Session | None:
        found = await _or_none(info.context.services.sessions.get(info.context.principal, id))
        return None if found is None else Session.of(found)

    @strawberry.field(description="Your sessions whose names contain the query, the one used last first.")
    async def sessions(
        self, info: ApiInfo, first: int | None = 20, after: str | None = None, query: str | None = None
    ) -> Connection[Session]:
        page = await info.context.services.sessions.list(
            info.context.principal, query or "", decode_cursor(after), page_size(first, default=20)
        )
        return Connection.of(page, Session.of, after=after)

    @strawberry.field
    async def entry(self, info: ApiInfo, id: strawberry.ID) -> Entry | None:
        found = await _or_none(info.context.services.tree.entry(info.context.principal, id))
        return None if found is None else entry_of(found)

    @strawberry.field
    async def node(self, info: ApiInfo, node_id: strawberry.ID) -> DialogueNode | None:
        found = await _or_none(info.context.services.tree.node(info.context.principal, node_id))
        return None if found is None else DialogueNode.of(found)

    @strawberry.field(description="Up to 500 nodes, in the order of their ids here; null for what is not there.")
    async def nodes(self, info: ApiInfo, node_ids: list[strawberry.ID]) -> list[DialogueNode | None]:
        found = await info.context.services.tree.nodes(info.context.principal, node_ids)
        return [None if node is None else DialogueNode.of(node) for node in found]

    @strawberry.field(description="All dialogue nodes of a session, in the order of creation.")
    async def all_nodes(
        self, info: ApiInfo, session_id: strawberry.ID, first: int | None = 200, after: str | None = None
    ) -> Connection[DialogueNode]:
        page = await info.context.services.tree.all_nodes(
            info.context.principal, session_id, decode_cursor(after), page_size(first)
        )
        return Connection.of(page, DialogueNode.of, after=after)

    @strawberry.field(
        description="The tree for drawing, up to 5,000 nodes at a time, or of up to 500 nodes those that are there: "
        "{columns, rows, markColumns, marks, cursor, hasNext, nodeCount}. Marks are the compactions and branch "
        "summaries, each with the node that it stands below."
    )
    async def tree_outline(
        self,
        info: ApiInfo,
        session_id: strawberry.ID,
        after: str | None = None,
        node_ids: list[strawberry.ID] | None = None,
    ) -> JSON:
        tree, who = info.context.services.tree, info.context.principal
        if node_ids is not None and after is not None:
            raise InvalidInput("Give after or nodeIds, not both.", "after")
        if node_ids is not None:
            page, cursor = await tree.outline_of(who, session_id, node_ids), None
        else:
            page = await tree.outline(who, session_id, decode_cursor(after), _OUTLINE_PAGE)
            cursor = encode_cursor(page.cursors[-1]) if page.cursors else after
        return JSON(
            {
                "columns": COLUMNS,
                "rows": page.items,
                "markColumns": MARK_COLUMNS,
                "marks": page.marks,
                "cursor": cursor,
                "hasNext": page.has_next,
                "nodeCount": page.total,
            }
        )

    @strawberry.field(description="A node and those at most `depth` below it, in the order of creation.")
    async def subtree(
        self,
        info: ApiInfo,
        node_id: strawberry.ID,
        depth: int | None = 3,
        first: int | None = 200,
        after: str | None = None,
    ) -> Connection[DialogueNode]:
        page = await info.context.services.tree.subtree(
            info.context.principal, node_id, 3 if depth is None else depth, decode_cursor(after), page_size(first)
        )
        return Connection.of(page, DialogueNode.of, after=after)

    @strawberry.field(description="An entry and those above it, nearest first.")
    async def path_to_root(
        self, info: ApiInfo, entry_id: strawberry.ID, first: int | None = 200, after: str | None = None
    ) -> Connection[Entry]:
        page = await info.context.services.tree.path_to_root(
            info.context.principal, entry_id, decode_cursor(after), page_size(first)
        )
        return Connection.of(page, entry_of, after=after)

    @strawberry.field(description="The node ids from the root to the leaf: what a client sends back in ask.")
    async def active_path(self, info: ApiInfo, session_id: strawberry.ID) -> list[strawberry.ID]:
        path = await info.context.services.tree.active_path(info.context.principal, session_id)
        return [strawberry.ID(node_id) for node_id in path]

    @strawberry.field(description="The nearest summary anchor at or above a node that has its text.")
    async def nearest_anchor(self, info: ApiInfo, node_id: strawberry.ID) -> DialogueNode | None:
        found = await info.context.services.tree.nearest_anchor(info.context.principal, node_id)
        return None if found is None else DialogueNode.of(found)

    @strawberry.field(
        description="What the model would be sent: after an active path, at an entry, or (neither given) at the leaf."
    )
    async def context(
        self,
        info: ApiInfo,
        session_id: strawberry.ID,
        active_path: list[strawberry.ID] | None = None,
        entry_id: strawberry.ID | None = None,
        question: str | None = None,
    ) -> AssembledContext:
        context = await info.context.services.tree.context(
            info.context.principal,
            session_id,
            active_path=active_path,
            entry_id=entry_id,
            question=question,
        )
        return AssembledContext.of(context)

    @strawberry.field(description="Model, thinking level, tools, name and labels as of an entry.")
    async def state_at(self, info: ApiInfo, entry_id: strawberry.ID) -> SessionState:
        state, session = await info.context.services.changes.state_at(info.context.principal, entry_id)
        return SessionState.of(state, session.model or info.context.services.model.answer_model)

    @strawberry.field(description="What changeModel and a session's model can be, by id.")
    def models(self, info: ApiInfo) -> list[ModelInfo]:
        services = info.context.services
        provider, default = services.model.provider, services.model.answer_model
        return [ModelInfo.of(model, provider, default) for model in services.catalogue.of(provider, default)]

    @strawberry.field(description="What changeThinkingLevel can be given, from none to the most.")
    def thinking_levels(self) -> list[str]:
        return list(THINKING_LEVELS)

    @strawberry.field(
        description="A session's file of JSON lines, as `graph-session export` writes it, in pages of about 1 MB; the "
        "file is their texts joined."
    )
    async def export_session(self, info: ApiInfo, session_id: strawberry.ID, after: str | None = None) -> ExportPage:
        return ExportPage.of(
            await info.context.services.exchange.export_page(info.context.principal, session_id, decode_cursor(after))
        )

    @strawberry.field(description="Two branches, each by a node or entry of it.")
    async def compare_branches(self, info: ApiInfo, a: strawberry.ID, b: strawberry.ID) -> BranchComparison:
        return BranchComparison.of(await info.context.services.branches.compare(info.context.principal, a, b))

    @strawberry.field(description="Tokens and cost from the root to a node or entry, and of its whole session.")
    async def usage(self, info: ApiInfo, node_id: strawberry.ID) -> BranchUsage:
        path, session = await info.context.services.branches.costs(info.context.principal, node_id)
        return BranchUsage(path=Usage.of(path.usage, path.cost_usd), session=Usage.of(session.usage, session.cost_usd))


async def _or_none(work: Awaitable[T]) -> T | None:
    try:
        return await work
    except NotFound:
        return None
