"""Puts the Cypher folder and the schema, which lie at the top of the checkout, inside the package of a wheel.

An editable install gets neither: it would be a copy that goes stale, and `graph_session.resources` finds
the originals.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CarryTopLevelFiles(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        for name in ("cypher", "schema.graphql"):
            build_data["force_include"][str(Path(self.root, name))] = f"graph_session/{name}"
