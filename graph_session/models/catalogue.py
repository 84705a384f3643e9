"""What is known of models, in one data file, `catalogue.json`.

The file maps a model id to `window` (tokens) and, where known, `usd_per_million_tokens` with `input`, `output`,
`cache_read` and `cache_write`; `provider` is who answers with it, Anthropic if it is left out. A file of the user's own
in the same form adds to it, and each fact there goes before the one here.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from graph_session.domain.catalogue import Catalogue
from graph_session.models.anthropic_form import PROVIDER


def load_catalogue(own: Path | None, default_window: int) -> Catalogue:
    """The catalogue, with a file of the user's own. Raises ValueError, with a message, where that cannot be read."""
    models: dict[str, Any] = orjson.loads((files("graph_session.models") / "catalogue.json").read_bytes())
    if own is not None:
        try:
            added = orjson.loads(own.read_bytes())
        except (OSError, ValueError) as error:
            raise ValueError(f"the model catalogue {own} cannot be read: {error}") from error
        if not isinstance(added, dict) or not all(isinstance(facts, dict) for facts in added.values()):
            raise ValueError(f"the model catalogue {own} must be a JSON object of models, each an object")
        models |= {model: models.get(model, {}) | facts for model, facts in added.items()}
    return Catalogue({model: {"provider": PROVIDER, **facts} for model, facts in models.items()}, default_window)
