"""A context as a client sees it: what the model is sent, and where each part comes from."""

from __future__ import annotations

import strawberry
from strawberry.scalars import JSON

from graph_session.domain import context as domain
from graph_session.domain.content import block_to_json
from graph_session.domain.context import ContextSource

strawberry.enum(ContextSource, description="What a message of a context was made from.")


@strawberry.type(description="One message of a context.")
class ContextMessage:
    role: str
    text: str
    content: JSON
    source: ContextSource
    entry_ids: list[strawberry.ID]
    node_id: strawberry.ID | None
    tokens: int = strawberry.field(description="Estimated.")
    cache_breakpoint: bool = strawberry.field(description="What comes up to here stays the same for the next question.")


@strawberry.type(description="An entry of the path, or a part of one, that the model is not sent.")
class OmittedEntry:
    entry_id: strawberry.ID
    reason: str


@strawberry.type(description="What the model is sent for a place in the tree.")
class AssembledContext:
    system: str | None
    model: str
    messages: list[ContextMessage]
    boundary_id: strawberry.ID | None = strawberry.field(description="Where the walk up stopped; null: at the root.")
    total_tokens: int = strawberry.field(description="Estimated tokens of this context.")
    full_history_tokens: int = strawberry.field(description="Estimated tokens of sending the whole path.")
    omitted: list[OmittedEntry]

    @classmethod
    def of(cls, context: domain.AssembledContext) -> AssembledContext:
        """The GraphQL object of a context."""
        return cls(
            system=context.system,
            model=context.model,
            messages=[_message(message) for message in context.messages],
            boundary_id=None if context.boundary_id is None else strawberry.ID(context.boundary_id),
            total_tokens=context.total_tokens,
            full_history_tokens=context.full_history_tokens,
            omitted=[OmittedEntry(entry_id=strawberry.ID(o.entry_id), reason=o.reason) for o in context.omitted],
        )


def _message(message: domain.ContextMessage) -> ContextMessage:
    return ContextMessage(
        role=message.role,
        text=message.text,
        content=JSON([block_to_json(block) for block in message.content]),
        source=message.source,
        entry_ids=[strawberry.ID(entry_id) for entry_id in message.entry_ids],
        node_id=None if message.node_id is None else strawberry.ID(message.node_id),
        tokens=message.tokens,
        cache_breakpoint=message.cache_breakpoint,
    )
