"""The command: what it prints, how it starts and how it stops."""

from __future__ import annotations

import asyncio
import signal

from graph_session import __version__
from tests.e2e.conftest import asking
from tests.e2e.support import ANSWER, ROOT, SUMMARIES, Server, client, open_socket
from tests.support.anthropic_standin import AnthropicStandin, Reply

LONG = "word " * 400


def test_the_schema_is_in_step() -> None:
    code, out, err = Server({}, command="schema").run()
    assert (code, err) == (0, "")
    assert out == (ROOT / "schema.graphql").read_text(encoding="utf-8"), "run make schema"


def test_help_and_version() -> None:
    assert Server({}, command="--version").run()[1] == f"graph-session, version {__version__}\n"
    code, out, _ = Server({}, command="--help").run()
    assert code == 0
    for command in ("serve", "worker", "schema"):
        assert f"\n  {command} " in out
    assert "--port" in Server({}, "--help").run()[1]
    code, _, err = Server({}, command="no-such-command").run()
    assert (code, "no-such-command" in err) == (2, True)


def test_settings_that_are_not_valid(home: dict[str, str]) -> None:
    for name, value, said in (
        ("GRAPH_SESSION_MAX_BODY_BYTES", "many", "GRAPH_SESSION_MAX_BODY_BYTES"),
        ("GRAPH_SESSION_LEASE_SECONDS", "-1", "GRAPH_SESSION_LEASE_SECONDS"),
        ("GRAPH_SESSION_PROVIDER", "oracle", "GRAPH_SESSION_PROVIDER"),
        ("GRAPH_SESSION_PROVIDER", "anthropic", "ANTHROPIC_API_KEY is not set"),
        ("ANTHROPIC_API_KEY", "two words", "ANTHROPIC_API_KEY has characters"),
        ("GRAPH_SESSION_ALLOWED_ORIGINS", "*", "allowed_origins"),
    ):
        code, out, err = Server(home | {name: value}).run()
        assert (code, out) == (3, ""), (name, err)
        assert said in err
        assert "Traceback" not in err
        assert "two words" not in err
    code, _, err = Server(home, command="worker").run()
    assert (code, "Set NEO4J_URI" in err) == (3, True)


async def test_a_server_says_where_it_is_and_is_quiet(home: dict[str, str]) -> None:
    server = Server(home)
    with server:
        assert f"graph_session is at http://127.0.0.1:{server.port}/" in server.announced
        async with client(server) as api, open_socket(server.port) as socket:
            about = (await api.http.get("/", headers={"Accept": "application/json"})).json()
            assert (about["name"], about["version"]) == ("graph_session", __version__)
            session_id = await api.create()
            path = await api.line(session_id, [], [f"Question {number}?" for number in range(6)])
            await api.summarised(session_id)
            await socket.run(ANSWER, "answer", node=path[-1], after=0)
            await socket.start(SUMMARIES, session=session_id)
            await api.run("query($id: ID!) { treeOutline(sessionId: $id) }", id=session_id)
            await api.post("{ nothing }")
        async with open_socket(server.port) as socket:
            await socket.start(SUMMARIES, session=session_id)
            await asyncio.sleep(0.5)
            socket.connection.transport.abort()
        await asyncio.sleep(0.2)
        code, seconds = server.stop()
        assert code == 0
        assert seconds < 5
    assert server.log == ""


async def test_a_server_that_is_told_to_stop_ends_what_it_does(home: dict[str, str], standin: AnthropicStandin) -> None:
    standin.responder = lambda _: Reply(text=LONG, delay=0.1)
    server = Server(home | asking(standin))
    with server:
        async with client(server) as api, open_socket(server.port) as following:
            session_id = await api.create()
            begun = await api.ask(session_id, [], "Long?", wait=False)
            await following.start(ANSWER, node=begun["newNodeId"], after=0)
            await following.start(SUMMARIES, "summaries", session=session_id)
            await following.receive()
            waiting = asyncio.create_task(api.try_ask(session_id, [], "Long, and waited for?"))
            await asyncio.sleep(0.5)
            code, seconds = await asyncio.to_thread(server.stop)
            assert code == 0
            assert seconds < 5
            told = await waiting
            assert (told["__typename"], told["code"], told["retryable"]) == ("ModelFailure", "INTERRUPTED", True)
            assert LONG.startswith(told["failed"]["aiContent"])
            assert told["failed"]["aiContent"]
    assert "Traceback" not in server.log
    standin.responder = None
    with server:
        async with client(server) as api:
            nodes = await api.nodes(session_id)
            assert [node["status"] for node in nodes] == ["INTERRUPTED"] * 2
            assert all(LONG.startswith(node["aiContent"]) and node["aiContent"] for node in nodes)
            assert (await api.ask(session_id, [nodes[0]["nodeId"]], "And now?"))["node"]["status"] == "DONE"


def test_ctrl_c_is_an_orderly_end_too(home: dict[str, str]) -> None:
    with Server(home) as server:
        code, seconds = server.stop(signal.SIGINT)
        assert (code, server.log) == (0, "")
        assert seconds < 5
