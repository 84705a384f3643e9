"""What is known of models, in one data file, `catalogue.json`.

The file maps a model id to `window` (tokens) and, where known, `usd_per_million_tokens` with `input`, `output`,
`cache_read` and `cache_write`. A file of the user's own in the same form adds to it and goes before it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from graph_session.domain.catalogue import Catalogue


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
