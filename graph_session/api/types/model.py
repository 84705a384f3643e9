"""Models that can be chosen."""

from __future__ import annotations

import strawberry

from graph_session.domain import catalogue as domain


@strawberry.type(description="A model that answers here.")
class ModelInfo:
    id: strawberry.ID
    provider: str
    window: int = strawberry.field(description="Tokens that fit its context.")
    is_default: bool = strawberry.field(description="It answers where neither session nor path names another.")
    input_usd_per_million: float | None = strawberry.field(description="Null where the price is not known.")
    output_usd_per_million: float | None

    @classmethod
    def of(cls, model: domain.ModelInfo, provider: str, default: str) -> ModelInfo:
        """The GraphQL object of a provider's model; `default` is the id of the one that is the settings' choice."""
        return cls(
            id=strawberry.ID(model.id),
            provider=provider,
            window=model.window,
            is_default=model.id == default,
            input_usd_per_million=model.input_usd,
            output_usd_per_million=model.output_usd,
        )
