from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.support import Server
from tests.support.anthropic_standin import API_KEY, AnthropicStandin
from tests.support.engines import EMBEDDED, ENGINES, EnginePool

# Storages that need no engine, as GRAPH_SESSION_STORAGE names them.
FILES, MEMORY = "jsonl", "memory"
NEO4J = tuple(engine for engine in ENGINES if engine != EMBEDDED)


def place(engine: str, pool: EnginePool, home: Path) -> dict[str, str]:
    """The settings that put a server's data on an engine: an embedded one is the server's own, in its home."""
    if engine in (FILES, MEMORY):
        return {"GRAPH_SESSION_STORAGE": engine, "GRAPH_SESSION_HOME": str(home)}
    if engine == EMBEDDED:
        return {"GRAPH_SESSION_HOME": str(home)}
    return {"NEO4J_URI": pool.shared(engine).endpoint.uri}


def asking(standin: AnthropicStandin) -> dict[str, str]:
    """The settings that have a server ask the stand-in."""
    return {"ANTHROPIC_API_KEY": API_KEY, "ANTHROPIC_BASE_URL": standin.url}


@pytest.fixture(scope="module", params=(MEMORY, FILES, *ENGINES))
def data(
    request: pytest.FixtureRequest, engine_pool: EnginePool, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Each engine in turn, as settings."""
    return place(request.param, engine_pool, tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def server(data: dict[str, str]) -> Iterator[Server]:
    """A server with the offline model on each engine."""
    with Server(data) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The settings of an embedded engine with nothing in it."""
    return {"GRAPH_SESSION_HOME": str(tmp_path / "home")}


@pytest.fixture
def newest_neo4j(engine_pool: EnginePool) -> dict[str, str]:
    """One Neo4j, as settings."""
    return place(NEO4J[-1], engine_pool, Path())


@pytest.fixture
def standin() -> Iterator[AnthropicStandin]:
    """A stand-in for the Messages API."""
    with AnthropicStandin() as standin:
        yield standin


@pytest.fixture
def anthropic(standin: AnthropicStandin) -> dict[str, str]:
    """The settings that have a server ask `standin`."""
    return asking(standin)
