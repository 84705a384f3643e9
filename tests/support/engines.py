"""A pytest plugin: the three engines, each started when a test first wants it, and kept until the run ends.

`endpoint` is shared between tests, which stay apart by using fresh sessions. `empty_endpoint` holds nothing,
neither data nor schema, and belongs to one test at a time. For engines that cannot run on this machine see
`tests.support.lacking`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from neo4j import GraphDatabase

from graph_session.storage.engines import EmbeddedEngine, Endpoint
from tests.support.lacking import Lacking
from tests.support.neo4j_server import RELEASES, EngineMissing, Neo4jServer

EMBEDDED = "embedded"
ENGINES = (EMBEDDED, *(f"neo4j-{release}" for release in RELEASES))


@dataclass(frozen=True, slots=True)
class RunningEngine:
    """An engine that answers. `command` runs its own SQL in-process, and `browser` is the address of its Neo4j Browser,
    where there is such a thing."""

    name: str
    endpoint: Endpoint
    command: Callable[[str], list[dict[str, Any]]] | None = None
    browser: str | None = None


class EnginePool:
    """Starts engines on demand and stops them all in `close`. What cannot run, and why, goes to `lacking`."""

    def __init__(self, homes: Callable[[], Path], lacking: Lacking) -> None:
        self._homes = homes
        self._lacking = lacking
        self._stack = ExitStack()
        self._shared: dict[str, RunningEngine] = {}
        self._emptied: dict[str, RunningEngine] = {}

    def shared(self, name: str) -> RunningEngine:
        """The engine that all tests use. Skips or fails the test if it cannot run."""
        return self._started(name, self._shared)

    def empty(self, name: str, stack: ExitStack) -> RunningEngine:
        """An engine with nothing in it, for the test that owns `stack`. Skips or fails like `shared`."""
        if name == EMBEDDED:
            return self._embedded(stack)
        engine = self._started(name, self._emptied)
        _wipe(engine.endpoint)
        return engine

    def _started(self, name: str, running: dict[str, RunningEngine]) -> RunningEngine:
        self._lacking.check(name)
        if name not in running:
            try:
                running[name] = self._embedded(self._stack) if name == EMBEDDED else self._neo4j(name)
            except EngineMissing as missing:
                self._lacking.give_up(name, str(missing))
        return running[name]

    def _embedded(self, stack: ExitStack) -> RunningEngine:
        engine = stack.enter_context(EmbeddedEngine.start(self._homes()))
        return RunningEngine(EMBEDDED, engine.endpoint, engine.command)

    def _neo4j(self, name: str) -> RunningEngine:
        server = self._stack.enter_context(Neo4jServer.start(RELEASES[name.removeprefix("neo4j-")]))
        return RunningEngine(name, server.endpoint, browser=server.browser)

    def close(self) -> None:
        self._stack.close()


def _wipe(endpoint: Endpoint) -> None:
    with (
        GraphDatabase.driver(endpoint.uri) as driver,
        driver.session(database=endpoint.database) as session,
    ):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()
        for name in session.run("SHOW CONSTRAINTS YIELD name").value():
            session.run(f"DROP CONSTRAINT `{name}`").consume()
        # Neo4j's own token lookup indexes are there from the start and stay.
        for name in session.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name").value():
            session.run(f"DROP INDEX `{name}`").consume()


@pytest.fixture(scope="session")
def engine_pool(lacking: Lacking, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnginePool]:
    pool = EnginePool(lambda: tmp_path_factory.mktemp("home"), lacking)
    yield pool
    pool.close()


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, engine_pool: EnginePool) -> RunningEngine:
    """Each engine in turn, shared by all tests."""
    return engine_pool.shared(request.param)


@pytest.fixture(scope="session")
def endpoint(engine: RunningEngine) -> Endpoint:
    """The endpoint of `engine`."""
    return engine.endpoint


@pytest.fixture(params=ENGINES)
def empty_engine(request: pytest.FixtureRequest, engine_pool: EnginePool) -> Iterator[RunningEngine]:
    """Each engine in turn, with neither data nor schema, for this test alone."""
    with ExitStack() as stack:
        yield engine_pool.empty(request.param, stack)


@pytest.fixture
def empty_endpoint(empty_engine: RunningEngine) -> Endpoint:
    """The endpoint of `empty_engine`."""
    return empty_engine.endpoint
