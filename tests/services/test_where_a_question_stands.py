"""A question stands below the leaf when its path is the leaf's own, also inside a turn; else at the node it names."""

from __future__ import annotations

import asyncio

import pytest

from tests.services.world import SMALL_WINDOW_MODEL, World, assistant, call, result, user


async def answered(world: World) -> tuple[str, dict[str, str]]:
    """A session with a first turn, and below it an answered turn with a tool and a sibling; the ids by name."""
    session_id = await world.create()
    first = await world.append(session_id, user("first"), assistant("yes"))
    turn = await world.append(session_id, user("fix it"), call("1", "look"), result("1", "code"), assistant("fixed"))
    sibling = await world.append(session_id, user("other"), assistant("way"), parent_id=first[1].id)
    names = dict(zip(("question", "call", "result", "answer"), (entry.id for entry in turn), strict=True))
    return session_id, names | {"first": first[1].id, "sibling": sibling[1].id}


@pytest.mark.parametrize("at", ["question", "result"])
async def test_a_question_asked_inside_an_answered_turn_stands_there(world: World, at: str) -> None:
    session_id, ids = await answered(world)
    await world.fork(session_id, ids[at])
    assert await world.active_path(session_id) == [ids["first"]]
    node = await world.ask(session_id, "and tests?")
    asked = await world.entry(node.question_id or "")
    assert asked.parent_id == ids[at]
    shown = ["first", "yes", "fix it"] + (["look", "code"] if at == "result" else [])
    assert await world.shown(session_id) == [*shown, "and tests?", "Echo: and tests?"]
    assert await world.active_path(session_id) == [ids["first"], ids["question"], node.node_id]
    assert node.parent_node_id == ids["question"]
    assert (await world.services.verify.verify(world.who, session_id)).problems == ()


@pytest.mark.parametrize("at", ["question", "result"])
async def test_a_model_and_a_summary_inside_an_answered_turn_hold(world: World, at: str) -> None:
    session_id, ids = await answered(world)
    forked = await world.fork(session_id, ids[at], summarize=True, label="here")
    assert forked.branch_summary is not None
    await world.services.changes.change_model(world.who, session_id, "anthropic", SMALL_WINDOW_MODEL)
    await world.summarise()
    assert await world.active_path(session_id) == [ids["first"]]
    node = await world.ask(session_id, "and tests?")
    assert (node.model, world.standin.requests[-1]["model"]) == (SMALL_WINDOW_MODEL,) * 2
    assert (await world.shown(session_id))[0].startswith("ANCHOR_SUMMARY: Summary of")
    assert forked.branch_summary.id in {entry.id for entry in await world.path(session_id)}


@pytest.mark.parametrize("at", ["question", "result"])
async def test_a_siblings_path_is_not_the_leafs(world: World, at: str) -> None:
    session_id, ids = await answered(world)
    await world.fork(session_id, ids[at])
    path = [ids["first"], ids["sibling"]]
    node = (await world.services.ask.ask(world.who, session_id, path, "here?")).node
    assert (await world.entry(node.question_id or "")).parent_id == ids["sibling"]
    assert await world.active_path(session_id) == [*path, node.node_id]


@pytest.mark.parametrize("at", ["question", "result", "answer"])
async def test_two_asks_at_once_fork_instead_of_following_each_other(world: World, at: str) -> None:
    session_id, ids = await answered(world)
    await world.fork(session_id, ids[at])
    path = await world.active_path(session_id)
    asks = (world.services.ask.ask(world.who, session_id, path, text) for text in ("one", "two"))
    nodes = [asked.node for asked in await asyncio.gather(*asks)]
    questions = [await world.entry(node.question_id or "") for node in nodes]
    assert {question.id for question in questions}.isdisjoint({question.parent_id for question in questions})
    if at == "answer":
        assert [question.parent_id for question in questions] == [ids["answer"]] * 2
    assert (await world.services.verify.verify(world.who, session_id)).problems == ()
