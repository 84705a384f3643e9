"""The database is away: when the server starts, and while it answers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.support import until
from tests.e2e.conftest import asking
from tests.e2e.proxy import Proxy
from tests.e2e.support import ANSWER, SUMMARIES, Server, client, open_socket, text_of
from tests.support.anthropic_reply import last_text, summary_of
from tests.support.anthropic_standin import AnthropicStandin, Reply

CANNOT_START = 3
LONG = "".join(f"Sentence {number}. " for number in range(40))


@pytest.fixture
def proxy(newest_neo4j: dict[str, str]) -> Iterator[Proxy]:
    with Proxy(newest_neo4j["NEO4J_URI"]) as proxy:
        yield proxy


async def test_the_database_goes_away_in_the_middle_of_an_answer_and_comes_back(
    proxy: Proxy, standin: AnthropicStandin
) -> None:
    standin.responder = lambda body: Reply(text=LONG, delay=0.03) if last_text(body) == "Long?" else None
    # A lease that runs out during the outage: nobody may take the answer for abandoned when the database is back.
    settings = {"NEO4J_URI": proxy.uri, "GRAPH_SESSION_LEASE_SECONDS": "2"} | asking(standin)
    with Server(settings) as server, Server(settings) as other:
        async with client(server) as api, open_socket(server.port) as following:
            session_id = await api.create()
            path = await api.line(session_id, [], ["Before?"])
            begun = await api.ask(session_id, path, "Long?", wait=False)
            await following.start(ANSWER, node=begun["newNodeId"], after=0)
            await following.start(SUMMARIES, "summaries", session=session_id)
            got = [(await following.receive())["payload"]["data"]["answer"]]
            waiting = asyncio.create_task(api.try_ask(session_id, path, "Long?"))
            await asyncio.sleep(0.3)
            proxy.cut()

            refused, reading, ready, alive = await asyncio.gather(
                api.try_ask(session_id, path, "During?"),
                api.post("query($id: ID!) { session(id: $id) { id } }", id=session_id),
                api.http.get("/readyz"),
                api.http.get("/healthz"),
            )
            assert (refused["__typename"], refused["code"]) == ("StorageUnavailable", "STORAGE_UNAVAILABLE")
            assert reading["errors"][0]["extensions"]["code"] == "STORAGE_UNAVAILABLE"
            assert "Traceback" not in json.dumps(reading)
            assert (ready.status_code, alive.status_code) == (503, 200)
            # It waits for the model, which has come to its end, and then for the database.
            assert (await waiting)["__typename"] == "StorageUnavailable"

            proxy.restore()
            ended = await api.ended(begun["newNodeId"])
            assert (ended["status"], ended["aiContent"]) == ("DONE", LONG)
            while got[-1]["__typename"] == "AnswerDelta":
                got.append((await following.receive())["payload"]["data"]["answer"])
            assert text_of(got) == LONG
            nodes = [await api.ended(node["nodeId"]) for node in await api.nodes(session_id)]
            assert [(node["userContent"], node["status"]) for node in nodes] == [
                ("Before?", "DONE"),
                ("Long?", "DONE"),
                ("Long?", "DONE"),
            ]
            assert (await api.ask(session_id, path, "After?"))["node"]["status"] == "DONE"
            assert (await api.http.get("/readyz")).status_code == 200
            async with client(other) as elsewhere:
                assert (await elsewhere.ask(session_id, path, "And there?"))["node"]["status"] == "DONE"


async def test_a_summary_that_was_made_while_the_database_was_away_lands(
    proxy: Proxy, standin: AnthropicStandin
) -> None:
    standin.responder = lambda body: Reply(first_delay=1) if summary_of(body) else None
    with Server({"NEO4J_URI": proxy.uri} | asking(standin)) as server:
        async with client(server) as api:
            session_id = await api.create(config={"linearThreshold": 100, "keepRawCount": 1})
            await api.line(session_id, [], ["One?", "Two?"])
            await until(lambda: any(summary_of(body) for body in standin.requests))
            proxy.cut()
            await asyncio.sleep(2)
            proxy.restore()
            nodes = await api.summarised(session_id)
            assert nodes[0]["summaryState"] == "DONE"
            assert sum(bool(summary_of(body)) for body in standin.requests) == 1


def refusal(server: Server) -> str:
    """What a server that cannot start says."""
    code, out, err = server.run()
    assert code == CANNOT_START, (code, out, err)
    assert out == ""
    assert "Traceback" not in err
    assert err.startswith("graph-session: ")
    assert err.count("\n") <= 3
    return err


def test_no_database_at_the_start() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"bolt://127.0.0.1:{taken.getsockname()[1]}"
        said = refusal(Server({"NEO4J_URI": nobody}))
        assert nobody in said
        assert "NEO4J_URI" in said
        assert nobody in refusal(Server({"NEO4J_URI": nobody}, command="worker"))
        taken.listen()
        assert "does not answer" in refusal(Server({"NEO4J_URI": nobody}))
    assert "NEO4J_URI begins with 'http'" in refusal(Server({"NEO4J_URI": "http://127.0.0.1"}))


def test_a_second_server_on_the_same_home(home: dict[str, str]) -> None:
    with Server(home):
        said = refusal(Server(home))
        assert "is in use by process" in said
        assert "GRAPH_SESSION_HOME" in said
    with Server(home):
        pass


def test_a_home_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("I am no folder")
    assert "cannot be used as the home folder" in refusal(Server({"GRAPH_SESSION_HOME": str(tmp_path / "file")}))


def test_an_address_for_others_without_a_token(home: dict[str, str]) -> None:
    for host in ("0.0.0.0", "::"):  # noqa: S104 - it is refused
        said = refusal(Server(home, "--host", host))
        assert "without a token" in said
        assert host in said


def test_a_port_that_is_taken(home: dict[str, str]) -> None:
    with Server(home) as server:
        said = refusal(Server({**home, "GRAPH_SESSION_HOME": home["GRAPH_SESSION_HOME"] + "2"}, port=server.port))
        assert f"cannot listen on 127.0.0.1:{server.port}" in said


async def test_the_token_is_needed_over_http_and_over_sockets(home: dict[str, str]) -> None:
    with Server(home | {"GRAPH_SESSION_TOKEN": "s3cret"}) as server:
        async with client(server) as api:
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "s3cret"}):
                refused = await api.http.post("/graphql", json={"query": "{ __typename }"}, headers=headers)
                assert refused.status_code == 401
                assert refused.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
            assert (await api.http.get("/healthz")).status_code == 200
        async with client(server, token="s3cret") as api:
            session_id = await api.create()
            asked = await api.ask(session_id, [], "Who?")
        for payload in (None, {"token": "wrong"}, {"Authorization": "Bearer wrong"}):
            async with open_socket(server.port, init=False) as opened:
                await opened.send({"type": "connection_init", **({"payload": payload} if payload else {})})
                assert (await opened.closed())[0] == 4403
        for payload in ({"token": "s3cret"}, {"Authorization": "Bearer s3cret"}):
            async with open_socket(server.port, init=False) as opened:
                assert (await opened.init(payload))["type"] == "connection_ack"
                frames = await opened.run(ANSWER, node=asked["newNodeId"], after=0)
                assert frames[-1]["type"] == "complete"
    assert "s3cret" not in server.log
