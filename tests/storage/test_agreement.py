"""Storages agree on every answer, whatever is done: memory is the model; files say the same after a restart."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from graph_session.storage.graph.store import open_graph
from graph_session.storage.jsonl import JsonlStorage
from graph_session.storage.memory import MemoryStorage
from tests.storage.compare import compare
from tests.storage.play import Play, Step, steps
from tests.support.engines import EMBEDDED, EnginePool


@dataclass
class Clock:
    """A clock that goes on by a second with every step."""

    seconds: float = 1_796_000_000.0

    def __call__(self) -> float:
        return self.seconds


@settings(max_examples=60, deadline=None)
@given(steps)
def test_files_say_what_memory_says_also_after_a_restart(done: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_with_files(Path(home), done))


async def _with_files(home: Path, done: list[Step]) -> None:
    clock = Clock()
    files = JsonlStorage(home, now=clock)
    play = Play([MemoryStorage(now=clock), files])
    for number, step in enumerate(done):
        await play.do(step)
        clock.seconds += 1 if number % 7 else 90
        if number % 11 == 10:
            files = await _restarted(files, home, clock)
            play.storages[1] = files
    await compare(play)
    files = await _restarted(files, home, clock)
    play.storages[1] = files
    await compare(play)
    assert await files.check_files() == []
    await files.close()


async def _restarted(files: JsonlStorage, home: Path, clock: Clock) -> JsonlStorage:
    await files.close()
    return JsonlStorage(home, now=clock)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


# Without shrinking, which takes minutes against a database; the failing case is short enough to read.
@settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(done=steps)
def test_the_graph_says_what_memory_says(engine_pool: EnginePool, loop: asyncio.Runner, done: list[Step]) -> None:
    endpoint = engine_pool.shared(EMBEDDED).endpoint

    async def both() -> None:
        graph = await open_graph(endpoint)
        try:
            while (job := await graph.claim_summary("drain", 60)) is not None:
                await graph.finish_summary(job, "drained", "echo")
            play = Play([MemoryStorage(), graph], masked=frozenset({"updated_at"}))
            for step in done:
                await play.do(step)
            await compare(play)
            for session_id in play.sessions:
                await graph.delete_session(session_id)
        finally:
            await graph.close()

    loop.run(both())
