"""The contract for reading the tree: nodes, pages, paths."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from graph_session.domain.entries import Entry
from graph_session.domain.nodes import DialogueNode, NodeStatus
from graph_session.domain.sessions import Session
from graph_session.domain.turns import active_path
from graph_session.storage.protocol import Page, SessionStorage
from tests.domain.trees import (
    answer,
    condensed,
    note,
    other_model,
    pending_anchor,
    question,
    tool_result,
    tool_use,
    turns,
)
from tests.storage.desk import NO_MARKS, OWNER, Desk

PageOf = Callable[[Session, str | None, int], Awaitable[Page[object]]]


async def _walk(read: PageOf, session: Session, first: int) -> list[object]:
    items: list[object] = []
    after: str | None = None
    while True:
        page = await read(session, after, first)
        assert len(page.items) == len(page.cursors) <= first
        assert page.total == session.node_count
        items += page.items
        if not page.has_next:
            return items
        after = page.cursors[-1]


async def _pages(storage: SessionStorage, session: Session, first: int) -> tuple[list[str], list[str]]:
    """The node ids by walking through both kinds of pages."""

    def node_id(item: object) -> str:
        return item.node_id if isinstance(item, DialogueNode) else str(item[0])  # type: ignore[index]

    nodes = await _walk(storage.node_page, session, first)  # type: ignore[arg-type]
    rows = await _walk(storage.outline_page, session, first)  # type: ignore[arg-type]
    return [node_id(item) for item in nodes], [node_id(item) for item in rows]


@pytest.mark.parametrize("first", [1, 7, 100, 700])
async def test_hundreds_of_nodes_are_paged_in_the_order_of_creation(storage: SessionStorage, first: int) -> None:
    desk = await Desk.fresh(storage)
    count = 30 if first == 1 else 300
    line = await desk.write(
        body
        for number in range(count)
        for body in (question(f"q{number}"), tool_use("1"), tool_result("1"), answer(), note())
    )
    ids = [entry.id for entry in line if entry.ends_turn]
    assert await _pages(storage, await desk.session(), first) == (ids, ids)


async def test_a_session_without_nodes_has_one_empty_page(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    await desk.write([note() for _ in range(40)])
    for read in (storage.node_page, storage.outline_page):
        page = await read(await desk.session(), None, 5)
        assert (page.items, page.cursors, page.has_next, page.total) == ([], [], False, 0)


async def test_running_nodes_stand_where_their_answers_will(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first, "slow one 🌳")
    last = await desk.ask(first)
    expected = [first.id, running.id, last.id]
    for size in (1, 2, 3):
        assert await _pages(storage, await desk.session(), size) == (expected, expected)
    page = await storage.node_page(await desk.session(), None, 9)
    assert [node.status for node in page.items] == [NodeStatus.DONE, NodeStatus.RUNNING, NodeStatus.DONE]
    outline = await storage.outline_page(await desk.session(), None, 9)
    assert outline.items[1] == [running.id, first.id, "RUNNING", False, "NONE", "slow one 🌳", None]
    assert outline.cursors == page.cursors
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert await _pages(storage, await desk.session(), 2) == (expected, expected)


async def test_nodes_by_id_are_finished_running_and_open_ones_and_nothing_else(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    said = await desk.ask(None, "Why?")
    (loose,) = await desk.write([note()], said)
    (opened,) = await desk.write([question("open")], loose)
    asked, running = await desk.begin(said)
    nodes = await storage.nodes([opened.id, said.id, loose.id, asked.id, running.id, said.id])
    assert nodes.keys() == {said.id, opened.id, running.id}
    assert (nodes[said.id].user_content, nodes[said.id].ai_content) == ("Why?", "Because.")
    assert nodes[opened.id].status is NodeStatus.UNANSWERED
    assert nodes[opened.id].parent_node_id == said.id
    assert nodes[said.id].parent_node_id is None


async def test_children_are_nodes_in_the_order_of_creation(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    one = await desk.ask(first)
    _, running = await desk.begin(first)
    (opened,) = await desk.write([question("open")], first)
    last = await desk.ask(first)
    below = await desk.ask(one)
    assert await storage.children([first.id, one.id, below.id]) == {
        first.id: [one.id, running.id, opened.id, last.id],
        one.id: [below.id],
        below.id: [],
    }


async def test_the_entries_of_turns(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(
        [note(), question(), tool_use("1"), tool_result("1"), answer(), other_model(), *turns(1), answer("again")]
    )
    ids = [entry.id for entry in line]
    found = await storage.turn_entries([ids[4], ids[7], ids[8]])
    assert {node_id: [entry.id for entry in entries] for node_id, entries in found.items()} == {
        ids[4]: ids[1:5],
        ids[7]: ids[6:8],
        ids[8]: ids[8:],
    }
    assert found[ids[7]][0].parent_id == ids[5]


async def test_paths_are_read_in_pages_from_below(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(5))
    ids = [entry.id for entry in reversed(line)]
    for limit in (1, 3, 10, 50):
        page = await storage.path_page(line[-1].id, limit)
        assert [entry.id for entry in page] == ids[:limit]
        assert [entry.parent_id for entry in page] == [*ids, None][1 : len(page) + 1]
    rest = await storage.path_page(line[3].id, 50)
    assert [entry.id for entry in rest] == ids[-4:]


async def test_the_active_path_of_a_long_line_with_loose_entries(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(
        [note(), *turns(600), other_model(), question(), tool_use("1"), tool_result("1"), answer(), note()]
    )
    assert await storage.active_path(line[-1].id) == active_path(line)
    assert await storage.active_path(line[-2].id) == active_path(line[:-1])
    assert await storage.active_path(line[0].id) == []
    assert await storage.active_path(line[2].id) == active_path(line[:3])


async def test_the_active_path_while_an_answer_runs_ends_at_its_node(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    assert await storage.active_path(asked.id) == [first.id, running.id]
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    assert await storage.active_path(running.id) == [first.id, running.id]
    again = desk.running(asked)
    await storage.begin_again(again, lease_seconds=60)
    assert await storage.active_path(asked.id) == [first.id, again.id]


async def test_the_active_path_at_an_open_question_ends_with_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(1), question("open"), question("next")])
    assert await storage.active_path(line[2].id) == [line[1].id, line[2].id]
    assert await storage.active_path(line[3].id) == [line[1].id, line[2].id, line[3].id]


async def test_the_active_path_at_a_question_that_was_answered_ends_above_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(2)])
    await storage.move_leaf(desk.id, line[2].id, line[3].id)
    assert await storage.active_path(line[2].id) == [line[1].id]


async def test_ids_of_a_path_are_told_apart(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    checks = await storage.check_nodes([first.id, asked.id, running.id])
    told = {found: (c.session_id, c.node_above, c.is_node, c.running) for found, c in checks.items()}
    assert told[first.id] == (desk.id, None, True, False)
    assert told[asked.id] == (desk.id, first.id, False, False)
    assert told[running.id][:2] == (desk.id, first.id)
    assert told[running.id][3] is True


async def _anchored(desk: Desk, count: int, anchors: dict[int, str]) -> list[Entry]:
    line = desk.line(turns(count))
    for index, text in anchors.items():
        line[index] = condensed(line[index], anchor=text)
    await desk.storage.append(desk.id, line)
    return line


async def test_the_nearest_anchor_is_found_over_any_distance(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await _anchored(desk, 1050, {1: "root", 2041: "near"})
    for at, expected in ((2099, 2041), (2041, 2041), (2040, 1), (1, 1)):
        found = await storage.nearest_anchor(line[at].id)
        assert found is not None
        assert found.node_id == line[expected].id
        assert found.user_content == f"q{expected // 2 + 1}"
        assert found.summary.anchor_summary == ("root" if expected == 1 else "near")
    assert await storage.nearest_anchor(line[0].id) is None


async def test_an_anchor_whose_text_is_missing_is_not_found(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = desk.line(turns(3))
    line[1], line[3] = condensed(line[1], anchor="text"), pending_anchor(line[3])
    await storage.append(desk.id, line)
    found = await storage.nearest_anchor(line[5].id)
    assert found is not None
    assert found.node_id == line[1].id
