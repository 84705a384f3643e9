"""What subscribers hear of: changes of a session, and summaries that are no node's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from graph_session.domain.entries import SummaryKind, SummaryState
from graph_session.domain.errors import NotFound
from graph_session.domain.principal import Principal
from graph_session.services.follow import ChangeKind, SessionChanged
from tests.services.world import World, assistant, user
from tests.support.anthropic_standin import Reply


async def heard(events: AsyncGenerator[SessionChanged, None], revision: int) -> list[SessionChanged]:
    """What is heard until a revision has been told of."""
    found: list[SessionChanged] = []
    async with asyncio.timeout(10):
        while not found or found[-1].session.revision < revision:
            found.append(await anext(events))
    return found


async def test_each_kind_of_change(world: World) -> None:
    session_id = await world.create(linear_threshold=2, keep_raw_count=1)
    services, who = world.services, world.who
    async with aclosing(services.follow.changes(who, session_id, None)) as events:
        first = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0.1)
        written = await world.append(session_id, user("q"), assistant("a"))
        change = await first
        assert (change.kind, change.node_ids) == (ChangeKind.ENTRIES, [written[1].id])
        assert change.session == await world.session(session_id)

        await services.sessions.update(who, session_id, {"name": "new"})
        assert (await anext(events)).kind is ChangeKind.SESSION

        await services.sessions.move_leaf(who, session_id, None, written[1].id)
        moved = await anext(events)
        # The move is an entry too: its record.
        assert (moved.kind, moved.node_ids, moved.session.leaf_id) == (ChangeKind.ENTRIES, [], None)
        await services.sessions.move_leaf(who, session_id, written[1].id, None)
        assert (await anext(events)).kind is ChangeKind.LEAF

        world.standin.queue.append(Reply(first_delay=0.3))
        running = await world.ask(session_id, "q2", wait=False)
        begun = await anext(events)
        assert (begun.kind, begun.node_ids) == (ChangeKind.ENTRIES, [running.node_id])
        ended = await anext(events)
        # The node that is now to be summarised is drawn another way.
        assert (ended.kind, ended.node_ids) == (ChangeKind.ENTRIES, [running.node_id, written[1].id])
        await world.summarise()
        summarised = (await heard(events, (await world.session(session_id)).revision))[-1]
        assert (summarised.kind, summarised.node_ids) == (ChangeKind.SUMMARY, [written[1].id])


async def test_a_resumed_follower_hears_at_once_that_something_has_changed(world: World) -> None:
    session_id = await world.create(linear_threshold=2, keep_raw_count=1)
    before = (await world.session(session_id)).revision
    nodes = [(await world.ask(session_id, f"q{n}")).node_id for n in range(2)]
    await world.summarise()
    async with aclosing(world.services.follow.changes(world.who, session_id, before)) as events:
        change = (await heard(events, (await world.session(session_id)).revision))[-1]
        assert (change.kind, change.node_ids) == (ChangeKind.CHANGED, [nodes[0]])
        third = await world.ask(session_id, "q3")
        later = await heard(events, (await world.session(session_id)).revision)
        assert {it.kind for it in later} == {ChangeKind.ENTRIES}
        # And the second one is to be summarised.
        assert {node_id for it in later for node_id in it.node_ids} == {third.node_id, nodes[1]}


async def test_following_ends_with_the_session_and_is_nobody_elses(world: World) -> None:
    session_id = await world.create()
    with pytest.raises(NotFound):
        await anext(world.services.follow.changes(Principal("somebody else"), session_id, None))
    async with aclosing(world.services.follow.changes(world.who, session_id, None)) as events:
        waiting = asyncio.ensure_future(anext(events, None))
        await asyncio.sleep(0.1)
        await world.services.sessions.delete(world.who, session_id)
        async with asyncio.timeout(10):
            assert await waiting is None


async def test_a_summary_of_a_branch_is_heard_of(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "q1")
    forked = await world.fork(session_id, node.node_id, summarize=True)
    assert forked.branch_summary is not None
    async with aclosing(world.services.follow.summaries(world.who, session_id, forked.session.revision)) as events:
        await world.summarise()
        async with asyncio.timeout(10):
            landed = await anext(events)
    assert (landed.kind, landed.node, landed.entry.id) == (SummaryKind.BRANCH, None, forked.branch_summary.id)
    assert landed.entry.summary.state is SummaryState.DONE
    assert landed.entry.summary.branch_summary
