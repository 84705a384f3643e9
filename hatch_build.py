"""Completes what is packed: the built web page goes into a wheel and into an sdist, and into a wheel also the Cypher
folder, the schema and the folder for Neo4j Browser, which lie elsewhere in the checkout.

An sdist has the page so that nobody who installs from it needs Node. An editable install gets nothing: copies would go
stale, `graph_session.resources` finds the originals, and `make` builds the page.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEAST_NODE = (20, 19)
NOT_SOURCES = {"node_modules", "generated"}


class CompletePackage(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        if not os.environ.get("GRAPH_SESSION_SKIP_WEB") and not _is_in_step(Path(self.root)):
            if lack := _lack_of_node():
                self.app.abort(
                    f"The web page has to be built, and {lack}. Install Node 20.19 or newer with npm, "
                    "or set GRAPH_SESSION_SKIP_WEB=1 for a package without the page."
                )
            _build(Path(self.root, "web"))
        if self.target_name == "wheel":
            for path in ("cypher", "schema.graphql", "docs/neo4j-browser"):
                build_data["force_include"][str(Path(self.root, path))] = f"graph_session/{Path(path).name}"


def _is_in_step(root: Path) -> bool:
    """Whether the page is there, and nothing it was built from is newer."""
    page = root / "graph_session" / "web" / "index.html"
    if not page.is_file():
        return False
    # What was unpacked from an sdist has the times of the unpacking.
    if (root / "PKG-INFO").is_file():
        return True
    built = page.stat().st_mtime
    return all(source.stat().st_mtime <= built for source in (root / "schema.graphql", *_files(root / "web")))


def _files(folder: Path) -> Iterator[Path]:
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        yield from (Path(path, name) for name in names)


def _lack_of_node() -> str | None:
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        return f"there is no {' and no '.join(missing)}"
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < LEAST_NODE:
        return f"Node {version} is too old for that"
    return None


def _build(web: Path) -> None:
    subprocess.run(["npm", "ci", "--no-progress"], cwd=web, check=True)
    # So that `make` need not do it again.
    (web / "node_modules" / "installed").touch()
    subprocess.run(["npm", "run", "build"], cwd=web, check=True)
