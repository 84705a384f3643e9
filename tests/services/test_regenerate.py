"""Answering again sends what answering the first time would."""

from __future__ import annotations

from typing import Any

from graph_session.domain.nodes import DialogueNode
from tests.services.world import SMALL_WINDOW_MODEL, World, assistant, types, user

IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def sent(world: World) -> list[tuple[str, list[Any]]]:
    """The last request's messages, without the marks of what may be cached."""

    def bare(block: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in block.items() if name != "cache_control"}

    return [(it["role"], [bare(block) for block in it["content"]]) for it in world.standin.requests[-1]["messages"]]


async def regenerated(world: World, node: DialogueNode) -> list[tuple[str, list[Any]]]:
    await world.services.ask.regenerate(world.who, node.node_id)
    return sent(world)


async def test_an_anchor_inside_the_raw_window_leaves_whole_turns_in_it(world: World) -> None:
    session_id = await world.create()
    above = [(await world.ask(session_id, f"q{n}")).node_id for n in range(1, 4)]
    await world.ask(session_id, "one way")
    await world.fork(session_id, above[-1])
    await world.ask(session_id, "another")
    await world.summarise()
    assert (await world.node(above[-1])).summary.anchor_summary
    asked = (await world.services.ask.ask(world.who, session_id, above, "a third")).node
    first = sent(world)
    texts = [block["text"] for _, blocks in first for block in blocks]
    assert texts[1:] == ["q1", "Echo: q1", "q2", "Echo: q2", "q3", "Echo: q3", "a third"]
    assert await regenerated(world, asked) == first


async def test_a_question_with_a_picture_is_sent_with_it(world: World) -> None:
    session_id = await world.create()
    message = {"role": "user", "content": [{"type": "text", "text": "What is this?"}, IMAGE]}
    written = await world.append(session_id, {"type": "message", "message": message}, assistant("A cat."))
    [(role, blocks)] = await regenerated(world, await world.node(written[1].id))
    assert (role, [block["type"] for block in blocks]) == ("user", ["text", "image"])
    alone = {"type": "message", "message": {"role": "user", "content": [IMAGE]}}
    written = await world.append(session_id, user("Look:"), assistant("Yes?"), alone, assistant("A dog."))
    assert [block["type"] for block in (await regenerated(world, await world.node(written[3].id)))[-1][1]] == ["image"]


async def test_a_first_question_has_nothing_above_it_wherever_the_leaf_stands(world: World) -> None:
    session_id = await world.create()
    node = await world.ask(session_id, "first")
    await world.services.sessions.move_leaf(world.who, session_id, None, node.node_id)
    await world.services.changes.change_model(world.who, session_id, "anthropic", "claude-haiku-5-5")
    assert await regenerated(world, node) == [("user", [{"type": "text", "text": "first"}])]
    assert world.standin.requests[-1]["model"] == "claude-opus-5"


async def test_what_does_not_fit_another_model_is_compacted_below_the_question(world: World) -> None:
    config = {"reserve_tokens": 1000, "keep_recent_tokens": 900, "anchor_budget_tokens": 400, "linear_threshold": 500}
    session_id = await world.create(**config)
    long = "word " * 250
    await world.append(session_id, *[it for n in range(8) for it in (user(f"q{n} {long}"), assistant(f"a{n} {long}"))])
    node = await world.ask(session_id, "and now?")
    await world.services.sessions.update(world.who, session_id, {"model": SMALL_WINDOW_MODEL})
    messages = await regenerated(world, node)
    texts = [block["text"] for _, blocks in messages for block in blocks]
    assert texts[-1] == "and now?"
    assert sum(map(len, texts)) / 4 < 3096
    assert types(await world.path(session_id))[-3:] == ["message", "compaction", "message"]
    assert (await world.node((await world.leaf(session_id)).id)).question_id == node.question_id
    assert (await world.services.verify.verify(world.who, session_id)).problems == ()
