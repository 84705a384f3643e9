"""Sessions."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.domain import sessions as domain
from graph_session.domain.ids import parse_timestamp


@strawberry.type(description="When a session summarises, and what it keeps raw.")
class SessionConfig:
    linear_threshold: int = strawberry.field(description="Turns since the last anchor that make a new one due.")
    keep_raw_count: int = strawberry.field(description="Turns at the end of a path that are always sent as written.")
    anchor_budget_tokens: int = strawberry.field(description="Most tokens of an anchor's text.")
    reserve_tokens: int
    keep_recent_tokens: int


@strawberry.type(description="One conversation tree.")
class Session:
    session: strawberry.Private[domain.Session]
    id: strawberry.ID
    name: str | None
    owner: str
    created_at: datetime
    updated_at: datetime
    leaf_id: strawberry.ID | None = strawberry.field(description="The entry where the user stands.")
    revision: int = strawberry.field(description="Grows with every change.")
    node_count: int
    entry_count: int
    system_prompt: str | None
    config: SessionConfig

    @strawberry.field(description="The model that answers: the session's own, else the server's choice.")
    def model(self, info: ApiInfo) -> str:
        return self.session.model or info.context.services.model.answer_model

    @strawberry.field(description="The first dialogue node.")
    async def root_node_id(self, info: ApiInfo) -> strawberry.ID | None:
        root = await info.context.services.tree.root_node_id(self.session)
        return None if root is None else strawberry.ID(root)

    @classmethod
    def of(cls, session: domain.Session) -> Session:
        """The GraphQL object of a session."""
        return cls(
            session=session,
            id=strawberry.ID(session.id),
            name=session.name,
            owner=session.owner,
            created_at=parse_timestamp(session.created_at),
            updated_at=parse_timestamp(session.updated_at),
            leaf_id=None if session.leaf_id is None else strawberry.ID(session.leaf_id),
            revision=session.revision,
            node_count=session.node_count,
            entry_count=session.entry_count,
            system_prompt=session.system_prompt,
            config=SessionConfig(**asdict(session.config)),
        )
