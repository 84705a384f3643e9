"""Branches together: compared, told of each other, merged, and what each has cost."""

from __future__ import annotations

import pytest

from graph_session.domain.content import Usage
from graph_session.domain.entries import BranchSummary, EntryType, SummaryKind, SummaryScope, SummaryState
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from tests.services.world import World, assistant, call, result, user
from tests.support.anthropic_standin import Reply


async def two_branches(world: World) -> tuple[str, list[str], list[str], list[str]]:
    """A session; the nodes that two branches share, and those of each; the leaf is at the end of the second."""
    session_id = await world.create()
    shared = [(await world.ask(session_id, f"shared {n}")).node_id for n in range(2)]
    left = [(await world.ask(session_id, f"left {n}")).node_id for n in range(3)]
    await world.fork(session_id, shared[-1])
    right = [(await world.ask(session_id, f"right {n}")).node_id for n in range(2)]
    return session_id, shared, left, right


async def test_two_branches_compared(world: World) -> None:
    _, shared, left, right = await two_branches(world)
    comparison = await world.services.branches.compare(world.who, left[-1], right[-1])
    assert comparison.common_ancestor == shared[-1]
    assert [node.node_id for node in comparison.only_a] == left
    assert [node.node_id for node in comparison.only_b] == right
    used = [(await world.node(node_id)).usage or Usage() for node_id in left]
    assert comparison.cost_a.usage == used[0].plus(used[1]).plus(used[2])
    assert comparison.cost_a.cost_usd is None
    turned = await world.services.branches.compare(world.who, right[-1], left[-1])
    assert [node.node_id for node in turned.only_a] == right
    above = await world.services.branches.compare(world.who, shared[0], left[-1])
    assert (above.common_ancestor, above.only_a) == (shared[0], [])
    assert [node.node_id for node in above.only_b] == [shared[1], *left]
    same = await world.services.branches.compare(world.who, left[0], left[0])
    assert (same.common_ancestor, same.only_a, same.only_b) == (left[0], [], [])
    assert same.cost_a.usage == Usage()
    assert same.cost_a.cost_usd == 0


async def test_roots_have_nothing_in_common_and_answers_their_question_not_as_a_node(world: World) -> None:
    session_id = await world.create()
    one = await world.ask(session_id, "one")
    again = (await world.services.ask.regenerate(world.who, one.node_id)).node
    await world.services.sessions.move_leaf(world.who, session_id, None, again.node_id)
    two = await world.ask(session_id, "two")
    apart = await world.services.branches.compare(world.who, one.node_id, two.node_id)
    assert apart.common_ancestor is None
    assert [node.node_id for node in apart.only_a] == [one.node_id]
    siblings = await world.services.branches.compare(world.who, one.node_id, again.node_id)
    assert siblings.common_ancestor is None
    assert [node.node_id for node in siblings.only_b] == [again.node_id]


async def test_an_answer_that_runs_is_compared_by_its_node(world: World) -> None:
    session_id = await world.create()
    above = await world.ask(session_id, "q1")
    one = await world.ask(session_id, "q2")
    two = (await world.services.ask.regenerate(world.who, one.node_id)).node
    world.standin.queue.append(Reply(first_delay=30))
    running = (await world.services.ask.regenerate(world.who, one.node_id, wait=False)).node
    compare = world.services.branches.compare
    # The question that all three have in common is being answered, which is not in common.
    siblings = await compare(world.who, one.node_id, two.node_id)
    assert siblings.common_ancestor == above.node_id
    with_running = await compare(world.who, one.node_id, running.node_id)
    assert with_running.common_ancestor == above.node_id
    assert [node.node_id for node in with_running.only_a] == [one.node_id]
    assert [node.node_id for node in with_running.only_b] == [running.node_id]
    assert with_running.cost_b.usage == Usage()
    same = await compare(world.who, running.node_id, running.node_id)
    assert (same.common_ancestor, same.only_a, same.only_b) == (running.node_id, [], [])
    await world.services.ask.cancel(world.who, running.node_id)


async def test_a_question_is_a_node_of_the_branch_alone_that_left_it_open(world: World) -> None:
    session_id = await world.create()
    top = await world.append(session_id, user("q0"), assistant("a0"))
    left_open = await world.append(session_id, user("q1"), user("q2"), assistant("a2"))
    answered = await world.append(session_id, assistant("a1"), parent_id=left_open[0].id)
    comparison = await world.services.branches.compare(world.who, left_open[2].id, answered[0].id)
    assert comparison.common_ancestor == top[1].id
    assert [node.node_id for node in comparison.only_a] == [left_open[0].id, left_open[2].id]
    assert [node.node_id for node in comparison.only_b] == [answered[0].id]
    also = await world.append(session_id, user("q3"), assistant("a3"), parent_id=left_open[0].id)
    both = await world.services.branches.compare(world.who, left_open[2].id, also[1].id)
    assert both.common_ancestor == left_open[0].id
    assert [node.node_id for node in both.only_b] == [also[1].id]


async def test_what_cannot_be_compared(world: World) -> None:
    session_id, other = await world.create(), await world.create()
    here, there = await world.ask(session_id, "q"), await world.ask(other, "q")
    compare = world.services.branches.compare
    with pytest.raises(InvalidInput, match="different sessions"):
        await compare(world.who, here.node_id, there.node_id)
    for a, b in ((here.node_id, new_id()), (new_id(), here.node_id)):
        with pytest.raises(NotFound):
            await compare(world.who, a, b)
    with pytest.raises(NotFound):
        await compare(Principal("somebody else"), here.node_id, here.node_id)


async def test_a_branch_is_told_what_happened_on_another(world: World) -> None:
    session_id, shared, left, right = await two_branches(world)
    summary, session = await world.services.branches.summarize(world.who, left[-1], None)
    assert isinstance(summary.body, BranchSummary)
    assert (summary.body.scope, summary.body.from_id) == (SummaryScope.BRANCH, left[-1])
    assert (summary.parent_id, session.leaf_id) == (right[-1], summary.id)
    raw = await world.shown(session_id)
    assert raw[-1] == "Echo: right 1"
    assert (await world.context(session_id)).omitted[-1].reason == "a summary whose text is not there yet"
    await world.summarise()
    landed = await world.entry(summary.id)
    assert landed.summary.state is SummaryState.DONE
    assert landed.summary.branch_summary == "Summary of 6 lines, from: left 0 to: Echo: left 2"
    told = f"BRANCH_SUMMARY: {landed.summary.branch_summary}"
    assert (await world.shown(session_id))[-1] == told
    # It stays where it stands, and is no boundary.
    await world.ask(session_id, "so?")
    assert (await world.shown(session_id))[-3:] == [told, "so?", "Echo: so?"]
    assert told not in await world.shown(session_id, left[-1])
    assert shared


async def test_a_branch_merged_into_another_takes_the_leaf_there(world: World) -> None:
    session_id, _, left, right = await two_branches(world)
    edits = [user("change it"), call("1", "", "edit", path="a.py"), result("1", "ok"), assistant("changed")]
    tip = (await world.append(session_id, *edits, parent_id=right[-1]))[-1]
    summary, session = await world.services.branches.summarize(world.who, tip.id, left[-1])
    assert summary.parent_id == left[-1]
    assert session.leaf_id == summary.id
    assert isinstance(summary.body, BranchSummary)
    assert summary.body.details == {"readFiles": [], "modifiedFiles": ["a.py"]}
    await world.summarise()
    assert (await world.shown(session_id))[-1].startswith("BRANCH_SUMMARY: Summary of 8 lines, from: right 0")
    assert await world.active_path(session_id) == await world.services.storage.active_path(left[-1])
    # A branch that was told something carries it on, files and all.
    again, _ = await world.services.branches.summarize(world.who, summary.id, right[-1])
    assert isinstance(again.body, BranchSummary)
    assert again.body.details == {"readFiles": [], "modifiedFiles": ["a.py"]}


async def test_what_cannot_be_summarised(world: World) -> None:
    session_id, shared, left, right = await two_branches(world)
    summarize = world.services.branches.summarize
    before = await world.counts(session_id)
    for from_id, into in ((shared[-1], left[-1]), (right[-1], right[-1]), (right[-1], None)):
        with pytest.raises(InvalidInput, match="Nothing happened"):
            await summarize(world.who, from_id, into)
    other = await world.ask(await world.create(), "q")
    with pytest.raises(InvalidInput, match="different sessions"):
        await summarize(world.who, left[-1], other.node_id)
    for from_id, into in ((new_id(), None), (left[-1], new_id())):
        with pytest.raises(NotFound):
            await summarize(world.who, from_id, into)
    with pytest.raises(NotFound):
        await summarize(Principal("somebody else"), left[-1], None)
    assert await world.counts(session_id) == before
    await world.services.sessions.move_leaf(world.who, session_id, None, right[-1])
    with pytest.raises(InvalidInput) as refused:
        await summarize(world.who, left[-1], None)
    assert refused.value.field == "intoId"


async def test_a_branch_is_not_brought_between_a_call_and_its_result(world: World) -> None:
    session_id, _, left, right = await two_branches(world)
    turn = [user("fix it"), call("1", "look"), call("2", "and look"), result("2", "there"), result("1", "here")]
    written = await world.append(session_id, *turn, assistant("fixed"), parent_id=right[-1])
    before = await world.counts(session_id)
    for entry in written[1:4]:
        with pytest.raises(InvalidInput, match="part a tool call") as refused:
            await world.services.branches.summarize(world.who, left[-1], entry.id)
        assert refused.value.field == "intoId"
    assert await world.counts(session_id) == before
    summary, _ = await world.services.branches.summarize(world.who, left[-1], written[4].id)
    assert summary.parent_id == written[4].id
    # At the leaf nothing is parted: the result may still come below the summary.
    waiting = await world.append(session_id, user("again"), call("3", "look"), parent_id=right[-1])
    summary, _ = await world.services.branches.summarize(world.who, left[-1], None)
    assert summary.parent_id == waiting[1].id
    await world.append(session_id, result("3", "found"), assistant("done"))
    await world.summarise()
    assert [text.split(":")[0] for text in (await world.shown(session_id))[-5:]] == [
        *("again", "look", "BRANCH_SUMMARY", "found", "done")
    ]


async def test_a_failed_summary_of_a_branch_can_be_tried_again(world: World) -> None:
    session_id, _, left, _ = await two_branches(world)
    summary, _ = await world.services.branches.summarize(world.who, left[-1], None)
    world.standin.default = Reply(status=400, message="no")
    await world.summarise()
    failed = await world.entry(summary.id)
    assert failed.summary.state is SummaryState.FAILED
    assert failed.summary.error
    world.standin.default = Reply()
    with pytest.raises(NotFound):
        await world.services.worker.retry(Principal("somebody else"), summary.id)
    node, entry = await world.services.worker.retry(world.who, summary.id)
    assert node is None
    assert entry is not None
    assert entry.summary.state is SummaryState.PENDING
    await world.summarise()
    assert (await world.entry(summary.id)).summary.branch_summary
    question = (await world.path(session_id, left[-1]))[0]
    with pytest.raises(NotFound):
        await world.services.worker.retry(world.who, question.id)


async def test_usage_of_a_path_and_of_the_session(world: World) -> None:
    session_id, shared, left, right = await two_branches(world)
    used = {node.node_id: node.usage or Usage() for node in await world.nodes(session_id)}
    path, session = await world.services.branches.costs(world.who, left[-1])
    total = Usage()
    for node_id in (*shared, *left):
        total = total.plus(used[node_id])
    assert path.usage == total
    for node_id in right:
        total = total.plus(used[node_id])
    assert session.usage == total
    # No price of this model is known.
    assert (path.cost_usd, session.cost_usd) == (None, None)
    free = {"provider": "offline", "model": "offline", "usage": {"input": 7, "output": 3, "cacheRead": 2}}
    other = await world.create()
    said = {"type": "message", "message": {"role": "assistant", "content": "a", "stopReason": "stop", **free}}
    entries = await world.append(other, user("q"), said, {"type": "custom", "customType": "c"}, user("q"), said)
    path, session = await world.services.branches.costs(world.who, entries[1].id)
    assert (path.usage, path.cost_usd) == (Usage(7, 3, 2), 0.0)
    assert (session.usage, session.cost_usd) == (Usage(14, 6, 4), 0.0)
    with pytest.raises(NotFound):
        await world.services.branches.costs(Principal("somebody else"), entries[1].id)
    with pytest.raises(NotFound):
        await world.services.branches.costs(world.who, new_id())


async def test_usage_at_a_running_node(world: World) -> None:
    session_id = await world.create()
    first = await world.ask(session_id, "q1")
    world.standin.queue.append(Reply(first_delay=30))
    running = await world.ask(session_id, "slow", wait=False)
    path, session = await world.services.branches.costs(world.who, running.node_id)
    assert path.usage == session.usage == first.usage
    await world.services.ask.cancel(world.who, running.node_id)


async def test_a_leaf_that_moves_while_a_branch_is_summarised(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    session_id, _, left, _ = await two_branches(world)
    storage = world.services.storage
    ancestor = storage.common_ancestor

    async def meanwhile(a: str, b: str) -> str | None:
        await world.append(session_id, user("meanwhile"))
        return await ancestor(a, b)

    monkeypatch.setattr(storage, "common_ancestor", meanwhile)
    with pytest.raises(LeafConflict):
        await world.services.branches.summarize(world.who, left[-1], None)
    assert EntryType.BRANCH_SUMMARY not in [entry.type for entry in await world.path(session_id)]
    assert SummaryKind.BRANCH not in [node.summary.kind for node in await world.nodes(session_id)]
