"""The contract for entries that are written as they are: imports, notes, changes of model."""

from __future__ import annotations

import asyncio

import pytest

from graph_session.domain import entries as e
from graph_session.domain.entries import Entry
from graph_session.domain.errors import LeafConflict
from graph_session.domain.turns import active_path, entry_hash
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import (
    answer,
    branch,
    condensed,
    note,
    other_model,
    question,
    tool_result,
    tool_use,
    turns,
)
from tests.storage.desk import Desk

ODD_TEXTS = [
    "emoji 🌳👩‍👩‍👧 and flags 🇩🇪",
    "שלום עולם مرحبا بالعالم",
    "中文，日本語、한국어 𠀀𠮷",
    "combining e\u0301 \u200b\u200d\u2028\u2029 \ufeff \ufffe",
    "'single' \"double\" `back` \\ \\n $name {brace} // comment /* */",
    "\ttab\r\nnewline\n\n trailing ",
    "\x01\x1f\x7f\x80\x9f",
    "",
]


async def test_all_types_of_entries_are_read_as_they_were_written(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    bodies: list[e.Body] = [
        question(),
        tool_use("1", text="let me look"),
        tool_result("1"),
        answer(),
        note(),
        other_model(),
        e.ThinkingLevelChange(level="high"),
        e.ActiveToolsChange(tool_names=("look", "write")),
        e.SessionInfo(name="a name"),
        e.Label(target_id="x", label=None),
        e.Compaction(summary="before", first_kept_entry_id="x", tokens_before=9, details={"readFiles": ["a"]}),
        branch("elsewhere"),
        e.Custom(custom_type="state", data={"deep": [1, None, {"er": 2.5}]}),
        e.LeafMove(target_id=None),
    ]
    line = await desk.write(bodies)
    assert {entry.type for entry in line} == set(e.EntryType)
    found = await storage.entries([entry.id for entry in line])
    for number, entry in enumerate(line):
        read = found[entry.id]
        assert (read.body, read.place, read.hash, read.parent_id) == (
            entry.body,
            entry.place,
            entry.hash,
            entry.parent_id,
        )
        assert read.sequence == number
        assert entry_hash(line[number - 1].hash if number else "", read) == entry.hash


@pytest.mark.parametrize("text", ODD_TEXTS)
async def test_text_is_kept_character_for_character(storage: SessionStorage, text: str) -> None:
    desk = await Desk.fresh(storage)
    asked, said = await desk.write([question(text), answer(text)])
    assert (await desk.read(asked.id)).body == asked.body
    assert (await desk.read(said.id)).body == said.body
    nodes = await storage.nodes([said.id])
    assert (nodes[said.id].user_content, nodes[said.id].ai_content) == (text, text)


async def test_100_kilobytes_of_text_are_no_problem(storage: SessionStorage) -> None:
    text = "".join(ODD_TEXTS) * (100_000 // len("".join(ODD_TEXTS).encode()) + 1)
    desk = await Desk.fresh(storage)
    (asked,) = await desk.write([question(text)])
    assert (await desk.read(asked.id)).body == question(text)


async def test_summaries_that_an_import_brings_are_kept(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = desk.line(turns(2))
    line[1], line[3] = condensed(line[1], anchor="all so far"), condensed(line[3], node="turn two")
    await storage.append(desk.id, line)
    assert (await desk.read(line[1].id)).summary == line[1].summary
    assert (await desk.read(line[3].id)).summary == line[3].summary


async def test_the_leaf_stays_where_it_is_if_it_is_not_to_move(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(1))
    session = await storage.append(desk.id, desk.line([note()], line[0]), move_leaf=False)
    assert session.leaf_id == line[1].id
    assert session.entry_count == 3


async def test_an_append_that_lost_the_race_for_the_leaf_writes_nothing(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = desk.line([note("first")])
    assert (await storage.append(desk.id, first, expected_leaf=None)).leaf_id == first[0].id
    before = await desk.counts()
    late = desk.line([note("late"), question()], first[0])
    for expected in (None, late[0].id):
        with pytest.raises(LeafConflict) as caught:
            await storage.append(desk.id, late, expected_leaf=expected)
        assert caught.value.leaf_id == first[0].id
    assert await desk.counts() == before
    assert await storage.entries([entry.id for entry in late]) == {}


async def test_writers_that_all_want_the_leaf_make_one_unbroken_chain(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    tasks, appends = 8, 20

    async def writer() -> None:
        done = 0
        while done < appends:
            leaf_id = (await desk.session()).leaf_id
            parent = await desk.read(leaf_id) if leaf_id else None
            try:
                await storage.append(desk.id, desk.line([note()], parent), expected_leaf=leaf_id)
                done += 1
            except LeafConflict:
                continue

    await asyncio.gather(*(writer() for _ in range(tasks)))
    session = await desk.session()
    assert session.leaf_id is not None
    assert session.entry_count == session.next_sequence == tasks * appends
    path = await storage.path_page(session.leaf_id, 1000)
    assert [entry.place.depth for entry in path] == list(reversed(range(tasks * appends)))
    assert [entry.sequence for entry in path] == list(reversed(range(tasks * appends)))


async def _node_count(desk: Desk) -> int:
    session = await desk.session()
    page = await desk.storage.node_page(session, None, 1000)
    assert session.node_count == len(page.items)
    return session.node_count


async def test_an_open_question_is_a_node_until_it_is_answered(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (asked,) = await desk.write([question()])
    assert (await desk.read(asked.id)).is_node
    assert await _node_count(desk) == 1
    (said,) = await desk.write([answer()], asked)
    assert not (await desk.read(asked.id)).is_node
    assert (await desk.read(said.id)).is_node
    assert await _node_count(desk) == 1


async def test_a_question_that_another_follows_stays_a_node_when_it_is_answered_elsewhere(
    storage: SessionStorage,
) -> None:
    desk = await Desk.fresh(storage)
    asked, followed = await desk.write([question("one"), question("two")])
    assert await _node_count(desk) == 2
    await desk.write([answer()], asked)
    assert (await desk.read(asked.id)).is_node
    assert (await desk.read(followed.id)).place.node_above == asked.id
    assert await _node_count(desk) == 3


async def test_an_answered_question_becomes_a_node_when_a_question_follows_it_unanswered(
    storage: SessionStorage,
) -> None:
    desk = await Desk.fresh(storage)
    asked, _ = await desk.write(turns(1))
    assert await _node_count(desk) == 1
    await desk.write([question("instead")], asked)
    assert (await desk.read(asked.id)).is_node
    assert await _node_count(desk) == 3


async def test_answers_to_several_open_questions_may_come_at_once(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    one = (await desk.write([question("one")]))[0]
    other = (await desk.write([question("other")]))[0]
    assert await _node_count(desk) == 2
    await storage.append(desk.id, [desk.entry(one, answer()), desk.entry(other, answer())])
    assert await _node_count(desk) == 2


async def test_several_roots_and_branches_may_come_at_once(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    one, other = desk.line(turns(2)), desk.line(turns(1))
    fork = desk.line(turns(1), one[1])
    entries: list[Entry] = [*one, *other, *fork]
    session = await storage.append(desk.id, entries)
    assert session.leaf_id == fork[-1].id
    assert await storage.active_path(fork[-1].id) == active_path([*one[:2], *fork])
    assert await storage.children([one[1].id]) == {one[1].id: [one[3].id, fork[1].id]}
    roots = await storage.entries([one[0].id, other[0].id])
    assert [entry.parent_id for entry in roots.values()] == [None, None]
