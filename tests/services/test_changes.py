"""Model, thinking level and tools act from there down and nowhere else; labels, names, forks and records of moves."""

from __future__ import annotations

from typing import Any

import pytest

from graph_session.domain.entries import BranchSummary, Entry, EntryType, Label, LeafMove, SummaryScope, SummaryState
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from graph_session.domain.state import SessionState
from tests.services.world import World, assistant, call, result, types, user
from tests.support.anthropic_standin import Reply


async def state(world: World, entry_id: str) -> SessionState:
    return (await world.services.changes.state_at(world.who, entry_id))[0]


async def test_a_model_and_a_level_hold_from_there_down_and_not_elsewhere(world: World) -> None:
    session_id = await world.create()
    changes, who = world.services.changes, world.who
    first = await world.ask(session_id, "q1")
    await changes.change_model(who, session_id, "anthropic", "claude-haiku-5-5")
    changed = (await changes.change_thinking_level(who, session_id, "high")).entries[0]
    await changes.change_active_tools(who, session_id, ["read", "edit"])
    below = await world.ask(session_id, "q2")
    await world.fork(session_id, first.node_id)
    beside = await world.ask(session_id, "q3")
    bodies = {body["messages"][-1]["content"][-1]["text"]: body for body in world.standin.requests}
    assert [bodies[q]["model"] for q in ("q1", "q2", "q3")] == ["claude-opus-5", "claude-haiku-5-5", "claude-opus-5"]
    assert "thinking" not in bodies["q1"]
    assert "output_config" not in bodies["q3"]
    assert bodies["q2"]["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert bodies["q2"]["output_config"] == {"effort": "high"}
    assert (below.model, beside.model) == ("claude-haiku-5-5", "claude-opus-5")
    # The question stood below the changes: they are entries without a turn.
    assert below.parent_node_id == first.node_id
    assert types(await world.path(session_id, below.node_id))[2:5] == [
        *("model_change", "thinking_level_change", "active_tools_change")
    ]
    at_change = await state(world, changed.id)
    assert (at_change.provider, at_change.model_id) == ("anthropic", "claude-haiku-5-5")
    assert (at_change.thinking_level, at_change.active_tools) == ("high", None)
    assert (await state(world, below.node_id)).active_tools == ("read", "edit")
    assert await state(world, beside.node_id) == await state(world, first.node_id) == SessionState()
    shown = await world.services.tree.context(who, session_id, entry_id=below.node_id)
    assert (shown.model, shown.thinking_level, shown.active_tools) == ("claude-haiku-5-5", "high", ("read", "edit"))
    assert (await world.services.tree.context(who, session_id, entry_id=beside.node_id)).thinking_level is None


async def test_regenerating_answers_with_what_held_at_the_question(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    await world.services.changes.change_model(world.who, session_id, "anthropic", "claude-haiku-5-5")
    again = (await world.services.ask.regenerate(world.who, node.node_id)).node
    assert (again.model, again.parent_node_id) == ("claude-opus-5", None)
    assert world.standin.requests[-1]["model"] == "claude-opus-5"


async def test_another_providers_model_is_refused_by_name(world: World) -> None:
    session_id = await world.create()
    await world.services.changes.change_model(world.who, session_id, "openai", "gpt-9")
    with pytest.raises(Exception, match="openai/gpt-9"):
        await world.ask(session_id, "q")


@pytest.mark.parametrize(
    ("doing", "field"),
    [
        (lambda c, who, s: c.change_model(who, s, "", "m"), "provider"),
        (lambda c, who, s: c.change_model(who, s, "p", " "), "modelId"),
        (lambda c, who, s: c.change_model(who, s, "p", "m" * 201), "modelId"),
        (lambda c, who, s: c.change_thinking_level(who, s, ""), "level"),
        (lambda c, who, s: c.change_active_tools(who, s, ["read", ""]), "toolNames"),
        (lambda c, who, s: c.change_active_tools(who, s, ["t"] * 1001), "toolNames"),
    ],
)
async def test_changes_that_cannot_be(world: World, doing: Any, field: str) -> None:
    session_id = await world.create()
    with pytest.raises(InvalidInput) as refused:
        await doing(world.services.changes, world.who, session_id)
    assert refused.value.field == field
    with pytest.raises(NotFound):
        await world.services.changes.change_model(Principal("somebody else"), session_id, "p", "m")
    assert (await world.session(session_id)).entry_count == 0


async def test_the_latest_label_of_an_entry_holds_and_an_empty_one_clears(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    changes, who = world.services.changes, world.who
    written = []
    for label in ("one", "two", None, "three", ""):
        written += (await changes.set_label(who, node.node_id, label)).entries
        assert (await world.node(node.node_id)).label == (label or None)
    labels = [(await state(world, entry.id)).labels for entry in written]
    assert labels == [{node.node_id: "one"}, {node.node_id: "two"}, {}, {node.node_id: "three"}, {}]
    assert await state(world, node.node_id) == SessionState()
    question = (await world.path(session_id, node.node_id))[0]
    await changes.set_label(who, question.id, "a question")
    assert (await world.entry(question.id)).label == "a question"
    # A label from another branch is the latest too, and part of that branch's state alone.
    await world.fork(session_id, node.node_id)
    other = await changes.set_label(who, node.node_id, "from elsewhere")
    assert (await world.node(node.node_id)).label == "from elsewhere"
    assert (await state(world, other.entries[0].id)).labels == {node.node_id: "from elsewhere"}
    assert (await state(world, written[-1].id)).labels == {}
    for target, label in ((new_id(), "l"), (node.node_id, " "), (node.node_id, "l" * 501)):
        with pytest.raises((NotFound, InvalidInput)):
            await changes.set_label(who, target, label)
    with pytest.raises(NotFound):
        await changes.set_label(Principal("somebody else"), node.node_id, "mine")


async def test_names_as_of_then(world: World) -> None:
    session_id = await world.create()
    written = await world.append(
        session_id, {"type": "session_info", "name": "one"}, user("q"), {"type": "session_info", "name": ""}
    )
    assert [(await state(world, entry.id)).name for entry in written] == ["one", "one", None]


async def test_each_move_of_the_leaf_leaves_a_record_below_the_old_one(world: World) -> None:
    session_id = await world.create()
    first = await world.ask(session_id, "q1")
    second = await world.ask(session_id, "q2")
    sessions, who = world.services.sessions, world.who
    before = await world.session(session_id)
    await world.fork(session_id, first.node_id)
    await sessions.move_leaf(who, session_id, None, first.node_id)
    await sessions.move_leaf(who, session_id, second.node_id, None)
    await sessions.move_leaf(who, session_id, second.node_id, second.node_id)
    after = await world.session(session_id)
    # From before the root there is nothing to stand below, and a move to where one stands is none.
    assert (after.entry_count, after.node_count) == (before.entry_count + 2, before.node_count)
    assert after.leaf_id == second.node_id
    rows = await world.services.storage.path_page(second.node_id, 10)
    assert EntryType.LEAF not in types(rows)
    records = await leaf_records(world, session_id)
    assert [(it.parent_id, it.body) for it in records] == [
        (second.node_id, LeafMove(target_id=first.node_id)),
        (first.node_id, LeafMove(target_id=None)),
    ]
    assert await world.shown(session_id) == ["q1", "Echo: q1", "q2", "Echo: q2"]
    assert (await world.node(second.node_id)).parent_node_id == first.node_id
    assert await world.services.storage.children([second.node_id]) == {second.node_id: []}


async def leaf_records(world: World, session_id: str) -> list[Entry]:
    """The records of moves, in order."""
    stored = [found.entry async for found in world.services.storage.stored_entries(session_id)]
    return [entry for entry in stored if entry is not None and entry.type is EntryType.LEAF]


async def test_a_fork_with_a_summary_acts_as_an_anchor_for_the_new_branch_alone(world: World) -> None:
    session_id = await world.create(keep_raw_count=1)
    forms = [form for n in range(1, 5) for form in (user(f"q{n}"), assistant(f"a{n}"))]
    written = await world.append(session_id, *forms)
    await world.summarise()
    left, fork_point = await world.shown(session_id), await world.shown(session_id, written[5].id)
    assert (len(left), fork_point[-2:]) == (5, ["q3", "a3"])
    forked = await world.fork(session_id, written[5].id, summarize=True, label="the other way")
    summary = forked.branch_summary
    assert summary is not None
    assert isinstance(summary.body, BranchSummary)
    assert (summary.body.scope, summary.body.from_id) == (SummaryScope.HISTORY, written[5].id)
    # The label is the summary's, and stands below it; the leaf has followed.
    leaf = await world.leaf(session_id)
    assert leaf.body == Label(target_id=summary.id, label="the other way")
    assert leaf.parent_id == summary.id
    assert (await world.entry(summary.id)).label == "the other way"
    # Until its text is there, the branch reads what it would read without.
    assert await world.shown(session_id) == fork_point
    assert await world.summarise() == 1
    landed = await world.entry(summary.id)
    assert landed.summary.state is SummaryState.DONE
    assert landed.summary.branch_summary
    assert (landed.body, landed.hash) == (summary.body, summary.hash)
    condensed = f"ANCHOR_SUMMARY: {landed.summary.branch_summary}"
    assert await world.shown(session_id) == [condensed, "q3", "a3"]
    # The branch that was left, and the fork point itself, read on as before.
    assert await world.shown(session_id, written[7].id) == left
    assert await world.shown(session_id, written[5].id) == fork_point
    node = await world.ask(session_id, "q5")
    assert node.parent_node_id == written[5].id
    await world.summarise()
    # The second turn below the fork point has made that an anchor; the branch has one that is nearer.
    assert (await world.node(written[5].id)).summary.is_anchor
    assert await world.shown(session_id) == [condensed, "q5", "Echo: q5"]
    assert (await world.context(session_id)).boundary_id == summary.id


async def test_a_summary_at_an_anchor_says_what_the_anchor_says(world: World) -> None:
    session_id = await world.create(linear_threshold=2, keep_raw_count=1)
    for n in range(1, 4):
        await world.ask(session_id, f"q{n}")
    await world.summarise()
    anchor = next(node for node in await world.nodes(session_id) if node.summary.is_anchor)
    forked = await world.fork(session_id, anchor.node_id, summarize=True)
    await world.summarise()
    assert forked.branch_summary is not None
    landed = await world.entry(forked.branch_summary.id)
    assert landed.summary.state is SummaryState.DONE
    assert landed.summary.branch_summary == anchor.summary.anchor_summary


async def test_a_label_alone_is_put_on_the_fork_point(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    await world.ask(session_id, "q2")
    forked = await world.fork(session_id, node.node_id, label="here")
    assert forked.branch_summary is None
    assert (await world.node(node.node_id)).label == "here"
    assert (await world.leaf(session_id)).body == Label(target_id=node.node_id, label="here")
    asked = await world.ask(session_id, "q3")
    assert asked.parent_node_id == node.node_id
    with pytest.raises(InvalidInput):
        await world.fork(session_id, node.node_id, label="l" * 501)


async def test_a_fork_before_the_first_question_has_nothing_to_summarise(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    question = (await world.path(session_id, node.node_id))[0]
    with pytest.raises(InvalidInput, match="label") as refused:
        await world.fork(session_id, question.id, "BEFORE", summarize=True, label="l")
    assert refused.value.field == "label"
    forked = await world.fork(session_id, question.id, "BEFORE", summarize=True)
    assert (forked.session.leaf_id, forked.edit_text, forked.branch_summary) == (None, "q1", None)


async def test_no_fork_parts_a_tool_call_from_its_result(world: World) -> None:
    session_id = await world.create()
    parallel = call("1")
    parallel["message"]["content"].append({"type": "toolCall", "id": "2", "name": "read", "arguments": {}})
    turn = await world.append(
        session_id,
        user("q"),
        parallel,
        result("2", "r2"),
        result("1", "r1"),
        call("3"),
        result("3", "r3"),
        assistant("a"),
    )
    names = ("question", "calls", "second", "first", "call", "last", "answer")
    by_name = dict(zip(names, turn, strict=True))
    before = await world.counts(session_id)
    parting = {"AT": ("calls", "second", "call"), "BEFORE": ("second", "first", "last")}
    for position, places in parting.items():
        for name in places:
            with pytest.raises(InvalidInput, match="part a tool call from its result"):
                await world.fork(session_id, by_name[name].id, position)
    assert await world.counts(session_id) == before
    expected = {
        ("AT", "first"): ["q", "", "r2", "r1"],
        ("BEFORE", "call"): ["q", "", "r2", "r1"],
        ("AT", "last"): ["q", "", "r2", "r1", "", "r3"],
        ("BEFORE", "answer"): ["q", "", "r2", "r1", "", "r3"],
        ("BEFORE", "calls"): ["q"],
        ("AT", "question"): ["q"],
    }
    for (position, name), shown in expected.items():
        await world.fork(session_id, by_name[name].id, position)
        assert await world.shown(session_id) == shown
    # A turn that ended without the result of a call can be gone on from.
    (odd,) = (await world.append(session_id, user("q"), call("9"), assistant("gave up"), parent_id=turn[-1].id))[-1:]
    await world.fork(session_id, turn[0].id)
    await world.fork(session_id, odd.id)
    assert (await world.shown(session_id))[-2:] == ["q", "gave up"]


async def test_a_tree_that_is_read_while_its_branch_is_being_answered(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    world.standin.queue.append(Reply(first_delay=30))
    running = await world.ask(session_id, "slow", wait=False)
    forked = await world.fork(session_id, running.question_id or "", summarize=True)
    assert forked.branch_summary is not None
    assert forked.branch_summary.parent_id == running.question_id
    await world.services.ask.cancel(world.who, running.node_id)
    assert (await world.leaf(session_id)).id == forked.branch_summary.id
    assert (await world.node(running.node_id)).parent_node_id == node.node_id


async def test_an_agents_pair_without_a_question_is_not_forked_either(world: World) -> None:
    session_id = await world.create()
    notice = {"type": "custom_message", "customType": "build", "content": "It failed."}
    turn = [user("q"), assistant("a"), notice, call("1", "look"), result("1", "line 3"), assistant("fixed")]
    written = await world.append(session_id, *turn)
    for entry_id, at in ((written[3].id, "AT"), (written[4].id, "BEFORE")):
        with pytest.raises(InvalidInput, match="part a tool call"):
            await world.fork(session_id, entry_id, at)
    await world.fork(session_id, written[4].id)
    assert await world.shown(session_id) == ["q", "a", "It failed.", "look", "line 3"]
