"""Puts the Cypher folder, the schema and the folder for Neo4j Browser, which lie elsewhere in the checkout, inside the
package of a wheel.

An editable install gets none of them: it would be a copy that goes stale, and `graph_session.resources` finds
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
        for path in ("cypher", "schema.graphql", "docs/neo4j-browser"):
            build_data["force_include"][str(Path(self.root, path))] = f"graph_session/{Path(path).name}"
