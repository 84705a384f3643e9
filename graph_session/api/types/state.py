"""State at an entry, and branches compared."""

from __future__ import annotations

import strawberry

from graph_session.api.types.node import DialogueNode
from graph_session.api.types.usage import Usage
from graph_session.domain import state as domain
from graph_session.services import branches as service


@strawberry.type(description="A label, and the entry that carries it.")
class EntryLabel:
    entry_id: strawberry.ID
    label: str


@strawberry.type(description="What holds at an entry: a fold over the path from the root to it.")
class SessionState:
    provider: str | None
    model_id: str = strawberry.field(description="The model that answers here.")
    thinking_level: str
    active_tools: list[str] | None = strawberry.field(description="Null where none were ever set.")
    name: str | None
    labels: list[EntryLabel]

    @classmethod
    def of(cls, state: domain.SessionState, default_model: str) -> SessionState:
        """The GraphQL object of a state; `default_model` answers where no model change stands above."""
        return cls(
            provider=state.provider,
            model_id=state.model_id or default_model,
            thinking_level=state.thinking_level or domain.THINKING_OFF,
            active_tools=None if state.active_tools is None else list(state.active_tools),
            name=state.name,
            labels=[
                EntryLabel(entry_id=strawberry.ID(entry_id), label=label) for entry_id, label in state.labels.items()
            ],
        )


@strawberry.type(description="What is on only one of two branches, oldest first, and what it has cost.")
class BranchComparison:
    common_ancestor: strawberry.ID | None = strawberry.field(description="The last node of both; null: none.")
    only_a: list[DialogueNode]
    only_b: list[DialogueNode]
    usage_a: Usage
    usage_b: Usage

    @classmethod
    def of(cls, comparison: service.Comparison) -> BranchComparison:
        """The GraphQL object of a comparison."""
        ancestor = comparison.common_ancestor
        return cls(
            common_ancestor=None if ancestor is None else strawberry.ID(ancestor),
            only_a=[DialogueNode.of(node) for node in comparison.only_a],
            only_b=[DialogueNode.of(node) for node in comparison.only_b],
            usage_a=Usage.of(comparison.cost_a.usage, comparison.cost_a.cost_usd),
            usage_b=Usage.of(comparison.cost_b.usage, comparison.cost_b.cost_usd),
        )
