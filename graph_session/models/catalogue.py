"""What is known of models: their context windows and prices, in one data file, `catalogue.json`.

The file maps a model id to `window` (tokens) and, where known, `usd_per_million_tokens` with `input`, `output`,
`cache_read` and `cache_write`. A file of the user's own in the same form adds to it and goes before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from graph_session.domain.content import Usage

_PRICED = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_tokens",
    "cache_write": "cache_write_tokens",
}


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

    def _known(self, model: str) -> Mapping[str, Any]:
        return self._models.get(model.rpartition("/")[2], {})


def load_catalogue(own: Path | None, default_window: int) -> Catalogue:
    """The catalogue, with a file of the user's own. Raises ValueError, with a message, where that cannot be read."""
    models: dict[str, Any] = orjson.loads((files("graph_session.models") / "catalogue.json").read_bytes())
    if own is not None:
        try:
            added = orjson.loads(own.read_bytes())
        except (OSError, ValueError) as error:
            raise ValueError(f"the model catalogue {own} cannot be read: {error}") from error
        if not isinstance(added, dict):
            raise ValueError(f"the model catalogue {own} must be a JSON object of models")
        models |= added
    return Catalogue(models, default_window)
