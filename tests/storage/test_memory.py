"""What is special about the memory storage: its clock, its streams, and that depth is no matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.answers import Piece
from graph_session.domain.entries import Entry
from graph_session.storage.memory import MemoryStorage
from graph_session.storage.memory.tree import extended, growth
from tests.domain.trees import turns
from tests.storage.desk import OWNER, Desk, claim, due
from tests.storage.test_agreement import Clock

pieces = st.lists(st.builds(Piece, st.text("ab🌳", max_size=3), st.booleans()), max_size=5)


@given(pieces, pieces)
def test_a_stream_is_what_was_kept_and_what_has_come_since(kept: list[Piece], new: list[Piece]) -> None:
    after, more = growth(kept, new)
    assert extended(kept, after, more) == tuple(new)


def test_of_a_stream_that_grows_only_the_growth_is_told() -> None:
    kept = [Piece("hm", True), Piece("Be", False)]
    assert growth(kept, [kept[0], Piece("Because", False)]) == (4, (Piece("cause", False),))
    assert growth(kept, [*kept, Piece("so", True)]) == (4, (Piece("so", True),))
    assert growth(kept, kept) == (4, ())
    assert growth(kept, [Piece("other", False)]) == (0, (Piece("other", False),))


async def test_leases_go_by_the_clock_that_was_given() -> None:
    clock = Clock()
    storage = MemoryStorage(now=clock)
    desk = await Desk.fresh(storage)
    _, running = await desk.begin(None, lease_seconds=60)
    clock.seconds += 59
    assert await storage.expired_answers(OWNER) == []
    clock.seconds += 2
    assert [found.answer.id for found in await storage.expired_answers(OWNER)] == [running.id]


async def test_work_is_due_by_the_clock_that_was_given() -> None:
    clock = Clock()
    storage = MemoryStorage(now=clock)
    desk = await Desk.fresh(storage)
    line = desk.line(turns(1))
    await storage.append(desk.id, [line[0], due(line[1])])
    await storage.fail_summary(await claim(storage, "w"), "overloaded", 30)
    assert await storage.claim_summary("w", 60) is None
    clock.seconds += 31
    assert (await claim(storage, "w")).attempts == 2


@pytest.fixture(scope="module")
async def deep() -> tuple[MemoryStorage, list[Entry]]:
    storage = MemoryStorage()
    desk = await Desk.fresh(storage)
    line = desk.line(turns(50_000))
    await storage.append(desk.id, line)
    return storage, line


async def test_a_hundred_thousand_entries_in_one_path(deep: tuple[MemoryStorage, list[Entry]]) -> None:
    storage, line = deep
    assert len(await storage.path_page(line[-1].id, 200_000)) == 100_000
    view = await storage.view_at(line[0].session_id, None)
    assert view is not None
    assert len(view.path) == 100_000
    assert await storage.nearest_anchor(line[-1].id) is None
    assert (await storage.active_path(line[-1].id))[0] == line[1].id
