"""What cannot be brought about from outside a process: readers that are slow, and an outage longer than a lease."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import Message, Role
from graph_session.domain.errors import StorageUnavailable
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.sessions import Session
from graph_session.domain.turns import write_under
from graph_session.services.feed import ChangeFeed
from graph_session.services.live import LiveAnswer
from graph_session.services.reaper import Reaper
from graph_session.storage.protocol import ExpiredAnswer
from tests.api.support import until


async def test_a_reader_that_is_slow_gets_the_end_of_the_answer() -> None:
    live = LiveAnswer("a")
    live.add("one ", False)
    reading = live.read(0)
    got = [await anext(reading)]
    # While the reader is busy with that, the rest comes and the answer is stored.
    live.add("two ", False)
    live.add("hm", True)
    ended: Any = object()
    live.end(ended)
    got += [item async for item in reading]
    assert "".join(piece.text for _, piece in got) == "one two hm"
    assert [number for number, _ in got] == [4, 8, 10]
    assert [item async for item in live.read(7)] == [(8, Piece(" ", False)), (10, Piece("hm", True))]


class Leases:
    """A storage of expired answers that can be away."""

    def __init__(self, answers: Iterable[ExpiredAnswer]) -> None:
        self.answers = list(answers)
        self.away = False
        self.pings = 0

    def _check(self) -> None:
        if self.away:
            raise StorageUnavailable

    async def ping(self) -> None:
        self._check()
        self.pings += 1

    async def forget_ended_answers(self) -> None:
        self._check()

    async def expired_answers(self, owner: str) -> list[ExpiredAnswer]:
        self._check()
        return list(self.answers)

    async def finish_answer(self, entry: Any, **_: object) -> Session | None:
        self._check()
        [found] = [found for found in self.answers if found.answer.id == entry.id]
        self.answers.remove(found)
        return Session(id=entry.session_id, owner="o", created_at="", updated_at="")


def expired() -> ExpiredAnswer:
    """An answer whose lease has run out."""
    now = timestamp_now()
    question = write_under(None, id=new_id(), session_id="s", timestamp=now, body=Message(role=Role.USER, content=()))
    answer = RunningAnswer(
        id=new_id(), session_id="s", question_id=question.id, node_above=None, owner="x", model="m", started=now
    )
    return ExpiredAnswer(answer, question)


def reaper(storage: Any, *, ours: Sequence[str] = (), lease: float = 0.5) -> Reaper:
    return Reaper(
        storage, "me", lease_seconds=lease, runs_here=lambda answer_id: answer_id in ours, on_change=lambda _: None
    )


async def test_an_answer_of_this_process_is_not_taken_for_abandoned() -> None:
    mine, other = expired(), expired()
    storage = Leases([mine, other])
    await reaper(storage, ours=[mine.answer.id]).run()
    assert storage.answers == [mine]


async def test_after_an_outage_the_owners_get_time_to_renew() -> None:
    storage = Leases([])
    storage.away = True
    at_work = reaper(storage)
    at_work.start()
    try:
        await asyncio.sleep(1.5)
        storage.away = False
        storage.answers.append(expired())
        await until(lambda: storage.pings)
        assert len(storage.answers) == 1
        await until(lambda: not storage.answers)
    finally:
        await at_work.close()


async def test_what_one_watcher_claims_to_have_seen_is_nothing_to_another() -> None:
    class Revisions:
        async def revisions(self, ids: Sequence[str]) -> dict[str, int]:
            return dict.fromkeys(ids, 5)

    storage: Any = Revisions()
    feed = ChangeFeed(storage, poll_seconds=0.01)
    ahead, behind = feed.watch("s", 10**6), feed.watch("s", 4)
    waiting = asyncio.ensure_future(anext(ahead))
    await asyncio.sleep(0.05)
    assert await asyncio.wait_for(anext(behind), 5) == 5
    assert not waiting.done()
    waiting.cancel()
    await asyncio.wait([waiting])
    await behind.aclose()
    await feed.close()
