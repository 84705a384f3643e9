"""What belongs together is written together, and stays together."""

from __future__ import annotations

import asyncio
import io

import pytest

from graph_session.domain.entries import Compaction, Entry, EntryType
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.services.sessions import ForkPosition
from graph_session.storage.protocol import ANYWHERE
from tests.services.test_compaction import long, small, turns
from tests.services.world import World, assistant, call, result, user


async def everything(world: World, session_id: str) -> list[Entry]:
    stored = [it async for it in world.services.storage.stored_entries(session_id)]
    return [it.entry for it in stored if it.entry is not None]


async def test_a_fork_and_its_marks_are_written_together_or_not_at_all(world: World) -> None:
    session_id = await world.create()
    written = await world.append(session_id, user("q1"), assistant("a1"), user("q2"), assistant("a2"))
    before = await world.counts(session_id)
    fork = world.services.sessions.fork

    async def marked(expected: str) -> object:
        at = ForkPosition.AT
        return await fork(world.who, session_id, written[1].id, at, expected, summarize=True, label="here")

    with pytest.raises(LeafConflict):
        await marked(new_id())
    assert await world.counts(session_id) == before
    outcomes = await asyncio.gather(*(marked(written[3].id) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(outcome, LeafConflict) for outcome in outcomes) == 3
    added = (await everything(world, session_id))[4:]
    assert [entry.type for entry in added] == [EntryType.LEAF, EntryType.BRANCH_SUMMARY, EntryType.LABEL]
    session = await world.session(session_id)
    assert (session.leaf_id, session.entry_count, session.revision) == (added[-1].id, 7, before[0] + 1)
    assert added[1].parent_id == written[1].id
    assert (await world.services.verify.verify(world.who, session_id)).problems == ()


async def test_of_several_questions_that_need_a_compaction_one_writes_it(world: World) -> None:
    session_id = await small(world)
    written = await world.append(session_id, *turns(1, 8))
    leaf = written[-1].id
    asks = (world.ask(session_id, f"does {n} fit?", expected_leaf=leaf) for n in range(4))
    outcomes = await asyncio.gather(*asks, return_exceptions=True)
    assert sum(isinstance(outcome, LeafConflict) for outcome in outcomes) == 3
    added = (await everything(world, session_id))[16:]
    assert [entry.type for entry in added] == [EntryType.COMPACTION, EntryType.MESSAGE, EntryType.MESSAGE]
    assert [entry.parent_id for entry in added] == [leaf, added[0].id, added[1].id]
    assert (await world.session(session_id)).entry_count == 19
    assert (await world.services.verify.verify(world.who, session_id)).problems == ()


async def test_files_behind_an_anchor_reach_a_later_compaction(world: World) -> None:
    session_id = await world.create(linear_threshold=4, keep_raw_count=1)
    for n in range(6):
        tool = [call("c", name="edit" if n % 2 else "read", path=f"f{n}.py"), result("c", long("ok", 100))]
        await world.append(session_id, user(long(f"q{n}", 100)), *tool, assistant(long(f"a{n}", 100)))
    await world.summarise()
    assert (await world.context(session_id)).boundary_id is not None
    made, _ = await world.services.ask.compact(world.who, session_id, keep_recent=350)
    assert made is not None
    assert isinstance(made.body, Compaction)
    assert made.body.details is not None
    assert {"f0.py", "f2.py"} <= set(made.body.details["readFiles"])
    assert {"f1.py", "f3.py"} <= set(made.body.details["modifiedFiles"])


async def test_ids_that_are_no_uuids_survive_export_and_import(world: World) -> None:
    session_id = await world.create()
    ids = [f"{session_id} {name}" for name in ("question", "ünd 🌳")]
    await world.append(session_id, user("q", id=ids[0]), assistant("a", id=ids[1]))
    first = await exported(world, session_id)
    await world.services.sessions.delete(world.who, session_id)
    imported = await world.services.exchange.bring_in(world.who, io.BytesIO(first))
    assert imported.report.faults == []
    assert [entry.id for entry in await world.path(imported.session.id)] == ids
    assert (await exported(world, imported.session.id)).split(b"\n")[1:] == first.split(b"\n")[1:]


async def exported(world: World, session_id: str) -> bytes:
    lines = [line async for part in world.services.exchange.export(world.who, session_id) for line in part]
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)


async def test_the_leaf_does_not_move_between_a_tool_call_and_its_result(world: World) -> None:
    session_id = await world.create()
    turn = [user("fix it"), call("1"), result("1", "code"), assistant("fixed")]
    asked, called, seen, _ = await world.append(session_id, *turn)
    before = await world.counts(session_id)
    move = world.services.sessions.move_leaf
    with pytest.raises(InvalidInput, match="tool call"):
        await move(world.who, session_id, called.id, ANYWHERE)
    assert await world.counts(session_id) == before
    for place in (seen.id, asked.id, None):
        assert (await move(world.who, session_id, place, ANYWHERE)).leaf_id == place


async def test_an_empty_id_is_no_place(world: World) -> None:
    session_id = await world.create()
    for _ in range(2):
        before = await world.counts(session_id)
        with pytest.raises(NotFound):
            await world.services.sessions.move_leaf(world.who, session_id, "", ANYWHERE)
        with pytest.raises(NotFound):
            await world.append(session_id, user("x"), parent_id="")
        assert await world.counts(session_id) == before
        await world.append(session_id, user("q"), assistant("a"))


async def test_a_path_to_the_root_goes_on_from_its_own_entries_only(world: World) -> None:
    session_id, other = await world.create(), await world.create()
    line = await world.append(session_id, user("q1"), assistant("a1"), user("q2"), assistant("a2"))
    branch = await world.append(session_id, user("q3"), parent_id=line[1].id)
    (there,) = await world.append(other, user("q"))
    up = world.services.tree.path_to_root
    page = await up(world.who, line[3].id, None, 2)
    rest = await up(world.who, line[3].id, page.cursors[-1], 9)
    assert [entry.id for entry in [*page.items, *rest.items]] == [entry.id for entry in reversed(line)]
    for start, cursor in (
        (line[3].id, branch[0].id),
        (line[1].id, line[3].id),
        (line[3].id, there.id),
        (line[3].id, ""),
    ):
        with pytest.raises(InvalidInput, match="cursor"):
            await up(world.who, start, cursor, 2)
