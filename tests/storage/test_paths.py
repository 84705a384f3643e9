"""The contract for what is read along paths, however long: changes, usage, where two meet; and labels and moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph_session.domain import entries as e
from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, EntryType, SummaryKind, SummaryState
from graph_session.domain.errors import LeafConflict
from graph_session.domain.state import STATE_TYPES, fold
from graph_session.domain.triggers import Marks
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer, note, other_model, question, tool_result, tool_use, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk


def cheap(model: str | None, tokens: int) -> e.Message:
    return replace(answer(), model=model, usage=Usage(tokens, 1, 2, 3))


async def long_line(desk: Desk, count: int, parent: Entry | None = None) -> list[Entry]:
    """Notes one below the other."""
    line: list[Entry] = []
    while len(line) < count:
        line += await desk.write([note("n")] * min(500, count - len(line)), line[-1] if line else parent)
    return line


async def test_changes_along_a_long_path(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (first, *_) = await desk.write([other_model(), *turns(1)])
    line = await long_line(desk, 1000, first)
    level, named = await desk.write([e.ThinkingLevelChange(level="high"), e.SessionInfo(name="n")], line[-1])
    rest = await long_line(desk, 999, named)
    found = await storage.path_of_types(rest[-1].id, STATE_TYPES)
    assert [entry.id for entry in found] == [first.id, level.id, named.id]
    assert fold(found) == fold([first, *line, level, named, *rest])
    assert [entry.id for entry in await storage.path_of_types(line[-1].id, STATE_TYPES)] == [first.id]
    assert await storage.path_of_types(rest[-1].id, [EntryType.COMPACTION]) == []
    view = await storage.view_at(desk.id, rest[-1].id)
    assert view is not None
    assert (view.state.model_id, view.state.thinking_level) == ("other", "high")


@pytest.mark.parametrize("lengths", [(0, 0), (0, 3), (3, 0), (2, 5), (999, 1001), (1000, 1000), (1, 1500)])
async def test_where_two_paths_meet(storage: SessionStorage, lengths: tuple[int, int]) -> None:
    desk = await Desk.fresh(storage)
    common = (await desk.write(turns(2)))[-1]
    ends = []
    for length in lengths:
        line = await long_line(desk, length, common)
        ends.append((line[-1] if line else common).id)
    assert await storage.common_ancestor(*ends) == common.id
    assert await storage.common_ancestor(*reversed(ends)) == common.id


async def test_paths_from_two_roots_meet_nowhere(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    one, two = await desk.write(turns(2)), await desk.write(turns(1))
    assert await storage.common_ancestor(one[-1].id, two[-1].id) is None
    assert await storage.common_ancestor(one[0].id, two[0].id) is None
    assert await storage.common_ancestor(one[0].id, one[-1].id) == one[0].id


async def test_usage_by_model(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    session = await desk.session()
    assert await storage.session_usage(session) == {}
    line = await desk.write(
        [question(), cheap("a", 10), question(), cheap("b", 20), question(), cheap("a", 30), note()]
    )
    side = await desk.write([question(), cheap(None, 5), question(), replace(answer(), usage=None)], line[1])
    other = await Desk.fresh(storage)
    await other.write([question(), cheap("a", 1000)])
    path = {"a": Usage(40, 2, 4, 6), "b": Usage(20, 1, 2, 3)}
    assert await storage.path_usage(line[-1].id) == path
    assert await storage.path_usage(line[0].id) == {}
    assert await storage.path_usage(side[-1].id) == {"a": Usage(10, 1, 2, 3), None: Usage(5, 1, 2, 3)}
    assert await storage.session_usage(await desk.session()) == path | {None: Usage(5, 1, 2, 3)}
    long = await long_line(desk, 1200, line[-1])
    assert await storage.path_usage(long[-1].id) == path


async def test_the_latest_label_is_on_its_entry(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(1))
    labels = [e.Label(target_id=line[0].id, label="q"), e.Label(target_id=line[1].id, label="a")]
    await desk.write([*labels, e.Label(target_id=line[1].id, label="b")], line[-1])
    assert ((await desk.read(line[0].id)).label, (await desk.read(line[1].id)).label) == ("q", "b")
    assert (await storage.nodes([line[1].id]))[line[1].id].label == "b"
    await desk.write([e.Label(target_id=line[1].id, label=None), e.Label(target_id=line[0].id, label="")], line[-1])
    assert ((await desk.read(line[0].id)).label, (await desk.read(line[1].id)).label) == (None, None)


async def test_a_move_of_the_leaf_is_written_with_its_record_or_not_at_all(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    record = desk.entry(line[3], e.LeafMove(target_id=line[1].id))
    before = await desk.counts()
    with pytest.raises(LeafConflict):
        await storage.move_leaf(desk.id, line[1].id, line[2].id, record)
    assert await desk.counts() == before
    assert await storage.entries([record.id]) == {}
    moved = await storage.move_leaf(desk.id, line[1].id, line[3].id, record)
    assert (moved.leaf_id, moved.entry_count, moved.node_count, moved.next_sequence) == (line[1].id, 5, 2, 5)
    stored = await desk.read(record.id)
    assert (stored.parent_id, stored.body, stored.hash, stored.sequence) == (line[3].id, record.body, record.hash, 4)
    # What is written next has a place of its own in the order of creation.
    later = await desk.write([note()], line[1])
    assert (await desk.read(later[0].id)).sequence == 5
    page = await storage.node_page(await desk.session(), None, 10)
    assert [node.node_id for node in page.items] == [line[1].id, line[3].id]


async def test_an_appended_leaf_moves_the_leaf_to_its_target(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    await desk.write([e.LeafMove(target_id=line[1].id)], line[-1])
    assert (await desk.session()).leaf_id == line[1].id
    await desk.write([e.LeafMove(target_id=None)], line[-1])
    assert (await desk.session()).leaf_id is None


async def test_an_answer_may_end_below_a_compaction(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    asked, running = await desk.begin(line[-1])
    body = e.Compaction(summary="s", first_kept_entry_id=line[2].id, tokens_before=9)
    made = desk.entry(asked, body)
    made = replace(made, place=replace(made.place, kept_depth=2))
    await storage.append(desk.id, [made], move_leaf=False)
    assert (await desk.session()).leaf_id == asked.id
    assert (await storage.active_path(asked.id))[-1] == running.id
    entry = desk.ended(made, running)
    finished = await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS)
    assert finished is not None
    assert (finished.leaf_id, finished.node_count) == (entry.id, 3)
    assert [it.id for it in await storage.path_page(entry.id, 3)] == [entry.id, made.id, asked.id]
    assert await storage.active_path(entry.id) == [line[1].id, line[3].id, entry.id]
    view = await desk.view(entry.id)
    assert [it.id for it in view.path] == [line[2].id, line[3].id, asked.id, made.id, entry.id]


async def test_a_turn_written_in_pieces_is_one_node(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    parent: Entry | None = None
    bodies = [question("q"), tool_use("1"), tool_result("1"), answer("a")]
    for at, body in enumerate(bodies):
        (parent,) = await desk.write([body], parent)
        page = await storage.node_page(await desk.session(), None, 10)
        assert ((await desk.session()).node_count, len(page.items)) == (1, 1)
        assert page.items[0].user_content == "q"
        assert page.items[0].ai_content == ("a" if at == 3 else "")
    assert parent is not None
    assert page.items[0].node_id == parent.id


async def test_marks_of_appended_turns(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = desk.line(turns(4))
    await storage.append(desk.id, line, marks=Marks(line[3].id, (line[5].id,)))
    fork = desk.line(turns(1, first=9), line[1])
    await storage.append(desk.id, fork, marks=NO_MARKS)
    await storage.append(desk.id, desk.line(turns(1, first=10), line[5]))
    kinds = [(await desk.read(line[at].id)).summary for at in (1, 3, 5, 7)]
    assert [(it.kind, it.is_anchor) for it in kinds] == [
        (SummaryKind.ANCHOR, True),
        (SummaryKind.ANCHOR, True),
        (SummaryKind.NODE, False),
        (None, False),
    ]
    assert [it.state for it in kinds][:3] == [SummaryState.PENDING] * 3
    # What has been marked once stays as it is.
    await storage.append(desk.id, desk.line(turns(1, first=11), line[7]), marks=Marks(line[5].id, (line[3].id,)))
    assert (await desk.read(line[3].id)).summary.kind is SummaryKind.ANCHOR
