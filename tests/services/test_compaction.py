"""Compaction as it happens: before a question that would not fit, when the provider says so, and by hand."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from graph_session.domain.content import ToolCallBlock
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import Compaction, Entry, EntryType, Role
from graph_session.domain.errors import InvalidInput, LeafConflict, ModelFailure, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import NodeStatus
from graph_session.domain.principal import Principal
from tests.services.world import SMALL_WINDOW_MODEL, World, assistant, call, result, types, user
from tests.support.anthropic_reply import SUMMARY_PROMPT
from tests.support.anthropic_standin import Reply

TOO_LONG = "prompt is too long: 1000001 tokens > 1000000 maximum"


def long(text: str, tokens: int) -> str:
    return f"{text} " + "word" * tokens


def turns(first: int, last: int, tokens: int = 200) -> list[dict[str, Any]]:
    return [
        it for n in range(first, last + 1) for it in (user(long(f"q{n}", tokens)), assistant(long(f"a{n}", tokens)))
    ]


def compactions(path: list[Entry]) -> list[Compaction]:
    return [entry.body for entry in path if isinstance(entry.body, Compaction)]


def asked_for_summaries(world: World) -> list[dict[str, Any]]:
    systems = [(body, body.get("system") or [{"text": ""}]) for body in world.standin.requests]
    return [body for body, system in systems if system[0]["text"].startswith(SUMMARY_PROMPT)]


async def small(world: World, **config: int) -> str:
    """A session whose model has a window of 4,096 tokens, of which 1,000 are kept free."""
    given = {"reserve_tokens": 1000, "keep_recent_tokens": 900, "anchor_budget_tokens": 400, "linear_threshold": 500}
    return await world.create(SMALL_WINDOW_MODEL, **(given | config))


def pairs(context: AssembledContext) -> tuple[set[str], set[str | None]]:
    calls = {block.id for it in context.messages for block in it.content if isinstance(block, ToolCallBlock)}
    return calls, {it.tool_call_id for it in context.messages if it.role == Role.TOOL_RESULT}


async def test_a_question_that_would_not_fit_is_asked_below_a_compaction(world: World) -> None:
    session_id = await small(world)
    written = await world.append(session_id, *turns(1, 8))
    node = await world.ask(session_id, "does it fit?")
    path = await world.path(session_id)
    assert types(path)[16:] == [EntryType.COMPACTION, EntryType.MESSAGE, EntryType.MESSAGE]
    (made,) = compactions(path)
    # As many whole turns as 900 tokens hold.
    assert made.first_kept_entry_id == written[12].id
    assert path[16].place.kept_depth == 12
    assert made.tokens_before > 3096
    assert made.summary.startswith("Summary of 12 lines, from: q1")
    assert (node.status, node.parent_node_id) == (NodeStatus.DONE, written[-1].id)
    sent = [block["text"].split(" ")[0] for it in world.standin.requests[-1]["messages"] for block in it["content"]]
    assert sent[1:] == ["q7", "a7", "q8", "a8", "does"]
    assert made.summary in world.standin.requests[-1]["messages"][0]["content"][0]["text"]
    context = await world.context(session_id)
    assert context.boundary_id == path[16].id
    assert context.total_tokens < context.full_history_tokens
    # What fits is not compacted again.
    await world.ask(session_id, "and now?")
    assert len(compactions(await world.path(session_id))) == 1
    assert len(asked_for_summaries(world)) == 1


async def test_the_next_compaction_goes_on_from_the_one_before(world: World) -> None:
    session_id = await small(world)
    await world.append(session_id, *turns(1, 8))
    await world.ask(session_id, "first?")
    await world.append(session_id, *turns(11, 17))
    await world.ask(session_id, "second?")
    first, second = compactions(await world.path(session_id))
    assert second.summary.startswith(first.summary)
    assert "from: q7" in second.summary.removeprefix(first.summary)
    shown = await world.shown(session_id)
    assert shown[0] == f"COMPACTION: {second.summary}"
    assert sum(text.startswith("COMPACTION") for text in shown) == 1
    # Before it, the first one holds; before that, everything is raw.
    path = await world.path(session_id)
    marks = [at for at, entry in enumerate(path) if isinstance(entry.body, Compaction)]
    assert (await world.shown(session_id, path[marks[1] - 1].id))[0] == f"COMPACTION: {first.summary}"
    assert (await world.shown(session_id, path[marks[0] - 1].id))[0].startswith("q1")


async def test_a_branch_from_before_a_compaction_does_not_know_of_it(world: World) -> None:
    session_id = await small(world)
    written = await world.append(session_id, *turns(1, 8))
    seen = {entry.id: await world.context(session_id, entry.id) for entry in written}
    await world.ask(session_id, "does it fit?")
    await world.append(session_id, *turns(20, 21), parent_id=written[13].id)
    for entry in written:
        assert await world.context(session_id, entry.id) == seen[entry.id]
    assert (await world.shown(session_id))[0].startswith("q1")


async def test_pairs_stay_whole_and_files_are_remembered(world: World) -> None:
    session_id = await small(world, keep_recent_tokens=600)
    forms = [user(long("fix it", 300))]
    for n in range(12):
        name = ("read", "edit", "write")[n % 3]
        forms += [
            call(f"c{n}", long("now", 80), name=name, path=f"f{n % 4}.py"),
            result(f"c{n}", long("ok", 150), name),
        ]
    await world.append(session_id, *forms, assistant(long("done", 50)))
    await world.ask(session_id, "what next?")
    path = await world.path(session_id)
    (made,) = compactions(path)
    kept = next(entry for entry in path if entry.id == made.first_kept_entry_id)
    assert isinstance(kept.body, type(path[0].body))
    assert kept.body.role is Role.ASSISTANT
    before = path[: path.index(kept)]
    named = {
        block.arguments["path"]: block.name
        for entry in before
        for block in getattr(entry.body, "content", ())
        if isinstance(block, ToolCallBlock)
    }
    assert made.details is not None
    assert {*made.details["readFiles"], *made.details["modifiedFiles"]} == set(named)
    calls, results = pairs(await world.context(session_id))
    assert calls == results
    assert calls
    assert {f"c{n}" for n in range(12)} - calls
    # Carried over, also from a summary of another branch on the path.
    told = {"type": "branch_summary", "fromId": path[0].id, "summary": "elsewhere"}
    details = {"readFiles": ["elsewhere.py"], "modifiedFiles": ["there.py"]}
    await world.append(session_id, told | {"details": details}, *turns(1, 8))
    await world.ask(session_id, "and then?")
    second = compactions(await world.path(session_id))[-1]
    assert second.details is not None
    assert {"elsewhere.py", *made.details["readFiles"]} <= {
        *second.details["readFiles"],
        *second.details["modifiedFiles"],
    }
    assert {"there.py", *made.details["modifiedFiles"]} <= set(second.details["modifiedFiles"])


async def test_a_prompt_that_is_too_long_is_compacted_and_sent_once_more(world: World) -> None:
    session_id = await world.create(keep_recent_tokens=500, linear_threshold=500)
    written = await world.append(session_id, *turns(1, 6))
    world.standin.queue.append(Reply(status=400, message=TOO_LONG))
    node = await world.ask(session_id, "does it fit?")
    assert (node.status, node.ai_content) == (NodeStatus.DONE, "Echo: does it fit?")
    path = await world.path(session_id)
    assert types(path)[12:] == [EntryType.MESSAGE, EntryType.COMPACTION, EntryType.MESSAGE]
    (made,) = compactions(path)
    assert made.first_kept_entry_id == written[10].id
    assert (await world.session(session_id)).leaf_id == node.node_id == path[-1].id
    assert (node.parent_node_id, await world.active_path(session_id)) == (
        written[-1].id,
        [*(entry.id for entry in written[1::2]), node.node_id],
    )
    sent = [block["text"].split(" ")[0] for it in world.standin.requests[-1]["messages"] for block in it["content"]]
    assert sent[1:] == ["q6", "a6", "does"]
    # The next question finds all of it in its place.
    await world.ask(session_id, "and now?")
    assert [text.split(" ")[0] for text in await world.shown(session_id)][1:] == [
        "q6",
        "a6",
        "does",
        "Echo:",
        "and",
        "Echo:",
    ]


async def test_a_prompt_that_stays_too_long_is_not_tried_again(world: World) -> None:
    session_id = await world.create(keep_recent_tokens=500, linear_threshold=500)
    await world.append(session_id, *turns(1, 6))
    world.standin.responder = lambda body: None if body.get("system") else Reply(status=400, message=TOO_LONG)
    with pytest.raises(ModelFailure) as failed:
        await world.ask(session_id, "does it fit?")
    assert failed.value.reason == "PROMPT_TOO_LONG"
    assert len(world.standin.requests) - len(asked_for_summaries(world)) == 2
    assert len(asked_for_summaries(world)) == 1
    assert failed.value.node_id is not None
    node = await world.node(failed.value.node_id)
    assert (node.status, node.user_content) == (NodeStatus.FAILED, "does it fit?")
    assert len(compactions(await world.path(session_id))) == 1


async def test_a_prompt_that_cannot_be_made_shorter_fails_at_once(world: World) -> None:
    session_id = await world.create()
    world.standin.queue.append(Reply(status=400, message=TOO_LONG))
    with pytest.raises(ModelFailure) as failed:
        await world.ask(session_id, "does it fit?")
    assert failed.value.reason == "PROMPT_TOO_LONG"
    assert len(world.standin.requests) == 1


async def test_while_a_prompt_is_made_shorter_the_leaf_waits_at_the_question(world: World) -> None:
    session_id = await world.create(keep_recent_tokens=500, linear_threshold=500)
    await world.append(session_id, *turns(1, 6))
    asked, asked_again = 0, threading.Event()

    def reply(body: dict[str, Any]) -> Reply | None:
        nonlocal asked
        if body.get("system"):
            return None
        asked += 1
        if asked == 1:
            return Reply(status=400, message=TOO_LONG)
        asked_again.set()
        return Reply(first_delay=30)

    world.standin.responder = reply
    running = await world.ask(session_id, "slow", wait=False)
    assert await asyncio.to_thread(asked_again.wait, 30)
    assert (await world.session(session_id)).leaf_id == running.question_id
    assert (await world.active_path(session_id))[-1] == running.node_id
    with pytest.raises(InvalidInput, match="answer is running"):
        await world.append(session_id, user("me too"))
    cancelled = (await world.services.ask.cancel(world.who, running.node_id)).node
    assert cancelled.status is NodeStatus.CANCELLED
    assert (await world.session(session_id)).leaf_id == running.node_id


async def test_a_compaction_that_cannot_be_made_does_not_keep_a_question_from_being_asked(world: World) -> None:
    session_id = await small(world)
    await world.append(session_id, *turns(1, 8))
    world.standin.responder = lambda body: Reply(status=400, message="no") if body.get("system") else None
    node = await world.ask(session_id, "does it fit?")
    assert node.status is NodeStatus.DONE
    assert compactions(await world.path(session_id)) == []


async def test_a_compaction_is_not_written_for_a_question_that_is_not(world: World) -> None:
    session_id = await small(world)
    await world.append(session_id, *turns(1, 8))
    before = await world.counts(session_id)
    with pytest.raises(LeafConflict):
        await world.ask(session_id, "does it fit?", expected_leaf=new_id())
    assert await world.counts(session_id) == before


async def test_by_hand_with_instructions(world: World) -> None:
    session_id = await world.create(linear_threshold=500)
    written = await world.append(session_id, *turns(1, 6))
    compact = world.services.ask.compact
    made, session = await compact(world.who, session_id, instructions="Keep the numbers.", keep_recent=900)
    assert made is not None
    assert isinstance(made.body, Compaction)
    assert made.body.first_kept_entry_id == written[8].id
    assert session.leaf_id == made.id
    (asked,) = asked_for_summaries(world)
    assert "Keep the numbers." in asked["messages"][0]["content"][0]["text"]
    assert [text.split(" ")[0] for text in await world.shown(session_id)] == ["COMPACTION:", "q5", "a5", "q6", "a6"]
    node = await world.ask(session_id, "go on")
    assert node.parent_node_id == written[-1].id
    nothing, _ = await compact(world.who, session_id, keep_recent=0)
    assert nothing is not None


async def test_one_that_would_not_shrink_the_context_is_not_written(world: World) -> None:
    session_id = await world.create()
    await world.append(session_id, user("q1"), assistant("a1"), user("q2"), assistant("a2"))
    before = await world.counts(session_id)
    made, session = await world.services.ask.compact(world.who, session_id, keep_recent=5)
    assert made is None
    assert session.revision == before[0]
    assert await world.counts(session_id) == before
    assert await world.shown(session_id) == ["q1", "a1", "q2", "a2"]


async def test_one_that_did_not_shrink_the_context_is_not_tried_again(world: World) -> None:
    session_id = await small(world, keep_recent_tokens=5)
    written = await world.append(session_id, user("q1"), assistant("a1"), user("q2"), assistant("a2"))
    for attempt in range(3):
        await world.fork(session_id, written[-1].id)
        node = await world.ask(session_id, long(f"too long {attempt}", 4000))
        assert node.status is NodeStatus.DONE
        assert len(asked_for_summaries(world)) == 1
    assert compactions(await world.path(session_id)) == []


async def test_nothing_to_compact(world: World) -> None:
    session_id = await world.create()
    compact = world.services.ask.compact
    assert (await compact(world.who, session_id))[0] is None
    await world.append(session_id, user("q1"), assistant("a1"))
    assert (await compact(world.who, session_id))[0] is None
    assert world.standin.requests == []


async def test_what_cannot_be_compacted(world: World) -> None:
    session_id = await world.create()
    compact = world.services.ask.compact
    await world.append(session_id, *turns(1, 6))
    with pytest.raises(InvalidInput) as refused:
        await compact(world.who, session_id, keep_recent=-1)
    assert refused.value.field == "keepRecentTokens"
    with pytest.raises(InvalidInput):
        await compact(world.who, session_id, instructions=" ")
    with pytest.raises(NotFound):
        await compact(Principal("somebody else"), session_id)
    with pytest.raises(NotFound):
        await compact(world.who, new_id())
    world.standin.queue.append(Reply(status=400, message="no"))
    before = await world.counts(session_id)
    with pytest.raises(ModelFailure):
        await compact(world.who, session_id, keep_recent=300)
    assert await world.counts(session_id) == before


async def test_anchors_above_and_below_a_compaction(world: World) -> None:
    session_id = await world.create(linear_threshold=4, keep_raw_count=1)
    for n in range(1, 6):
        await world.ask(session_id, long(f"q{n}", 150))
    await world.summarise()
    anchor = next(node for node in await world.nodes(session_id) if node.summary.is_anchor)
    assert anchor.summary.anchor_summary
    made, _ = await world.services.ask.compact(world.who, session_id, keep_recent=250)
    assert made is not None
    assert isinstance(made.body, Compaction)
    # It goes on from the anchor above it, and is the boundary from now on.
    assert made.body.summary.startswith(anchor.summary.anchor_summary)
    assert (await world.context(session_id)).boundary_id == made.id
    assert (await world.context(session_id, anchor.entry_id)).boundary_id == anchor.node_id
    for n in range(6, 11):
        await world.ask(session_id, f"q{n}")
    await world.summarise()
    context = await world.context(session_id)
    below = next(node for node in await world.nodes(session_id) if node.node_id == context.boundary_id)
    assert below.summary.anchor_summary is not None
    assert below.summary.anchor_summary.startswith(made.body.summary)
    assert (await world.shown(session_id))[0] == f"ANCHOR_SUMMARY: {below.summary.anchor_summary}"


async def test_a_branch_that_is_still_being_summarised_stays_below_the_cut(world: World) -> None:
    session_id = await world.create(linear_threshold=500)
    shared = (await world.append(session_id, *turns(1, 2)))[-1]
    other = (await world.append(session_id, user("elsewhere"), assistant("42")))[-1]
    await world.append(session_id, *turns(3, 4), parent_id=shared.id)
    summary, _ = await world.services.branches.summarize(world.who, other.id, None)
    await world.append(session_id, *turns(5, 6))
    made, _ = await world.services.ask.compact(world.who, session_id, keep_recent=0)
    assert made is not None
    await world.summarise()
    told = (await world.entry(summary.id)).summary.branch_summary
    assert told is not None
    assert f"BRANCH_SUMMARY: {told}" in await world.shown(session_id)
    # With its text there it is summarised like the rest.
    again, _ = await world.services.ask.compact(world.who, session_id, keep_recent=0)
    assert again is not None
    assert len(await world.shown(session_id)) < 4
