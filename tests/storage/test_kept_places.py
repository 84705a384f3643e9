"""Ids and places that are kept for running answers, and what is found of them when a session is verified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_session.domain.entries import Compaction
from graph_session.domain.nodes import NodeStatus
from graph_session.domain.principal import Principal
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import write_under
from graph_session.domain.verify import Problem
from graph_session.services.reaper import Reaper
from graph_session.services.verify import VerifyService
from graph_session.storage.jsonl import JsonlStorage
from graph_session.storage.protocol import Duplicate, SessionStorage
from tests.domain.trees import NOON, answer, note, question, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk


async def problems(desk: Desk) -> tuple[Problem, ...]:
    return (await VerifyService(desk.storage).verify(Principal("somebody"), desk.id)).problems


def compaction(first_kept: str) -> Compaction:
    return Compaction(summary="before", first_kept_entry_id=first_kept, tokens_before=9)


async def test_the_id_of_a_running_answer_is_taken_and_the_answer_finishes(storage: SessionStorage) -> None:
    desk, other = await Desk.fresh(storage), await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    for at in (desk, other):
        before = await at.counts()
        top = first if at is desk else None
        new = at.entry(top, note())
        taken = write_under(new, id=running.id, session_id=at.id, timestamp=NOON, body=note())
        with pytest.raises(Duplicate):
            await storage.append(at.id, [new, taken])
        assert await at.counts() == before
        assert await storage.entries([new.id]) == {}
    entry = desk.ended(asked, running)
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is not None
    assert (await desk.read(entry.id)).body == entry.body
    assert await problems(desk) == ()
    assert await problems(other) == ()


async def test_an_answer_that_cannot_be_closed_does_not_keep_the_others_open(
    storage: SessionStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    desks = [await Desk.fresh(storage) for _ in range(3)]
    begun = [(await desk.begin(None, owner="gone", lease_seconds=0))[1] for desk in desks]
    finish = storage.finish_answer

    async def refuse_one(entry: Any, **options: Any) -> Any:
        if entry.id == begun[1].id:
            raise Duplicate("there is an entry of this id")
        return await finish(entry, **options)

    told: list[str] = []
    reaper = Reaper(storage, "here", lease_seconds=60, runs_here=lambda _: False, on_change=told.append)
    with monkeypatch.context() as patched:
        patched.setattr(storage, "finish_answer", refuse_one)
        assert await reaper.run_once() >= 2
    nodes = await storage.nodes([running.id for running in begun])
    interrupted, running = NodeStatus.INTERRUPTED, NodeStatus.RUNNING
    assert [nodes[it.id].status for it in begun] == [interrupted, running, interrupted]
    assert {desks[0].id, desks[2].id} <= set(told)
    assert desks[1].id not in told
    await reaper.run()
    assert (await storage.nodes([begun[1].id]))[begun[1].id].status is interrupted


async def test_an_answer_below_a_later_compaction_stands_behind_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    asked, running = await desk.begin(line[-1])
    made = desk.entry(asked, compaction(line[2].id))
    made = replace(made, place=replace(made.place, kept_depth=2))
    await storage.append(desk.id, [made], move_leaf=False)
    assert await problems(desk) == ()
    entry = desk.ended(made, running)
    session = await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS)
    assert session is not None
    assert session.leaf_id == entry.id
    read, above = await desk.read(entry.id), await desk.read(made.id)
    assert (read.parent_id, read.place) == (made.id, entry.place)
    assert above.sequence < read.sequence < session.next_sequence
    assert await problems(desk) == ()
    # What comes next has a place of its own.
    last = await desk.ask(entry)
    assert (await desk.read(last.id)).sequence > read.sequence
    page = await storage.node_page(await desk.session(), None, 9)
    assert [node.node_id for node in page.items] == [line[1].id, line[3].id, entry.id, last.id]
    assert await problems(desk) == ()


async def test_a_file_opened_again_has_every_node_once_in_the_same_order(tmp_path: Path) -> None:
    storage = JsonlStorage(tmp_path)
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    (made,) = desk.line([compaction(asked.id)], asked)
    await storage.append(desk.id, [made], move_leaf=False)
    entry = desk.ended(made, running)
    await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS)
    await storage.close()
    again = Desk(JsonlStorage(tmp_path), desk.id)
    page = await again.storage.node_page(await again.session(), None, 9)
    assert [node.node_id for node in page.items] == [first.id, entry.id]
    assert await problems(again) == ()
    last = await again.ask(await again.read(entry.id))
    assert (await again.read(last.id)).sequence > (await again.read(entry.id)).sequence
    await again.storage.close()


async def test_an_unanswered_question_with_several_turns_below_it_is_no_anchor(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (asked,) = await desk.write([question()])
    for number in range(2):
        following, running = await desk.begin(asked, f"and {number}?", superseded=asked.id)
        await storage.finish_answer(desk.ended(following, running), owner=OWNER, marks=Marks(asked.id, ()))
    line = desk.line([question("third?"), answer()], asked)
    await storage.append(desk.id, line, marks=Marks(asked.id, ()))
    read = await desk.read(asked.id)
    assert (read.is_node, read.summary.is_anchor, read.summary.kind) == (True, False, None)
    assert await problems(desk) == ()


async def test_a_compaction_that_names_itself_keeps_nothing_and_is_in_order(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(1))
    own_id = line[-1].id[:-4] + "self"
    made = write_under(line[-1], id=own_id, session_id=desk.id, timestamp=NOON, body=compaction(own_id))
    made = replace(made, place=replace(made.place, kept_depth=made.place.depth))
    await storage.append(desk.id, [made])
    assert await problems(desk) == ()
    (off_path,) = await desk.write([compaction(made.id)], line[-1])
    assert [(it.code, it.entry_id) for it in await problems(desk)] == [("KEPT_ENTRY_OFF_PATH", off_path.id)]
