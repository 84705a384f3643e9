"""The engines that are measured, each with nothing in it, from start to stop."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from graph_session.runtime import open_services
from graph_session.services import Services
from graph_session.settings import Settings
from tests.support.neo4j_server import RELEASES, Neo4jServer

EMBEDDED = "embedded"
ENGINES = (EMBEDDED, *(f"neo4j-{release}" for release in RELEASES))


def title(engine: str) -> str:
    """The engine with its version."""
    if engine == EMBEDDED:
        return f"embedded engine (arcadedb {version('arcadedb')})"
    return f"Neo4j {RELEASES[engine.removeprefix('neo4j-')].version} (Community, heap 512 MB, on this machine)"


@asynccontextmanager
async def started(engine: str) -> AsyncIterator[Services]:
    """The use cases on an empty engine, with the offline model; summaries are made by hand. Raises EngineMissing."""
    async with AsyncExitStack() as stack:
        if engine == EMBEDDED:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            settings = Settings(home=home, neo4j_uri=None, provider="offline")
        else:
            server = stack.enter_context(Neo4jServer.start(RELEASES[engine.removeprefix("neo4j-")]))
            settings = Settings(neo4j_uri=server.endpoint.uri, neo4j_password="", provider="offline")
        yield await stack.enter_async_context(open_services(settings, workers=0))
