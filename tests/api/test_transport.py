"""Over real sockets: what clients may send, what they get, and what happens when they go away."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import struct
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from graph_session.api.transport import MAX_OPERATIONS_PER_SOCKET, encode_json
from tests.api.support import World, client, make_app, open_socket, serve, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
async def port(world: World) -> AsyncIterator[int]:
    async with serve(make_app(world)) as port:
        yield port


async def test_queries_mutations_and_subscriptions_run_over_a_socket(port: int) -> None:
    async with open_socket(port) as socket:
        assert await socket.run("{ hello }") == [
            {"id": "1", "type": "next", "payload": {"data": {"hello": "world"}}},
            {"id": "1", "type": "complete"},
        ]
        frames = await socket.run("mutation ($t: String!) { shout(text: $t) }", "2", t="héé")
        assert frames[0]["payload"] == {"data": {"shout": "HÉÉ"}}
        frames = await socket.run("subscription { count(to: 3) }", "3")
        assert [frame["payload"]["data"]["count"] for frame in frames[:-1]] == [0, 1, 2]


async def test_values_that_orjson_cannot_write_still_arrive(port: int) -> None:
    async with open_socket(port) as socket:
        frames = await socket.run("{ huge }")
        assert frames[0]["payload"]["data"]["huge"] == {"big": 2**80, "half": "\ud83d"}
    assert json.loads(encode_json({"a": [1, None, "é"]})) == {"a": [1, None, "é"]}


@pytest.mark.parametrize(
    "frame",
    [
        "[1]",
        "3",
        "null",
        "{}",
        "not json",
        '{"type": 3}',
        '{"type": "unheard_of"}',
        '{"type": "ping", "payload": 3}',
        '{"type": "subscribe", "id": ["1"], "payload": {"query": "{ hello }"}}',
        '{"type": "subscribe", "id": "1", "payload": 3}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 3}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "variables": [1]}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "operationName": {}}}',
        '{"type": "subscribe", "payload": {"query": "{ hello }"}}',
        '{"type": "complete", "id": 3}',
        "[" * 100_000,
        b"\x00binary",
    ],
)
async def test_frames_of_the_wrong_shape_close_with_4400(
    port: int, frame: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_socket(port) as socket:
        await socket.connection.send(frame)
        code, _ = await socket.closed()
    assert code == 4400
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_syntax_error_closes_with_4400_and_says_what_is_wrong(port: int) -> None:
    long_name = "x" * 500
    for query in ("{ hello", "{ hello" + " hello" * 3000 + "}", "{ hello } " + long_name):
        async with open_socket(port) as socket:
            await socket.start(query)
            code, reason = await socket.closed()
        assert code == 4400
        assert reason is not None
        assert reason.startswith("Syntax Error")


async def test_an_invalid_document_is_an_error_of_its_operation(port: int) -> None:
    async with open_socket(port) as socket:
        frames = await socket.run("{ nope }")
        assert frames[0]["type"] == "error"
        assert (await socket.run("{ hello }", "2"))[-1]["type"] == "complete"


async def test_a_socket_must_introduce_itself_in_time(world: World) -> None:
    async with serve(make_app(world, init_timeout=0.1)) as port, open_socket(port, init=False) as socket:
        assert (await socket.closed())[0] == 4408


async def test_operations_before_the_introduction_are_refused(port: int) -> None:
    async with open_socket(port, init=False) as socket:
        await socket.start("{ hello }")
        assert (await socket.closed())[0] == 4401


async def test_only_graphql_transport_ws_is_spoken(port: int) -> None:
    protocols = [Subprotocol("graphql-ws")]
    async with connect(f"ws://127.0.0.1:{port}/graphql", subprotocols=protocols, proxy=None) as old:
        await asyncio.wait_for(old.wait_closed(), 10)
        assert old.close_code == 4406


async def test_operations_per_socket_are_bounded(port: int) -> None:
    async with open_socket(port) as socket:
        for number in range(MAX_OPERATIONS_PER_SOCKET):
            await socket.start("subscription { wait }", str(number))
            assert (await socket.receive())["type"] == "next"
        frames = await socket.run("{ hello }", "too many")
        assert frames[0]["type"] == "error"
        assert "limit" in frames[0]["payload"][0]["message"]


async def test_a_client_that_stops_reading_is_let_go(world: World, caplog: pytest.LogCaptureFixture) -> None:
    async with serve(make_app(world, send_timeout=0.3)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /graphql HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        for message in (
            {"type": "connection_init"},
            {"type": "subscribe", "id": "1", "payload": {"query": "subscription { flood }"}},
            {"type": "subscribe", "id": "2", "payload": {"query": "subscription { wait }"}},
        ):
            writer.write(text_frame(json.dumps(message)))
        await until(lambda: world.running == 2)
        # Nothing is read from here on; the stream reader pauses its socket at its limit.
        await until(lambda: world.running == 0)
        writer.transport.abort()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def text_frame(text: str) -> bytes:
    """A masked text frame, with a mask of zeros."""
    body = text.encode()
    assert len(body) < 65536
    length = bytes([0x80 | len(body)]) if len(body) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(body))
    return b"\x81" + length + b"\0\0\0\0" + body


@pytest.mark.parametrize("how", ["complete", "close", "abort"])
async def test_a_generator_ends_with_its_client(
    world: World, port: int, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_socket(port) as socket:
        await socket.start("subscription { wait }")
        await socket.receive()
        assert world.running == 1
        if how == "complete":
            await socket.send({"type": "complete", "id": "1"})
        elif how == "close":
            await socket.connection.close()
        else:
            socket.connection.transport.abort()
        await until(lambda: world.running == 0)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_disconnects_during_a_flood_leave_nothing_behind(
    world: World, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    for round_ in range(20):
        async with open_socket(port) as socket:
            await socket.start("subscription { flood }", "1")
            await socket.start("subscription { wait }", "2")
            await socket.receive()
            if round_ % 2:
                socket.connection.transport.abort()
    await until(lambda: world.running == 0)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    "body",
    [
        b"3",
        b"[1]",
        b'"{ hello }"',
        b"null",
        b"",
        b"{",
        b"\xff\xfe{}",
        b"[" * 100_000,
        b'{"query": 3}',
        b'{"query": "{ hello }", "variables": [1]}',
        b'{"query": "{ hello }", "variables": "x"}',
        b'{"query": "{ hello }", "operationName": {}}',
        b'{"query": "{ hello }", "operationName": 3}',
        b'{"query": "{ hello }", "extensions": 3}',
        b'{"query": "{ hello }", "operationName": "Other"}',
        b'[{"query": "{ hello }"}]',
        b"{}",
        b'{"query": null}',
        b'{"query": "subscription { count(to: 1) }", "variables": NaN}',
    ],
)
async def test_odd_bodies_are_answered_400_in_json(body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with client(make_app()) as http:
        response = await http.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None],
)
async def test_only_json_is_read(content_type: str | None) -> None:
    headers = {"content-type": content_type} if content_type else {}
    async with client(make_app()) as http:
        response = await http.post("/graphql", content=b'{"query": "{ hello }"}', headers=headers)
    assert response.status_code == 400


async def test_operations_come_by_post_only() -> None:
    async with client(make_app()) as http:
        for query in ("{ hello }", 'mutation { shout(text: "x") }'):
            response = await http.get("/graphql", params={"query": query})
            assert response.status_code == 405
            assert response.json()["errors"][0]["extensions"]["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize("accept", ["text/event-stream", 'multipart/mixed;subscriptionSpec="1.0"'])
async def test_subscriptions_are_not_streamed_over_http(world: World, accept: str) -> None:
    # Strawberry leaves a generator that is suspended in such a stream open when its client goes.
    async with client(make_app(world)) as http:
        response = await http.post("/graphql", json={"query": "subscription { wait }"}, headers={"accept": accept})
    assert response.headers["content-type"] == "application/json"
    assert world.running == 0


async def test_sockets_are_counted_in_all_and_by_address(world: World) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"max_sockets": 2}, "The server has too many connections"),
        ({"max_sockets_per_client": 2}, "Too many connections from this address"),
    )
    for caps, reason in cases:
        async with serve(make_app(world, **caps)) as port:
            async with open_socket(port) as first, open_socket(port):
                async with open_socket(port, init=False) as third:
                    assert await third.closed() == (1013, reason)
                assert (await first.run("{ hello }"))[-1]["type"] == "complete"
            await until_free(port)


async def until_free(port: int) -> None:
    """A slot comes back when the server has seen the close, a moment after the client has."""
    async with asyncio.timeout(10):
        while True:
            async with open_socket(port, init=False) as socket:
                try:
                    await socket.send({"type": "connection_init"})
                    assert (await socket.receive())["type"] == "connection_ack"
                except ConnectionClosed:
                    await asyncio.sleep(0.01)
                else:
                    return


async def test_other_paths_have_no_socket(port: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"ws://127.0.0.1:{port}/elsewhere", proxy=None):
            pass
    assert refused.value.response.status_code in (403, 404)
