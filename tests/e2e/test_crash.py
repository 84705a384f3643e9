"""`kill -9` in the middle of answering and of summarising: nothing acknowledged is lost, and the next start goes on."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

import pytest

from tests.api.support import until
from tests.e2e.conftest import asking
from tests.e2e.support import ANSWER, CANCEL, FORK, Api, Server, check_tree, client, open_socket
from tests.support.anthropic_reply import last_text, summary_of
from tests.support.anthropic_standin import AnthropicStandin, Reply

LONG = "".join(f"Sentence {number} of a long answer. " for number in range(60))
KILLS = 20


@dataclass
class Known:
    """What the client was told, and so what must be there."""

    questions: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)


def behave(standin: AnthropicStandin) -> None:
    """Answers to "Long…" take seconds, summaries half a second, others no time."""

    def respond(body: dict[str, object]) -> Reply | None:
        if summary_of(body):
            return Reply(first_delay=0.5)
        return Reply(text=LONG, delay=0.02) if last_text(body).startswith("Long") else None

    standin.responder = respond


async def ask_and_lose(api: Api, server: Server, session_id: str, known: Known, time: int, seed: random.Random) -> None:
    """Ask some questions, begin long answers, and kill the server at a moment of chance."""
    path = await api.active_path(session_id)
    for number in range(1):
        question = f"Short {time}.{number}?"
        asked = await api.ask(session_id, path, question)
        known.questions.append(question)
        known.answers[asked["newNodeId"]] = asked["aiAnswer"]
        path = [*path, asked["newNodeId"]]
    for number in range(2):
        question = f"Long {time}.{number}?"
        known.questions.append(question)
        begun = await api.ask(session_id, path, question, wait=False)
        known.running.append(begun["newNodeId"])
    # An ask that is under way: the client never hears of it, so it may be there or not.
    unheard = asyncio.create_task(api.try_ask(session_id, path, f"Unheard {time}?"))
    await asyncio.sleep(seed.uniform(0, 0.9))
    server.kill()
    await asyncio.wait([unheard])
    unheard.exception()


async def check_all_there(api: Api, session_id: str, known: Known) -> None:
    """Everything known is there, unfinished answers are interrupted, and the leaf is a place of the tree."""
    nodes = await api.nodes(session_id)
    check_tree(nodes)
    by_id = {node["nodeId"]: node for node in nodes}
    heard = [node["userContent"] for node in nodes if not node["userContent"].startswith("Unheard")]
    assert sorted(heard) == sorted(known.questions)
    for node_id, answer in known.answers.items():
        assert (by_id[node_id]["status"], by_id[node_id]["aiContent"]) == ("DONE", answer)
    for node_id in known.running:
        node = by_id[node_id]
        assert node["status"] == "INTERRUPTED", node
        assert LONG.startswith(node["aiContent"])
        assert node["error"]
    session = await api.session(session_id)
    assert session["nodeCount"] == len(nodes)
    entries = await api.run("query($id: ID!) { entry(id: $id) { id sessionId } }", id=session["leafId"])
    assert entries["sessionId"] == session_id
    assert (await api.active_path(session_id))[-1] in by_id


@pytest.mark.parametrize("kills", [KILLS])
async def test_killed_again_and_again(
    request: pytest.FixtureRequest, home: dict[str, str], standin: AnthropicStandin, kills: int
) -> None:
    behave(standin)
    server = Server(home | asking(standin))
    request.addfinalizer(server.kill)
    known, seed = Known(["First?"]), random.Random(20)
    session_id = ""
    for time in range(kills):
        server.start()
        async with client(server) as api:
            if not session_id:
                session_id = await api.create(config={"linearThreshold": 3, "keepRawCount": 1})
                await api.line(session_id, [], known.questions)
            await check_all_there(api, session_id, known)
            # Closed before the server said that it is there.
            assert not [node for node in await api.nodes(session_id) if node["status"] == "RUNNING"]
            await ask_and_lose(api, server, session_id, known, time, seed)
    with server:
        async with client(server) as api:
            await check_all_there(api, session_id, known)
            nodes = await api.summarised(session_id)
            states = [node["summaryState"] for node in nodes]
            assert set(states) == {"DONE", "NONE"}
            assert all(node["anchorSummary"] for node in nodes if node["isSummaryAnchor"])
            assert sum(node["isSummaryAnchor"] for node in nodes) > kills / 4
            assert any(node["aiContent"] for node in nodes if node["status"] == "INTERRUPTED")
            # From where the crash left it, and from an interrupted answer.
            path = await api.active_path(session_id)
            assert (await api.ask(session_id, path, "And on?"))["node"]["status"] == "DONE"
            at = {"sessionId": session_id, "entryId": known.running[0], "position": "AT"}
            forked = await api.run(FORK, input=at)
            assert (await api.ask(session_id, forked["activePath"], "From there?"))["node"]["status"] == "DONE"
    assert not [line for line in server.log.splitlines() if "answer_interrupted" not in line], server.log


async def test_a_killed_server_s_work_is_taken_over(newest_neo4j: dict[str, str], standin: AnthropicStandin) -> None:
    behave(standin)
    settings = newest_neo4j | asking(standin) | {"GRAPH_SESSION_LEASE_SECONDS": "2"}
    known, seed = Known(), random.Random(5)
    survivor = Server(settings | {"GRAPH_SESSION_SUMMARY_WORKERS": "1"})
    with survivor:
        async with client(survivor) as other, open_socket(survivor.port) as socket:
            session_id = await other.create(config={"linearThreshold": 3, "keepRawCount": 1})
            for time in range(3):
                server = Server(settings).start()
                async with client(server) as api:
                    await ask_and_lose(api, server, session_id, known, time, seed)
                # Whoever follows on another process hears how it ended.
                await socket.start(ANSWER, f"{time}", node=known.running[-1], after=0)
                for node_id in known.running[-2:]:
                    assert (await other.ended(node_id))["status"] == "INTERRUPTED"
                while (frame := await socket.receive())["type"] == "next":
                    last = frame["payload"]["data"]["answer"]
                assert (last["__typename"], last["code"]) == ("AnswerFailed", "INTERRUPTED")
                nodes = [await other.ended(node["nodeId"]) for node in await other.nodes(session_id)]
                assert nodes
                await check_all_there(other, session_id, known)
            nodes = await other.summarised(session_id)
            assert all(node["anchorSummary"] for node in nodes if node["isSummaryAnchor"])
            path = await other.active_path(session_id)
            assert (await other.ask(session_id, path, "And on?"))["node"]["status"] == "DONE"


async def test_killed_in_the_middle_of_a_summary(home: dict[str, str], standin: AnthropicStandin) -> None:
    standin.responder = lambda body: Reply(silent_after=1) if summary_of(body) else None
    server = Server(home | asking(standin)).start()
    async with client(server) as api:
        session_id = await api.create(config={"linearThreshold": 100, "keepRawCount": 1})
        path = await api.line(session_id, [], ["One?", "Two?"])
        await until(lambda: any(summary_of(body) for body in standin.requests))
        server.kill()
    standin.responder = None
    with server:
        async with client(server) as api:
            nodes = await api.summarised(session_id, 5)
            assert [node["nodeId"] for node in nodes] == path
            assert nodes[0]["nodeSummary"].startswith("Summary of 2 lines")


async def test_a_cancel_of_what_a_killed_server_was_answering(
    newest_neo4j: dict[str, str], standin: AnthropicStandin
) -> None:
    behave(standin)
    settings = newest_neo4j | asking(standin) | {"GRAPH_SESSION_LEASE_SECONDS": "9"}
    server = Server(settings)
    with Server(settings) as survivor:
        async with client(survivor) as other:
            session_id = await other.create()
            with server:
                async with client(server) as api:
                    begun = await api.ask(session_id, [], "Long?", wait=False)
                    server.kill()
            cancelled = await other.run(CANCEL, id=begun["newNodeId"])
            # The lease has not run out, so that nobody may say yet how it ended.
            assert cancelled["__typename"] == "CancelAnswerPayload"
            assert cancelled["node"]["status"] == "RUNNING"
            assert (await other.ended(begun["newNodeId"]))["status"] == "INTERRUPTED"
