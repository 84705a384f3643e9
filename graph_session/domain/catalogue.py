"""What is known of models (context windows, prices), and what calls of them have used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, Message

_PRICED = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_tokens",
    "cache_write": "cache_write_tokens",
}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that can answer. Prices in US dollars a million tokens, None where they are not known."""

    id: str
    window: int
    input_usd: float | None
    output_usd: float | None


class Catalogue:
    """Models by id; a provider before the id (`anthropic/…`) is not part of it.

    `default_window`: tokens, for models that are not known.
    """

    def __init__(self, models: Mapping[str, Mapping[str, Any]], default_window: int) -> None:
        self._models = models
        self._default_window = default_window

    def window(self, model: str) -> int:
        """Tokens that fit a model's context."""
        return int(self._known(model).get("window", self._default_window))

    def cost_usd(self, model: str | None, usage: Usage) -> float | None:
        """What a call cost, in US dollars; None for a model whose prices are not known."""
        prices = self._known(model or "").get("usd_per_million_tokens")
        if prices is None:
            return None
        cost: float = sum(prices.get(name, 0.0) * getattr(usage, field) for name, field in _PRICED.items())
        return cost / 1_000_000

    def of(self, provider: str, *more: str) -> list[ModelInfo]:
        """A provider's models, by their ids, and these too."""
        known = {model for model, facts in self._models.items() if facts.get("provider") == provider}
        return [self._info(model) for model in sorted(known.union(more))]

    def _info(self, model: str) -> ModelInfo:
        prices = self._known(model).get("usd_per_million_tokens") or {}
        return ModelInfo(model, self.window(model), prices.get("input"), prices.get("output"))

    def _known(self, model: str) -> Mapping[str, Any]:
        return self._models.get(model.rpartition("/")[2], {})


def usage_by_model(entries: Iterable[Entry]) -> dict[str | None, Usage]:
    """The tokens of the model calls among entries, by model."""
    sums: dict[str | None, Usage] = {}
    for entry in entries:
        if isinstance(entry.body, Message) and entry.body.usage is not None:
            sums[entry.body.model] = sums.get(entry.body.model, Usage()).plus(entry.body.usage)
    return sums
