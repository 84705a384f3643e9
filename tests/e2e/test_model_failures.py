"""The model fails in every way it can: the question and what had come are kept, and the answer can be had again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import asking
from tests.e2e.support import ANSWER, REGENERATE, RETRY, Server, client, follow, open_socket, text_of
from tests.support.anthropic_reply import summary_of
from tests.support.anthropic_standin import AnthropicStandin, Reply

TEXT = "A long answer that is cut in pieces of twelve letters."
PART = TEXT[:36]


@pytest.fixture(scope="module")
def standin() -> Iterator[AnthropicStandin]:
    with AnthropicStandin() as standin:
        yield standin


@pytest.fixture(scope="module")
def server(standin: AnthropicStandin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = {"GRAPH_SESSION_HOME": str(tmp_path_factory.mktemp("home")), "GRAPH_SESSION_MODEL_IDLE_SECONDS": "1"}
    with Server(home | asking(standin)) as server:
        yield server


FAILURES = {
    "rate limited": (Reply(status=429), "RATE_LIMITED", True, ""),
    "overloaded": (Reply(status=529), "OVERLOADED", True, ""),
    "overloaded in the middle": (Reply(text=TEXT, error_after=3), "OVERLOADED", True, PART),
    "failed": (Reply(status=500), "PROVIDER_ERROR", True, ""),
    "no key": (Reply(status=401), "AUTHENTICATION", False, ""),
    "too long": (
        Reply(status=400, message="prompt is too long: 250000 tokens > 200000 maximum"),
        "PROMPT_TOO_LONG",
        False,
        "",
    ),
    "refused": (Reply(status=400, message="no"), "REFUSED_REQUEST", False, ""),
    "cut": (Reply(text=TEXT, cut_after=3), "CONNECTION", True, PART),
    "ended without an end": (Reply(text=TEXT, end_after=3), "CONNECTION", True, PART),
    "silent from the start": (Reply(text=TEXT, first_delay=30), "TIMEOUT", True, ""),
    "silent in the middle": (Reply(text=TEXT, silent_after=3), "TIMEOUT", True, PART),
    "garbage": (Reply(text=TEXT, garbage_after=3), "PROVIDER_ERROR", True, PART),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failure_keeps_the_question_and_what_had_come(
    server: Server, standin: AnthropicStandin, name: str
) -> None:
    reply, code, retryable, kept = FAILURES[name]
    standin.reset()
    async with client(server) as api, open_socket(server.port) as socket:
        session_id = await api.create()
        path = await api.line(session_id, [], ["Before?"])
        standin.default = reply
        failed = await api.try_ask(session_id, path, "Will it work?")
        assert failed["__typename"] == "ModelFailure", failed
        assert (failed["code"], failed["retryable"]) == (code, retryable)
        assert failed["message"]
        assert "test-key" not in failed["message"]
        node = failed["failed"]
        assert (node["status"], node["userContent"], node["aiContent"]) == ("FAILED", "Will it work?", kept)
        assert node["error"] == failed["message"]
        assert node == await api.node(node["nodeId"])
        assert (await api.session(session_id))["leafId"] == node["nodeId"]
        events = await follow(socket, node["nodeId"])
        assert (events[-1]["__typename"], events[-1]["code"]) == ("AnswerFailed", code)
        assert text_of(events) == kept

        standin.default = Reply()
        again = await api.run(REGENERATE, id=node["nodeId"], wait=True)
        assert again["__typename"] == "AskPayload", again
        assert again["aiAnswer"] == "Echo: Will it work?"
        assert again["node"]["parentNodeId"] == path[0]
        below = await api.ask(session_id, [*path, node["nodeId"]], "And below the failed one?")
        assert below["aiAnswer"].endswith("And below the failed one?")


async def test_a_failure_reaches_whoever_follows_it_live(server: Server, standin: AnthropicStandin) -> None:
    standin.reset()
    standin.default = Reply(text=TEXT, delay=0.1, cut_after=4)
    async with client(server) as api, open_socket(server.port) as socket:
        session_id = await api.create()
        begun = await api.ask(session_id, [], "Live?", wait=False)
        await socket.start(ANSWER, node=begun["newNodeId"], after=0)
        got = []
        while (frame := await socket.receive())["type"] == "next":
            got.append(frame["payload"]["data"]["answer"])
        assert [event["__typename"] for event in got] == ["AnswerDelta"] * (len(got) - 1) + ["AnswerFailed"]
        assert text_of(got) == got[-1]["node"]["aiContent"] == TEXT[:48]


async def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with AnthropicStandin() as standin:
        address = asking(standin)
    with Server({"GRAPH_SESSION_HOME": str(tmp_path)} | address) as server:
        async with client(server) as api:
            session_id = await api.create()
            failed = await api.try_ask(session_id, [], "Anybody?")
            assert (failed["__typename"], failed["code"], failed["retryable"]) == ("ModelFailure", "CONNECTION", True)
            assert failed["failed"]["userContent"] == "Anybody?"


async def test_a_client_that_leaves_does_not_take_its_answer_along(server: Server, standin: AnthropicStandin) -> None:
    standin.reset()
    standin.default = Reply(text=TEXT, delay=0.2)
    async with client(server) as api:
        session_id = await api.create()
        leaving = asyncio.create_task(api.try_ask(session_id, [], "Are you still there?"))
        node = await api.begun(session_id)
        leaving.cancel()
        await asyncio.wait([leaving])
        ended = await api.ended(node["nodeId"])
        assert (ended["status"], ended["aiContent"]) == ("DONE", TEXT)
        assert (await api.session(session_id))["leafId"] == node["nodeId"]


async def test_a_failed_summary_is_tried_again_and_can_be_retried_by_hand(
    standin: AnthropicStandin, tmp_path: Path
) -> None:
    standin.reset()
    standin.responder = lambda body: Reply(status=400, message="no") if summary_of(body) else None
    home = {"GRAPH_SESSION_HOME": str(tmp_path), "GRAPH_SESSION_SUMMARY_BACKOFF_SECONDS": "0.1"}
    with Server(home | {"GRAPH_SESSION_SUMMARY_ATTEMPTS": "3"} | asking(standin)) as server:
        async with client(server) as api:
            session_id = await api.create(config={"linearThreshold": 100, "keepRawCount": 1})
            path = await api.line(session_id, [], ["One?", "Two?"])
            first = (await api.summarised(session_id))[0]
            assert (first["summaryState"], first["nodeSummary"]) == ("FAILED", None)
            assert "no" in first["summaryError"]
            # While it is missing, the raw text stands in for it.
            context = await api.context(session_id)
            assert [message["source"] for message in context["messages"]] == ["RAW"] * 4
            # An overloaded provider is asked again, as often as the settings say.
            standin.responder = lambda body: Reply(text="x", error_after=0) if summary_of(body) else None
            await api.run(RETRY, id=path[0])
            first = (await api.summarised(session_id))[0]
            assert first["summaryState"] == "FAILED"
            assert "overloaded" in first["summaryError"]
            standin.responder = None
            retried = await api.run(RETRY, id=path[0])
            assert retried["__typename"] == "RetrySummaryPayload"
            first = (await api.summarised(session_id))[0]
            assert first["summaryState"] == "DONE"
            assert first["nodeSummary"].startswith("Summary of 2 lines")
            assert first["summaryError"] is None
