"""Entries that a client writes: all of them or none, in the tree, as turns, and as what holds from there down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graph_session.domain.entries import Compaction, EntryType
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.nodes import NodeStatus
from graph_session.domain.principal import Principal
from graph_session.storage.protocol import ANYWHERE
from tests.domain.test_appending import FORMS
from tests.services.world import World, assistant, call, result, user
from tests.support.anthropic_standin import Reply


async def test_every_type_is_written_and_given_back(world: World) -> None:
    session_id = await world.create()
    first = (await world.append(session_id, user("q")))[0]
    targets = {"targetId": first.id, "firstKeptEntryId": first.id, "fromId": first.id}
    forms = [form | {key: value for key, value in targets.items() if form.get(key) == "e0"} for form in FORMS]
    forms = [form | {"x-own": [1, {"deep": None}]} for form in forms if form != {"type": "leaf", "targetId": None}]
    written = await world.append(session_id, *forms)
    assert {entry.type for entry in written} == set(EntryType)
    for form, entry in zip(forms, written, strict=True):
        stored = await world.entry(entry.id)
        assert entry_to_json(stored) == entry_to_json(entry)
        assert entry_to_json(stored)["x-own"] == form["x-own"]
        assert stored.hash == entry.hash
    session = await world.session(session_id)
    assert session.entry_count == len(forms) + 1
    # The last one was a record of a move.
    assert session.leaf_id == first.id


async def test_entries_stand_below_the_leaf_or_where_they_are_told(world: World) -> None:
    session_id = await world.create()
    first, second = await world.append(session_id, user("q1"), assistant("a1"))
    assert (first.parent_id, second.parent_id) == (None, first.id)
    (third,) = await world.append(session_id, user("q2"))
    assert third.parent_id == second.id
    (fork,) = await world.append(session_id, user("q2 again"), parent_id=second.id)
    assert fork.parent_id == second.id
    assert (await world.leaf(session_id)).id == fork.id
    root, below = await world.append(session_id, user("elsewhere", parentId=None, id=new_id()), assistant("yes"))
    assert (root.parent_id, below.parent_id) == (None, root.id)
    ids = [new_id(), new_id()]
    tree = [user("x", id=ids[0]), assistant("y", parentId=ids[0]), assistant("z", parentId=ids[0], id=ids[1])]
    written = await world.append(session_id, *tree, user("under the first", parentId=first.id))
    assert [entry.parent_id for entry in written] == [below.id, ids[0], ids[0], first.id]
    assert written[2].id == ids[1]


async def test_an_agents_turn_is_one_node_however_it_is_written(world: World) -> None:
    turn = [user("fix it"), call("1", "let me see", path="a.py"), result("1", "code"), call("2"), result("2", "more")]
    turn += [{"type": "custom_message", "customType": "n", "content": "by the way"}, assistant("fixed")]
    whole, pieces = await world.create(), await world.create()
    await world.append(whole, *turn)
    for at, form in enumerate(turn):
        await world.append(pieces, form)
        (node,) = await world.nodes(pieces)
        expected = NodeStatus.DONE if at == len(turn) - 1 else NodeStatus.UNANSWERED
        assert (node.status, node.user_content) == (expected, "fix it")
        assert (await world.session(pieces)).node_count == 1
    for session_id in (whole, pieces):
        (node,) = await world.nodes(session_id)
        leaf = await world.leaf(session_id)
        assert (node.node_id, node.ai_content, node.status) == (leaf.id, "fixed", NodeStatus.DONE)
        assert await world.active_path(session_id) == [leaf.id]
        entries = (await world.services.tree.turn_entries([node]))[node.node_id]
        assert [entry.type for entry in entries].count(EntryType.MESSAGE) == 6
        assert len(entries) == 7
        asked = await world.ask(session_id, "and now?")
        assert asked.parent_node_id == node.node_id
        body = world.standin.requests[-1]
        assert [block["type"] for message in body["messages"] for block in message["content"]] == [
            *("text", "text", "tool_use", "tool_result", "tool_use", "tool_result", "text", "text", "text")
        ]


BAD: list[tuple[str, Any]] = [
    ("entries[1].type", {"type": "usage"}),
    (
        "entries[1].message.content[0].text",
        {"type": "message", "message": {"role": "user", "content": [{"type": "text"}]}},
    ),
    ("entries[1].parentId", user("q", parentId=new_id())),
    ("entries[1].targetId", {"type": "label", "targetId": new_id(), "label": "l"}),
    ("entries[1].targetId", {"type": "leaf", "targetId": new_id()}),
    (
        "entries[1].firstKeptEntryId",
        {"type": "compaction", "summary": "", "firstKeptEntryId": new_id(), "tokensBefore": 1},
    ),
    ("entries[1].parentId", user("q", parentId="half \ud83d")),
]


@pytest.mark.parametrize(("field", "form"), BAD, ids=[field for field, _ in BAD])
async def test_one_bad_entry_and_nothing_is_written(world: World, field: str, form: Any) -> None:
    session_id = await world.create()
    await world.append(session_id, user("q"), assistant("a"))
    before = await world.counts(session_id)
    with pytest.raises(InvalidInput) as refused:
        await world.append(session_id, {"type": "session_info", "name": "new"}, form, assistant("b"))
    assert refused.value.field == field
    assert field in refused.value.message
    assert await world.counts(session_id) == before


async def test_an_id_that_is_taken_anywhere_is_refused_and_nothing_is_written(world: World) -> None:
    session_id, other = await world.create(), await world.create()
    (here,) = await world.append(session_id, user("q"))
    (there,) = await world.append(other, user("q"))
    before = await world.counts(session_id)
    for taken in (here.id, there.id):
        with pytest.raises(InvalidInput, match="taken"):
            await world.append(session_id, user("new", id=new_id()), user("old", id=taken))
        with pytest.raises(InvalidInput, match="taken"):
            await world.append(session_id, user("new"), user("old", id=taken, parentId=here.id))
    assert await world.counts(session_id) == before
    assert len(await world.nodes(session_id)) == 1


async def test_entries_of_other_sessions_are_not_there(world: World) -> None:
    session_id, other = await world.create(), await world.create()
    (there,) = await world.append(other, user("q"))
    await world.append(session_id, user("q"))
    before = await world.counts(session_id)
    with pytest.raises(NotFound):
        await world.append(session_id, user("x"), parent_id=there.id)
    for form in (user("x", parentId=there.id), {"type": "label", "targetId": there.id, "label": "l"}):
        with pytest.raises(InvalidInput, match=r"entries\[0\]"):
            await world.append(session_id, form)
    with pytest.raises(NotFound):
        await world.services.changes.append(Principal("somebody else"), session_id, [user("x")], parent_id=None)
    with pytest.raises(NotFound):
        await world.append(new_id(), user("x"))
    assert await world.counts(session_id) == before


async def test_a_leaf_that_has_moved_is_a_conflict_with_the_leaf(world: World) -> None:
    session_id = await world.create()
    (first,) = await world.append(session_id, user("q"), expected_leaf=None)
    before = await world.counts(session_id)
    for expected in (None, new_id()):
        with pytest.raises(LeafConflict) as conflict:
            await world.append(session_id, assistant("a"), expected_leaf=expected)
        assert conflict.value.leaf_id == first.id
    assert await world.counts(session_id) == before
    await world.append(session_id, assistant("a"), expected_leaf=first.id)


async def test_whoever_names_no_leaf_has_no_conflict(world: World) -> None:
    session_id = await world.create()
    await world.append(session_id, user("q"), assistant("a"))
    await asyncio.gather(*(world.append(session_id, user(f"{n}"), assistant("a")) for n in range(6)))
    path = await world.path(session_id)
    assert len(path) == 14
    assert (await world.session(session_id)).node_count == 7


@pytest.mark.parametrize("kind", ["append", "append below it", "model", "thinking", "tools", "compact", "summarize"])
async def test_while_an_answer_runs_at_the_leaf_nothing_is_appended_there(world: World, kind: str) -> None:
    session_id = await world.create()
    first = await world.ask(session_id, "first")
    away = (await world.append(session_id, user("side"), assistant("way"), parent_id=first.node_id))[-1]
    await world.fork(session_id, first.node_id)
    world.standin.queue.append(Reply(first_delay=30))
    running = await world.ask(session_id, "slow", wait=False)
    changes, who = world.services.changes, world.who
    doing: dict[str, Any] = {
        "append": lambda: world.append(session_id, user("q")),
        "append below it": lambda: world.append(session_id, user("q"), parent_id=running.question_id),
        "model": lambda: changes.change_model(who, session_id, "anthropic", "claude-opus-5"),
        "thinking": lambda: changes.change_thinking_level(who, session_id, "high"),
        "tools": lambda: changes.change_active_tools(who, session_id, ["read"]),
        "compact": lambda: world.services.ask.compact(who, session_id),
        "summarize": lambda: world.services.branches.summarize(who, away.id, None),
    }
    before = await world.counts(session_id)
    with pytest.raises(InvalidInput, match="answer is running"):
        await doing[kind]()
    assert await world.counts(session_id) == before
    # Elsewhere in the tree it may be appended meanwhile, and the answer ends where it belongs.
    (elsewhere,) = await world.append(session_id, user("elsewhere"), parent_id=first.node_id)
    cancelled = await world.services.ask.cancel(who, running.node_id)
    assert cancelled.node.status is NodeStatus.CANCELLED
    assert (await world.session(session_id)).leaf_id == elsewhere.id


async def test_a_compaction_of_a_client_is_read_like_any_other(world: World) -> None:
    session_id = await world.create()
    forms = [form for n in range(1, 6) for form in (user(f"q{n}"), assistant(f"a{n}"))]
    written = await world.append(session_id, *forms)
    mark = {"type": "compaction", "summary": "one to three", "firstKeptEntryId": written[6].id, "tokensBefore": 99}
    (compaction,) = await world.append(session_id, mark)
    assert compaction.place.kept_depth == 6
    assert await world.shown(session_id) == ["COMPACTION: one to three", "q4", "a4", "q5", "a5"]
    await world.append(session_id, user("q6"), assistant("a6"))
    assert (await world.shown(session_id))[:2] == ["COMPACTION: one to three", "q4"]
    assert await world.shown(session_id, written[-1].id) == [f"{c}{n}" for n in range(1, 6) for c in "qa"]
    ids = [new_id(), new_id()]
    await world.append(session_id, mark | {"id": ids[0], "firstKeptEntryId": ids[0], "summary": "all"}, user("q7"))
    assert await world.shown(session_id) == ["COMPACTION: all", "q7"]


async def test_what_a_compaction_keeps_lies_above_it_and_is_no_tool_result(world: World) -> None:
    session_id = await world.create()
    turn = await world.append(session_id, user("q"), call("1"), result("1", "r"), assistant("a"))
    (side,) = await world.append(session_id, user("side"), parent_id=turn[0].id)
    bad = {"elsewhere": side.id, "result": turn[2].id, "below": "later"}
    for kept in bad.values():
        mark = {"type": "compaction", "summary": "s", "firstKeptEntryId": kept, "tokensBefore": 1}
        with pytest.raises(InvalidInput) as refused:
            await world.append(session_id, mark, user("later", id="later"), parent_id=turn[3].id)
        assert refused.value.field == "entries[0].firstKeptEntryId"
    mark = {"type": "compaction", "summary": "s", "firstKeptEntryId": turn[1].id, "tokensBefore": 1}
    (made,) = await world.append(session_id, mark, parent_id=turn[3].id)
    assert isinstance(made.body, Compaction)
    assert await world.shown(session_id) == ["COMPACTION: s", "", "r", "a"]


async def test_what_a_compaction_keeps_does_not_begin_between_a_call_and_its_result(world: World) -> None:
    session_id = await world.create()
    note = {"type": "custom", "customType": "progress"}
    turn = await world.append(
        session_id, user("q"), call("1"), call("2"), result("1", "r1"), note, result("2", "r2"), note
    )
    mark = {"type": "compaction", "summary": "s", "tokensBefore": 1}
    ids = [new_id() for _ in range(2)]
    new = [user("next"), {**call("3"), "id": ids[0]}, {**note, "id": ids[1]}]
    between = [(mark | {"firstKeptEntryId": it.id}, []) for it in (turn[2], turn[4])]
    for form, above in [*between, (mark | {"firstKeptEntryId": ids[1]}, new)]:
        with pytest.raises(InvalidInput) as refused:
            await world.append(session_id, *above, form)
        assert refused.value.field == f"entries[{len(above)}].firstKeptEntryId"
    await world.append(session_id, mark | {"firstKeptEntryId": turn[6].id})
    await world.append(session_id, *new, mark | {"firstKeptEntryId": ids[0]}, result("3", "r3"), assistant("a"))
    assert await world.shown(session_id) == ["COMPACTION: s", "", "r3", "a"]


async def test_a_summary_of_the_history_does_not_stand_between_a_call_and_its_result(world: World) -> None:
    session_id = await world.create(keep_raw_count=0)
    mark = {"type": "branch_summary", "fromId": "elsewhere", "summary": "all before", "scope": "HISTORY"}
    await world.append(session_id, user("q"), call("1"))
    for above in ([], [{"type": "custom", "customType": "progress"}]):
        with pytest.raises(InvalidInput, match="part a tool's call") as refused:
            await world.append(session_id, *above, mark, result("1", "r"))
        assert refused.value.field == f"entries[{len(above)}]"
    told = mark | {"scope": "BRANCH", "summary": "elsewhere"}
    await world.append(session_id, told, result("1", "r"), mark, assistant("a"))
    assert await world.shown(session_id) == ["ANCHOR_SUMMARY: all before", "a"]


async def test_a_leaf_is_not_moved_between_a_call_and_its_result_by_a_record_either(world: World) -> None:
    session_id = await world.create()
    turn = await world.append(session_id, user("q"), call("1"), result("1", "r"), assistant("a"))
    with pytest.raises(InvalidInput) as refused:
        await world.append(session_id, {"type": "custom", "customType": "c"}, {"type": "leaf", "targetId": turn[1].id})
    assert refused.value.field == "entries[1].targetId"
    for target in (turn[2].id, turn[0].id, None):
        await world.append(session_id, {"type": "leaf", "targetId": target}, parent_id=turn[3].id)
        assert (await world.session(session_id)).leaf_id == target


async def test_names_and_leaves_of_clients_move_the_session(world: World) -> None:
    session_id = await world.create()
    written = await world.append(session_id, user("q"), {"type": "session_info", "name": "first"})
    assert (await world.session(session_id)).name == "first"
    named = [{"type": "session_info", "name": "second"}, {"type": "session_info", "name": "third"}]
    await world.append(session_id, *named)
    assert (await world.session(session_id)).name == "third"
    await world.append(session_id, {"type": "session_info", "name": ""})
    assert (await world.session(session_id)).name is None
    await world.append(session_id, {"type": "leaf", "targetId": written[0].id})
    assert (await world.session(session_id)).leaf_id == written[0].id
    await world.append(session_id, {"type": "leaf", "targetId": None})
    assert (await world.session(session_id)).leaf_id is None
    (root,) = await world.append(session_id, user("a new beginning"), expected_leaf=ANYWHERE)
    assert root.parent_id is None
