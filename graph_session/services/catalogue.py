"""What the use cases need to know of models, wherever that comes from."""

from __future__ import annotations

from typing import Protocol

from graph_session.domain.content import Usage


class Catalogue(Protocol):
    """Windows and prices of models by id; `models.catalogue` has them from a file."""

    def window(self, model: str) -> int:
        """Tokens that fit a model's context."""
        ...

    def cost_usd(self, model: str | None, usage: Usage) -> float | None:
        """What a call cost, in US dollars; None for a model whose prices are not known."""
        ...
