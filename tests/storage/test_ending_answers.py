"""What is read at the very moment an answer ends: its node is there, once, whatever is asked, on every storage.

Neo4j reads what is committed while a statement runs, so one statement can meet the answer half ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from graph_session.domain.entries import Entry
from graph_session.domain.nodes import NodeStatus
from graph_session.storage.graph.store import GraphStorage
from graph_session.storage.protocol import SessionStorage
from tests.storage.desk import NO_MARKS, OWNER, Desk

ANSWERS = 15


class Asked:
    """A turn, and the question and the answer that were begun below it last; the answer may have ended since."""

    def __init__(self, desk: Desk, above: Entry) -> None:
        self.desk = desk
        self.storage: SessionStorage = desk.storage
        self.above = above
        self.question = ""
        self.answer = ""


async def by_id(asked: Asked) -> None:
    node_id = asked.answer
    assert list(await asked.storage.nodes([node_id])) == [node_id]


async def the_running_one(asked: Asked) -> None:
    node_id = asked.answer
    running = await asked.storage.running_answer(node_id)
    assert running is None or running.id == node_id


async def all_running(asked: Asked) -> None:
    assert {question.text for _, question in await asked.storage.running(asked.desk.id)} <= {"Why?"}


async def below(asked: Asked) -> None:
    node_id = asked.answer
    found = (await asked.storage.children([asked.above.id]))[asked.above.id]
    assert found.count(node_id) == 1


async def checked(asked: Asked) -> None:
    node_id = asked.answer
    check = (await asked.storage.check_nodes([node_id]))[node_id]
    assert (check.session_id, check.node_above) == (asked.desk.id, asked.above.id)
    assert check.running is not check.is_node


async def path(asked: Asked) -> None:
    question_id, node_id = asked.question, asked.answer
    above = [asked.above.id]
    assert await asked.storage.active_path(question_id) in (above, [*above, node_id])


async def of_the_question(asked: Asked) -> None:
    question_id, node_id = asked.question, asked.answer
    assert await asked.storage.nodes_with([question_id]) == {question_id: node_id}


async def tips(asked: Asked) -> None:
    question_id, node_id = asked.question, asked.answer
    assert await asked.storage.tips([question_id], 5) == {question_id: [node_id]}


async def where_a_question_stands(asked: Asked) -> None:
    view = await asked.desk.view(asked.above.id)
    assert view.path[-1].id == asked.above.id


async def pages(asked: Asked) -> None:
    node_id = asked.answer
    session = await asked.desk.session()
    after = str(session.next_sequence - 7)
    nodes = await asked.storage.node_page(session, after, 1000)
    outline = await asked.storage.outline_page(session, after, 1000)
    assert [node.node_id for node in nodes.items].count(node_id) == 1
    assert [row[0] for row in outline.items].count(node_id) == 1


async def abandoned(asked: Asked) -> None:
    expired = await asked.storage.expired_answers(OWNER)
    assert [found for found in expired if found.answer.session_id == asked.desk.id] == []


READS: tuple[Callable[[Asked], Awaitable[None]], ...] = (
    by_id,
    the_running_one,
    all_running,
    below,
    checked,
    path,
    of_the_question,
    tips,
    where_a_question_stands,
    pages,
    abandoned,
)


async def test_an_ending_answer_is_there_once_for_every_reader(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked = Asked(desk, await desk.ask(None))
    over = False

    async def ask() -> None:
        question, running = await desk.begin(asked.above)
        asked.question, asked.answer = question.id, running.id
        await asyncio.sleep(0.003)
        entry = desk.ended(question, running)
        assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is not None

    async def look(read: Callable[[Asked], Awaitable[None]]) -> None:
        while not over:
            await read(asked)
            await asyncio.sleep(0.001)

    await ask()
    async with asyncio.TaskGroup() as readers:
        for read in READS:
            readers.create_task(look(read))
        for _ in range(ANSWERS):
            await ask()
        over = True


async def test_back_at_the_question_of_an_answer_that_just_ended_the_next_question_stands_there(
    storage: SessionStorage,
) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    second = await desk.ask(first)
    assert (await desk.view(first.id)).path[-1].id == first.id
    assert second.parent_id is not None
    await storage.move_leaf(desk.id, second.parent_id, expected_leaf=second.id)
    assert (await desk.view(first.id)).path[-1].id == second.parent_id


async def test_an_ended_answer_is_over_for_good_and_forgotten_after_a_while(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    entry = desk.ended(asked, running)
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is not None
    still, _ = await desk.begin(first)

    async def is_over() -> None:
        assert await storage.renew_answer(running.id, OWNER, [], 60) is None
        assert await storage.cancel_answer(running.id) is False
        assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS) is None
        assert [question.id for _, question in await storage.running(desk.id)] == [still.id]
        assert (await storage.nodes([running.id]))[running.id].status is NodeStatus.DONE
        assert len((await storage.children([first.id]))[first.id]) == 2

    await is_over()
    if isinstance(storage, GraphStorage):
        kept = await storage._db.rows("node_running", session_id=desk.id)
        assert len(kept[0]["nodes"]) == 3
        await storage.forget_ended_answers(keep_ms=-60_000)
        kept = await storage._db.rows("node_running", session_id=desk.id)
        assert len(kept[0]["nodes"]) == 1
    await is_over()
