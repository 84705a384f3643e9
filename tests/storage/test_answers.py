"""The contract for questions and running answers."""

from __future__ import annotations

import asyncio

import pytest

from graph_session.domain.answers import Piece
from graph_session.domain.entries import Entry, SummaryKind, SummaryState
from graph_session.domain.errors import LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import NodeStatus
from graph_session.domain.triggers import Marks
from graph_session.storage.protocol import Duplicate, SessionStorage
from tests.domain.trees import failed, note, question, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk


async def test_a_question_is_written_at_once_and_its_node_runs(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None, "Why 🌳?")
    session = await desk.session()
    assert (session.leaf_id, session.entry_count, session.node_count) == (asked.id, 1, 1)
    assert (await desk.read(asked.id)).body == question("Why 🌳?")
    node = (await storage.nodes([running.id]))[running.id]
    assert (node.status, node.user_content, node.ai_content) == (NodeStatus.RUNNING, "Why 🌳?", "")
    assert (node.parent_node_id, node.question_id, node.model) == (None, asked.id, "echo")
    found = await storage.running_answer(running.id)
    assert found is not None
    assert (found.id, found.owner, found.question_id, found.sequence) == (running.id, OWNER, asked.id, 1)


async def test_a_finished_answer_is_an_entry_in_the_place_that_was_kept_for_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None)
    await desk.write([note("meanwhile")], asked)
    entry = desk.ended(asked, running)
    await storage.move_leaf(desk.id, asked.id, (await desk.session()).leaf_id)
    session = await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS)
    assert session is not None
    assert (session.leaf_id, session.entry_count, session.node_count) == (entry.id, 3, 1)
    read = await desk.read(entry.id)
    assert (read.body, read.place, read.hash, read.parent_id) == (entry.body, entry.place, entry.hash, asked.id)
    assert read.sequence == 1
    assert await storage.running_answer(running.id) is None
    assert (await storage.nodes([entry.id]))[entry.id].status is NodeStatus.DONE
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is None


async def test_a_user_who_has_moved_on_is_not_taken_back(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    await storage.move_leaf(desk.id, first.id, asked.id)
    session = await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert session is not None
    assert session.leaf_id == first.id


async def test_a_question_that_lost_the_race_for_the_leaf_is_not_written(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    before = await desk.counts()
    for expected in (None, new_id()):
        with pytest.raises(LeafConflict) as caught:
            await desk.begin(first, expected_leaf=expected)
        assert caught.value.leaf_id == first.id
    assert await desk.counts() == before
    assert await storage.running(desk.id) == []
    asked, _ = await desk.begin(first, expected_leaf=first.id)
    assert (await desk.session()).leaf_id == asked.id


async def test_the_first_question_may_expect_that_there_is_no_leaf(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, _ = await desk.begin(None, expected_leaf=None)
    assert (await desk.session()).leaf_id == asked.id


async def test_the_same_request_asks_only_once(storage: SessionStorage) -> None:
    desk, other = await Desk.fresh(storage), await Desk.fresh(storage)
    _, running = await desk.begin(None, request_id="r1")
    before = await desk.counts()
    with pytest.raises(Duplicate):
        await desk.begin(None, request_id="r1")
    assert await desk.counts() == before
    assert (await desk.view(None, "r1")).earlier == running.id
    assert (await desk.view(None, "r2")).earlier is None
    assert (await other.view(None, "r1")).earlier is None
    await other.begin(None, request_id="r1")


async def test_the_same_request_at_the_same_time_asks_only_once(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    outcomes = await asyncio.gather(*(desk.begin(None, request_id="r") for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(outcome, Duplicate) for outcome in outcomes) == 5
    assert (await desk.session()).entry_count == 1


async def test_one_more_answer_to_the_same_question_is_a_sibling(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    one = await desk.ask(first)
    asked = await desk.read((await desk.read(one.id)).parent_id or "")
    running = desk.running(asked)
    session = await storage.begin_again(running, lease_seconds=60)
    assert session.leaf_id == asked.id
    entry = desk.ended(asked, running)
    await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS)
    assert await storage.children([first.id]) == {first.id: [one.id, entry.id]}
    assert (await desk.session()).node_count == 3
    with pytest.raises(NotFound):
        await storage.begin_again(desk.running(desk.entry(None, question())), lease_seconds=60)


async def test_answering_an_imported_question_does_not_make_a_second_node(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (asked,) = await desk.write([question()])
    running = desk.running(asked)
    assert (await storage.begin_again(running, lease_seconds=60)).node_count == 1
    assert not (await desk.read(asked.id)).is_node
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert (await desk.session()).node_count == 1
    assert [node.node_id for node in (await storage.node_page(await desk.session(), None, 9)).items] == [running.id]


async def test_a_question_that_several_others_follow_is_answered_again(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (asked,) = await desk.write([question()])
    following = [(await desk.write([question(f"and {number}?")], asked))[0] for number in range(3)]
    running = desk.running(asked)
    session = await storage.begin_again(running, lease_seconds=60)
    assert (session.leaf_id, session.node_count) == (asked.id, 5)
    assert (await desk.read(asked.id)).is_node
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert await storage.children([asked.id]) == {asked.id: [entry.id for entry in following]}


async def test_a_question_left_open_by_the_next_one_becomes_a_node_of_its_own(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, _ = await desk.write(turns(1))
    session = await storage.move_leaf(desk.id, asked.id, (await desk.session()).leaf_id)
    assert session.node_count == 1
    following, running = await desk.begin(asked, superseded=asked.id)
    assert following.place.node_above == asked.id
    assert (await desk.read(asked.id)).is_node
    session = await desk.session()
    assert session.node_count == 3
    assert await storage.children([asked.id]) == {asked.id: [running.id]}


async def test_text_that_has_come_can_be_read_by_others(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    _, running = await desk.begin(None)
    pieces = (Piece("hm 🌳", True), Piece("Be\n'cause\"", False))
    assert await storage.renew_answer(running.id, OWNER, pieces, 60) is False
    assert await storage.renew_answer(running.id, "somebody else", [], 60) is None
    found = await storage.running_answer(running.id)
    assert found is not None
    assert found.partial == pieces
    assert (await storage.nodes([running.id]))[running.id].ai_content == "Be\n'cause\""
    ((shown, asked),) = await storage.running(desk.id)
    assert (shown.id, shown.partial, asked.text) == (running.id, pieces, "Why?")


async def test_a_cancel_reaches_the_owner_with_the_next_renewal(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None)
    assert await storage.cancel_answer(running.id) is True
    assert await storage.renew_answer(running.id, OWNER, [], 60) is True
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert await storage.cancel_answer(running.id) is False


async def test_nobody_but_the_owner_finishes_an_answer(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None)
    before = await desk.counts()
    entry = desk.ended(asked, running)
    assert await storage.finish_answer(entry, owner="somebody else", marks=NO_MARKS) is None
    assert await desk.counts() == before
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS, expired=True) is None, "its lease runs"
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is not None


async def _expired(storage: SessionStorage, owner: str, desk: Desk) -> list[str]:
    return [found.answer.id for found in await storage.expired_answers(owner) if found.answer.session_id == desk.id]


async def test_an_answer_whose_lease_ran_out_is_found_and_closed(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None, owner="gone", lease_seconds=0)
    await storage.renew_answer(running.id, "gone", [Piece("half", False)], 0)
    await asyncio.sleep(0.01)
    (found,) = [e for e in await storage.expired_answers(OWNER) if e.answer.session_id == desk.id]
    assert found.answer.partial == (Piece("half", False),)
    assert (found.question.id, found.question.hash) == (asked.id, asked.hash)
    entry = desk.ended(asked, running, failed("half"))
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is None, "not without saying so"
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS, expired=True) is not None
    assert await _expired(storage, OWNER, desk) == []
    assert await storage.finish_answer(entry, owner="gone", marks=NO_MARKS) is None, "the late owner has lost it"


async def test_an_answer_whose_lease_is_renewed_is_not_expired(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    _, running = await desk.begin(None, lease_seconds=0)
    await storage.renew_answer(running.id, OWNER, [], 60)
    await asyncio.sleep(0.01)
    assert await _expired(storage, OWNER, desk) == []
    others = await _expired(storage, "another process", desk)
    assert others == ([running.id] if storage.exclusive else []), "only one process can be alive on an exclusive one"


async def _summary(desk: Desk, entry: Entry) -> tuple[SummaryState, SummaryKind | None, bool]:
    summary = (await desk.read(entry.id)).summary
    return summary.state, summary.kind, summary.is_anchor


async def test_a_second_finished_turn_below_a_node_makes_that_node_an_anchor(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    parent = await desk.ask(None)
    await desk.ask(parent, body=failed("broken"))
    await desk.ask(parent)
    assert await _summary(desk, parent) == (SummaryState.NONE, None, False), "a failed turn is no branch"
    await desk.ask(parent)
    assert await _summary(desk, parent) == (SummaryState.PENDING, SummaryKind.ANCHOR, True)


async def test_two_answers_at_the_same_time_below_one_node_mark_it_once(storage: SessionStorage) -> None:
    for _ in range(5):
        desk = await Desk.fresh(storage)
        parent = await desk.ask(None)
        await asyncio.gather(*(desk.ask(parent, f"q{number}") for number in range(2)))
        assert await _summary(desk, parent) == (SummaryState.PENDING, SummaryKind.ANCHOR, True)
        assert len((await storage.children([parent.id]))[parent.id]) == 2
        job = None
        while job is None or job.entry.id != parent.id:
            job = await storage.claim_summary("worker", 60)
            assert job is not None
        assert await storage.finish_summary(job, "text", "echo")
        await desk.ask(parent, "a third branch")
        assert (await _summary(desk, parent))[0] is SummaryState.DONE, "an anchor is not made again"


async def test_what_the_path_has_due_is_marked_with_the_answer(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(3))
    await desk.ask(line[-1], marks=Marks(line[3].id, (line[1].id, line[5].id)))
    assert await _summary(desk, line[1]) == (SummaryState.PENDING, SummaryKind.NODE, False)
    assert await _summary(desk, line[3]) == (SummaryState.PENDING, SummaryKind.ANCHOR, True)
    assert await _summary(desk, line[5]) == (SummaryState.PENDING, SummaryKind.NODE, False)


async def test_a_turn_that_waits_for_its_own_summary_may_still_become_an_anchor(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    second = await desk.ask(line[-1], marks=Marks(None, (line[1].id,)))
    await desk.ask(second, marks=Marks(line[1].id, (line[1].id,)))
    assert await _summary(desk, line[1]) == (SummaryState.PENDING, SummaryKind.ANCHOR, True)
