"""Several nodes at once, and what of them is drawn."""

from __future__ import annotations

import pytest

from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import NodeStatus
from graph_session.domain.principal import Principal
from tests.services.world import World
from tests.support.anthropic_standin import Reply


async def test_nodes_are_their_owners(world: World) -> None:
    session_id, other_id = await world.create(), await world.create()
    first = await world.ask(session_id, "q1")
    elsewhere = await world.ask(other_id, "q2")
    world.standin.queue.append(Reply(first_delay=0.5))
    running = await world.ask(session_id, "q3", wait=False)
    tree, who, stranger = world.services.tree, world.who, Principal("somebody else")
    ids = [running.node_id, new_id(), elsewhere.node_id, first.node_id]
    shown = await tree.nodes(who, ids)
    assert [None if node is None else node.status for node in shown] == [
        *(NodeStatus.RUNNING, None, NodeStatus.DONE, NodeStatus.DONE)
    ]
    assert await tree.nodes(stranger, ids) == [None] * 4
    rows = (await tree.outline_of(who, session_id, ids)).items
    assert [row[:3] for row in rows] == [
        [first.node_id, None, "DONE"],
        [running.node_id, first.node_id, "RUNNING"],
    ]
    with pytest.raises(NotFound):
        await tree.outline_of(stranger, session_id, ids)
    for refused in (tree.nodes(who, ["x"] * 501), tree.outline_of(who, session_id, ["x"] * 501)):
        with pytest.raises(InvalidInput, match="501 ids; at most 500"):
            await refused


async def test_the_context_at_an_answer_that_runs_is_what_it_is_sent(world: World) -> None:
    session_id, other_id = await world.create(), await world.create()
    first = await world.ask(session_id, "q1")
    world.standin.queue.append(Reply(first_delay=30))
    running = await world.ask(session_id, "q2", wait=False)
    await world.fork(session_id, first.node_id)
    assert await world.shown(session_id, running.node_id) == ["q1", "Echo: q1", "q2"]
    for session, who in ((other_id, world.who), (session_id, Principal("somebody else"))):
        with pytest.raises(NotFound):
            await world.services.tree.context(who, session, entry_id=running.node_id)
    await world.services.ask.cancel(world.who, running.node_id)


async def test_what_stands_beside_an_answer_that_has_just_ended_is_no_part_of_it(world: World) -> None:
    session_id = await world.create()
    first = await world.ask(session_id, "q1")
    second = await world.ask(session_id, "q2")
    notice = {"type": "custom_message", "customType": "build", "content": "Beside it."}
    (beside,) = await world.append(session_id, notice, parent_id=second.question_id)
    storage = world.services.storage
    assert await storage.nodes_with([beside.id]) == {beside.id: first.node_id}
    assert await storage.tips([beside.id], 5) == {beside.id: [first.node_id]}
    assert await storage.nodes_with([second.question_id or ""]) == {second.question_id: second.node_id}
