"""One stand-in for all tests of models, forgotten between them, and a model that asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from graph_session.models.anthropic import AnthropicModel
from tests.support.anthropic_standin import API_KEY, AnthropicStandin


@pytest.fixture(scope="session")
def running_standin() -> Iterator[AnthropicStandin]:
    with AnthropicStandin() as standin:
        yield standin


@pytest.fixture
def standin(running_standin: AnthropicStandin) -> AnthropicStandin:
    running_standin.reset()
    return running_standin


@pytest.fixture(scope="session")
async def running_model(running_standin: AnthropicStandin) -> AsyncIterator[AnthropicModel]:
    model = AnthropicModel(
        API_KEY,
        base_url=running_standin.url,
        answer_model="claude-sonnet-5-5",
        summary_model="claude-haiku-5-5",
        idle_timeout=0.4,
        timeout=3,
        max_retries=0,
    )
    yield model
    await model.close()


@pytest.fixture
def model(standin: AnthropicStandin, running_model: AnthropicModel) -> AnthropicModel:
    return running_model
