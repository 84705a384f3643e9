"""One storage after the other, for the contract that all of them keep. One that joins gets a name in `STORAGES`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graph_session.storage.graph.store import open_graph
from graph_session.storage.protocol import SessionStorage
from tests.support.engines import ENGINES, EnginePool

STORAGES = ENGINES


@pytest.fixture(scope="session", params=STORAGES)
async def storage(request: pytest.FixtureRequest, engine_pool: EnginePool) -> AsyncIterator[SessionStorage]:
    """Each storage in turn, shared by all tests, which stay apart by using sessions of their own."""
    opened = await open_graph(engine_pool.shared(request.param).endpoint)
    yield opened
    await opened.close()
