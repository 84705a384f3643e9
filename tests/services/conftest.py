"""The use cases on an embedded engine and in memory, with the stand-in for a model; summaries are made when a test says
so. What they do must not depend on the storage, so each test runs on both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import SecretStr

from graph_session.runtime import Services, open_services
from graph_session.settings import Settings
from tests.services.world import World
from tests.support.anthropic_standin import API_KEY, AnthropicStandin


@pytest.fixture(scope="session")
def services_standin() -> Iterator[AnthropicStandin]:
    with AnthropicStandin() as standin:
        yield standin


@pytest.fixture(scope="session", params=["graph", "memory"])
async def services(
    request: pytest.FixtureRequest, services_standin: AnthropicStandin, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Services]:
    """`claude-opus-5` has a large window; `claude-opus-4-8` is in no catalogue here and has a small one."""
    settings = Settings(
        storage=request.param,
        home=tmp_path_factory.mktemp("services"),
        anthropic_api_key=SecretStr(API_KEY),
        anthropic_base_url=services_standin.url,
        model="claude-opus-5",
        default_window=4096,
        summary_workers=0,
    )
    async with open_services(settings) as opened:
        yield opened


@pytest.fixture
async def world(services: Services, services_standin: AnthropicStandin) -> World:
    services_standin.reset()
    world = World(services, services_standin)
    # What other tests have left to be summarised would be made by this one.
    await world.summarise()
    services_standin.reset()
    return world
