"""The use cases on the storages that need no engine, through a restart where there is something to come back to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from pydantic import SecretStr

from graph_session.domain.entries import SummaryState
from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from graph_session.runtime import Services, open_services
from graph_session.services.sessions import ForkPosition
from graph_session.settings import Settings
from graph_session.storage.jsonl import JsonlStorage
from graph_session.storage.protocol import ANYWHERE

WHO = Principal("somebody")


def _settings(home: Path, storage: Literal["jsonl", "memory"]) -> Settings:
    return Settings(storage=storage, home=home, provider="offline", token=SecretStr(new_id()))


async def _converse(services: Services) -> tuple[str, list[str], str]:
    """Five turns, and another second one: the session, the path of the five, and the id of the other."""
    session = await services.sessions.create(WHO, config={"linear_threshold": 4, "keep_raw_count": 1})
    path: list[str] = []
    for number in range(5):
        asked = await services.ask.ask(WHO, session.id, path, f"Question {number}?")
        path.append(asked.node.node_id)
    second = await services.tree.node(WHO, path[1])
    forked = await services.sessions.fork(WHO, session.id, second.question_id or "", ForkPosition.BEFORE, ANYWHERE)
    back = await services.tree.active_path(WHO, session.id)
    assert (back, forked.edit_text) == (path[:1], "Question 1?")
    other = await services.ask.ask(WHO, session.id, back, "Another question?")
    return session.id, path, other.node.node_id


async def _summarised(services: Services, node_id: str) -> str:
    for _ in range(500):
        summary = (await services.tree.node(WHO, node_id)).summary
        if summary.state is SummaryState.DONE:
            return summary.anchor_summary or ""
        await asyncio.sleep(0.02)
    raise TimeoutError(f"no summary of {node_id}")


@pytest.mark.parametrize("storage", ["jsonl", "memory"])
async def test_ask_fork_and_summarise(tmp_path: Path, storage: Literal["jsonl", "memory"]) -> None:
    async with open_services(_settings(tmp_path, storage)) as services:
        session_id, path, other = await _converse(services)
        assert "Question 0?" in await _summarised(services, path[0]), "two turns stand below it"
        assert await services.tree.active_path(WHO, session_id) == [path[0], other]
        assert (await services.tree.children([path[0]]))[path[0]] == [path[1], other]
        context = await services.tree.context(WHO, session_id, active_path=path)
        assert context.boundary_id is not None


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    settings = _settings(tmp_path, "jsonl")
    async with open_services(settings) as services:
        session_id, path, other = await _converse(services)
        for node_id in (path[0], path[3]):
            await _summarised(services, node_id)
        before = await services.tree.context(WHO, session_id, active_path=path)
        session = await services.sessions.get(WHO, session_id)
    async with open_services(settings) as services:
        assert await services.sessions.get(WHO, session_id) == session
        assert await services.tree.context(WHO, session_id, active_path=path) == before
        assert await services.tree.active_path(WHO, session_id) == [path[0], other]
        asked = await services.ask.ask(WHO, session_id, path, "And then?")
        assert asked.node.parent_node_id == path[-1]
        assert isinstance(services.storage, JsonlStorage)
        assert await services.storage.check_files() == []
