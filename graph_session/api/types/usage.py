"""Token usage."""

from __future__ import annotations

import strawberry

from graph_session.domain import content


@strawberry.type(description="Tokens of model calls, as the provider reported them.")
class Usage:
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int

    @classmethod
    def of(cls, usage: content.Usage | None) -> Usage | None:
        """The GraphQL object of a usage."""
        if usage is None:
            return None
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_tokens,
            cache_write_tokens=usage.cache_write_tokens,
        )
