"""Token usage."""

from __future__ import annotations

import strawberry

from graph_session.domain import content
from graph_session.domain.catalogue import Catalogue


@strawberry.type(description="Tokens of model calls, as the provider reported them.")
class Usage:
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None = strawberry.field(description="Null where a model's price is not known.")

    @classmethod
    def of(cls, usage: content.Usage, cost_usd: float | None) -> Usage:
        """The GraphQL object of a usage and what it cost."""
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_tokens,
            cache_write_tokens=usage.cache_write_tokens,
            cost_usd=cost_usd,
        )

    @classmethod
    def priced(cls, usage: content.Usage | None, model: str | None, catalogue: Catalogue) -> Usage | None:
        """The usage of one call of a model."""
        return None if usage is None else cls.of(usage, catalogue.cost_usd(model, usage))


@strawberry.type(description="What the model calls of answers have taken; those that make summaries are not counted.")
class BranchUsage:
    path: Usage = strawberry.field(description="From the root to the node.")
    session: Usage = strawberry.field(description="Of the whole session, all branches.")
