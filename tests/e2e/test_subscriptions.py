"""Answers and summaries over a real WebSocket: from the start, late, resumed, from another process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.conftest import NEO4J, asking, place
from tests.e2e.support import (
    ANSWER,
    ASK,
    CANCEL,
    DELETE,
    SUMMARIES,
    Api,
    Server,
    Socket,
    client,
    follow,
    open_socket,
    text_of,
)
from tests.support.anthropic_reply import last_text
from tests.support.anthropic_standin import AnthropicStandin, Reply
from tests.support.engines import EMBEDDED, EnginePool

SLOWLY = "Slowly, please."
# Two seconds of it, so that it is kept in the database several times meanwhile.
SILENTLY = "Silently, please."
LONG = "".join(f"The {number}th sentence, with 漢字 and 🏳️‍🌈. " for number in range(40))


def answer(body: dict[str, Any]) -> Reply | None:
    """A long answer that takes its time for one question, silence for another, the stand-in's own for the rest."""
    if last_text(body) == SLOWLY:
        return Reply(text=LONG, thinking="Hm. Let me see.", chunk=40, delay=0.05)
    return Reply(first_delay=60) if last_text(body) == SILENTLY else None


@dataclass(frozen=True)
class Pair:
    """Where an answer is asked for, and where it is read: the same process, or another on the same database."""

    here: Server
    there: Server


@pytest.fixture(scope="module", params=["embedded", "neo4j", "neo4j, other process"])
def pair(
    request: pytest.FixtureRequest, engine_pool: EnginePool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    engine = EMBEDDED if request.param == "embedded" else NEO4J[-1]
    with ExitStack() as stack:
        standin = stack.enter_context(AnthropicStandin())
        standin.responder = answer
        settings = place(engine, engine_pool, tmp_path_factory.mktemp("home")) | asking(standin)
        here = stack.enter_context(Server(settings))
        yield Pair(here, stack.enter_context(Server(settings)) if "other" in request.param else here)


@asynccontextmanager
async def asked(pair: Pair) -> AsyncIterator[tuple[Api, str]]:
    """A client, and the id of an answer that has just begun."""
    async with client(pair.here) as api:
        session_id = await api.create()
        begun = await api.ask(session_id, [], SLOWLY, wait=False)
        assert begun["node"]["status"] == "RUNNING"
        assert begun["aiAnswer"] is None
        yield api, begun["newNodeId"]


def check(events: list[Any], node: Any, *, before: str = "") -> None:
    """Events are in order, end once, and their text is the rest of the answer."""
    numbers = [event["sequence"] for event in events]
    assert numbers == sorted(set(numbers))
    assert [event["__typename"] for event in events[:-1]] == ["AnswerDelta"] * (len(events) - 1)
    assert events[-1]["__typename"] == "AnswerDone"
    assert before + text_of(events) == node["aiContent"] == events[-1]["node"]["aiContent"]
    assert events[-1]["node"]["status"] == "DONE"


async def test_an_answer_from_its_start_late_and_after_its_end(pair: Pair) -> None:
    async with asked(pair) as (api, node_id), AsyncExitStack() as stack:
        first, second, late = [await stack.enter_async_context(open_socket(pair.there.port)) for _ in range(3)]

        async def read_late() -> list[Any]:
            await asyncio.sleep(0.8)
            return await follow(late, node_id)

        read = await asyncio.gather(follow(first, node_id), follow(second, node_id), read_late())
        node = await api.node(node_id)
        for events in read:
            check(events, node)
        check(await follow(late, node_id, id="2"), node)


async def test_an_answer_is_resumed_after_its_socket_was_lost(pair: Pair) -> None:
    async with asked(pair) as (api, node_id):
        got: list[Any] = []
        for _ in range(3):
            async with open_socket(pair.there.port) as socket:
                await socket.start(ANSWER, node=node_id, after=got[-1]["sequence"] if got else 0)
                frame = await socket.receive()
                got.append(frame["payload"]["data"]["answer"])
                # As a network does it: without a word.
                socket.connection.transport.abort()
        async with open_socket(pair.there.port) as socket:
            events = await follow(socket, node_id, got[-1]["sequence"])
        check([*got, *events], await api.node(node_id))
        async with open_socket(pair.there.port) as socket:
            middle = got[1]["sequence"]
            check(await follow(socket, node_id, middle), await api.node(node_id), before=text_of(got[:2]))
            past = await follow(socket, node_id, 10**9, id="2")
            assert [event["__typename"] for event in past] == ["AnswerDone"]


async def test_a_cancel_keeps_what_had_come(pair: Pair) -> None:
    async with asked(pair) as (api, node_id), client(pair.there) as other, open_socket(pair.there.port) as socket:
        await socket.start(ANSWER, node=node_id, after=0)
        got = [(await socket.receive())["payload"]["data"]["answer"]]
        cancelled = await other.run(CANCEL, id=node_id)
        assert cancelled["node"]["status"] == "CANCELLED"
        while got[-1]["__typename"] == "AnswerDelta":
            got.append((await socket.receive())["payload"]["data"]["answer"])
        assert (await socket.receive())["type"] == "complete"
        node = await api.node(node_id)
        assert got[-1]["__typename"] == "AnswerDone"
        assert node == got[-1]["node"] == cancelled["node"]
        assert node["status"] == "CANCELLED"
        assert len(node["aiContent"]) < len(LONG)
        assert text_of(got) == node["aiContent"]
        # One that has ended stays as it is, and one can go on from it.
        assert (await other.run(CANCEL, id=node_id))["node"] == node
        session_id = (await api.run("query($id: ID!) { node(nodeId: $id) { entries { sessionId } } }", id=node_id))[
            "entries"
        ][0]["sessionId"]
        again = await api.ask(session_id, [node_id], SLOWLY, wait=False)
        assert (await other.run(CANCEL, id=again["newNodeId"]))["node"]["status"] == "CANCELLED"


async def test_a_cancel_while_the_model_says_nothing(pair: Pair) -> None:
    async with client(pair.here) as api, client(pair.there) as other:
        session_id = await api.create()
        waiting = asyncio.create_task(api.ask(session_id, [], SILENTLY))
        node_id = (await other.begun(session_id))["nodeId"]
        cancelled = await other.run(CANCEL, id=node_id)
        assert (cancelled["node"]["status"], cancelled["node"]["aiContent"]) == ("CANCELLED", "")
        assert (await waiting)["node"] == cancelled["node"]
        assert (await api.ask(session_id, [node_id], "And aloud?"))["aiAnswer"] == "Echo: And aloud?"


async def test_cancels_that_race_with_the_end(pair: Pair) -> None:
    async with client(pair.here) as api, client(pair.there) as other:
        session_id = await api.create()

        async def ask_and_cancel(number: int) -> str:
            begun = await api.ask(session_id, [], f"Quick {number}?", wait=False)
            await asyncio.sleep(number * 0.002)
            cancelled = await other.run(CANCEL, id=begun["newNodeId"])
            assert cancelled["node"]["status"] in ("DONE", "CANCELLED"), cancelled
            assert await api.node(begun["newNodeId"]) == cancelled["node"]
            status: str = cancelled["node"]["status"]
            return status

        statuses = await asyncio.gather(*(ask_and_cancel(number) for number in range(16)))
        session = await api.session(session_id)
        assert (session["nodeCount"], session["entryCount"]) == (16, 32)
        assert len(await api.summarised(session_id)) == len(statuses)


async def test_sockets_that_vanish_leave_nothing_behind(pair: Pair) -> None:
    async with client(pair.there) as api:
        session_id = await api.create()
        begun = await api.ask(session_id, [], SILENTLY, wait=False)
        # More than one client may have open at a time.
        for _ in range(4):
            async with AsyncExitStack() as stack:
                for _ in range(20):
                    socket = await stack.enter_async_context(open_socket(pair.there.port))
                    await socket.start(ANSWER, "answer", node=begun["newNodeId"], after=0)
                    await socket.start(SUMMARIES, "summaries", session=session_id)
                    socket.connection.transport.abort()
        async with open_socket(pair.there.port) as socket:
            await api.run(CANCEL, id=begun["newNodeId"])
            events = await follow(socket, begun["newNodeId"])
            assert events[-1]["node"]["status"] == "CANCELLED"


async def test_asking_over_the_socket_and_leaving_loses_nothing(pair: Pair) -> None:
    async with client(pair.here) as api:
        session_id = await api.create()
        question = {"sessionId": session_id, "activePath": [], "userQuestion": SLOWLY}
        async with open_socket(pair.here.port) as socket:
            await socket.start(ASK, input=question)
            node = await api.begun(session_id)
            socket.connection.transport.abort()
        ended = await api.ended(node["nodeId"])
        assert ended["status"] == "DONE"
        assert ended["aiContent"] == LONG


async def test_a_session_that_is_deleted_under_its_answer(pair: Pair) -> None:
    async with client(pair.here) as api, open_socket(pair.there.port) as socket:
        session_id = await api.create()
        begun = await api.ask(session_id, [], SLOWLY, wait=False)
        await socket.start(ANSWER, "answer", node=begun["newNodeId"], after=0)
        await socket.receive()
        await socket.start(SUMMARIES, "summaries", session=session_id)
        waiting = asyncio.create_task(
            api.try_ask(session_id, [], SLOWLY),
        )
        await asyncio.sleep(0.3)
        assert (await api.run(DELETE, id=session_id))["id"] == session_id
        assert (await waiting)["__typename"] == "NotFound"
        frames: list[Any] = []
        while sum(frame["type"] == "complete" for frame in frames) < 2:
            frames.append(await socket.receive())
        assert "NOT_FOUND" in json.dumps([frame for frame in frames if frame["id"] == "answer"])
        assert [frame["type"] for frame in frames if frame["id"] == "summaries"] == ["complete"]
        assert await api.session(session_id) is None
        assert await api.node(begun["newNodeId"]) is None
        assert (await api.run(DELETE, id=session_id))["__typename"] == "NotFound"
        for frames in (
            await socket.run(ANSWER, "again", node=begun["newNodeId"], after=0),
            await socket.run(SUMMARIES, "more", session=session_id),
        ):
            assert "NOT_FOUND" in json.dumps(frames), frames


async def summary(socket: Socket) -> Any:
    """The next that summaryCompleted brings."""
    frame = await socket.receive()
    assert frame["type"] == "next", frame
    return frame["payload"]["data"]["summaryCompleted"]


async def summaries_until(socket: Socket, node_id: str) -> list[Any]:
    """What summaryCompleted brings up to a node's summary."""
    landed: list[Any] = []
    while not landed or landed[-1]["nodeId"] != node_id:
        landed.append(await summary(socket))
    return landed


async def test_summaries_arrive_live_and_after_a_reconnect(pair: Pair) -> None:
    async with client(pair.here) as api:
        session_id = await api.create(config={"linearThreshold": 100, "keepRawCount": 1})
        async with open_socket(pair.there.port) as socket:
            await socket.start(SUMMARIES, session=session_id)
            await asyncio.sleep(0.3)
            path = await api.line(session_id, [], ["One?", "Two?"])
            [first] = await summaries_until(socket, path[0])
            assert (first["kind"], first["state"]) == ("NODE", "DONE")
            assert first["summary"] == first["node"]["nodeSummary"] == (await api.node(path[0]))["nodeSummary"]
            socket.connection.transport.abort()
        path = await api.line(session_id, path, ["Three?", "Four?"])
        await api.summarised(session_id)
        async with open_socket(pair.there.port) as socket:
            # Those that ended while nobody listened, in the order in which they did, and then the live ones. Workers of
            # two servers make them, so that the later turn's may end first.
            await socket.start(SUMMARIES, session=session_id, after=first["revision"])
            missed = [await summary(socket) for _ in range(2)]
            assert {landed["nodeId"] for landed in missed} == set(path[1:3])
            assert missed[0]["revision"] < missed[1]["revision"]
            # What one client claims to have seen is nothing to another on the same session.
            await socket.start(SUMMARIES, "ahead", session=session_id, after=10**6)
            path = await api.line(session_id, path, ["Five?"])
            assert [landed["nodeId"] for landed in await summaries_until(socket, path[3])] == [path[3]]
            branch = await api.ask(session_id, path[:1], "Another way?")
            await summaries_until(socket, path[0])
            await socket.start(SUMMARIES, "all", session=session_id, after=0)
            seen = [await summary(socket) for _ in range(4)]
            assert sorted((landed["kind"], landed["nodeId"]) for landed in seen) == [
                ("ANCHOR", path[0]),
                *(("NODE", node_id) for node_id in sorted(path[1:4])),
            ]
            revisions = [landed["revision"] for landed in seen]
            assert revisions == sorted(revisions)
            assert branch["node"]["status"] == "DONE"
