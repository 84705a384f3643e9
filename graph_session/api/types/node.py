"""Dialogue nodes: turns, as a client draws them."""

from __future__ import annotations

import strawberry

from graph_session.api.connection import Connection, Edge
from graph_session.api.context import ApiInfo
from graph_session.api.types.entry import Entry, entry_of
from graph_session.api.types.usage import Usage
from graph_session.domain import nodes as domain
from graph_session.domain.entries import SummaryKind, SummaryState
from graph_session.domain.nodes import NodeStatus

strawberry.enum(NodeStatus, description="RUNNING nodes already carry the id that their answer will have.")
strawberry.enum(SummaryKind, description="What a summary condenses.")


@strawberry.type(description="A turn: a question and all that answers it.")
class DialogueNode:
    node: strawberry.Private[domain.DialogueNode]
    node_id: strawberry.ID
    parent_node_id: strawberry.ID | None
    user_content: str
    ai_content: str
    create_time: float = strawberry.field(description="When it was asked, milliseconds since 1970.")
    status: NodeStatus
    is_summary_anchor: bool
    anchor_summary: str | None = strawberry.field(description="All from the root up to and including this, condensed.")
    node_summary: str | None = strawberry.field(description="This turn, condensed.")
    summary_state: SummaryState
    summary_error: str | None
    label: str | None
    model: str | None
    error: str | None = strawberry.field(description="Why the answer failed.")

    @strawberry.field(description="In the order of creation.")
    async def children_node_ids(self, info: ApiInfo) -> list[strawberry.ID]:
        return [strawberry.ID(child) for child in await info.context.loaders.children.load(self.node.node_id)]

    @strawberry.field(
        description="Of the call that ended the turn; `usage` of the branch counts an agent's other calls too."
    )
    def usage(self, info: ApiInfo) -> Usage | None:
        return Usage.priced(self.node.usage, self.node.model, info.context.services.catalogue)

    @strawberry.field(description="The turn's entries, oldest first.")
    async def entries(self, info: ApiInfo) -> list[Entry]:
        return [entry_of(entry) for entry in await info.context.loaders.turn_entries.load(self.node)]

    @classmethod
    def of(cls, node: domain.DialogueNode) -> DialogueNode:
        """The GraphQL object of a node."""
        return cls(
            node=node,
            node_id=strawberry.ID(node.node_id),
            parent_node_id=None if node.parent_node_id is None else strawberry.ID(node.parent_node_id),
            user_content=node.user_content,
            ai_content=node.ai_content,
            create_time=node.created_ms,
            status=node.status,
            is_summary_anchor=node.summary.is_anchor,
            anchor_summary=node.summary.anchor_summary,
            node_summary=node.summary.node_summary,
            summary_state=node.summary.state,
            summary_error=node.summary.error,
            label=node.label,
            model=node.model,
            error=node.error,
        )


DialogueNodeConnection = Connection[DialogueNode]
DialogueNodeEdge = Edge[DialogueNode]
