"""Masking, contexts and caches, over HTTP and over sockets."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import strawberry
from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.extensions import SchemaExtension
from strawberry.types.execution import PreExecutionError

from graph_session.api import extensions
from graph_session.api.extensions import CACHED_DOCUMENT_CHARS, Documents, QueryTimeout
from graph_session.logs import configure_logging
from tests.api.support import SECRET, Query, World, ask, make_app, make_schema, open_socket, serve

pytestmark = pytest.mark.anyio


@pytest.fixture
def log_lines(restored_logging: None) -> io.StringIO:
    stream = io.StringIO()
    configure_logging(stream=stream, json=True)
    return stream


@pytest.fixture
async def port() -> AsyncIterator[int]:
    async with serve(make_app()) as port:
        yield port


def check_masked(error: dict[str, Any], log_lines: io.StringIO) -> None:
    """The client gets a reference only; the log has one line with it, and with what happened."""
    error_id = error["extensions"]["errorId"]
    assert error["message"] == f"Unexpected error. Reference: {error_id}"
    assert error["extensions"]["code"] == "INTERNAL"
    assert SECRET not in json.dumps(error)
    lines = [json.loads(line) for line in log_lines.getvalue().splitlines()]
    (line,) = [line for line in lines if line.get("error_id") == error_id]
    assert line["level"] == "error"
    assert f"RuntimeError: {SECRET}" in line["exception"]
    assert line["request_id"]
    assert len(lines) == 1


async def test_unexpected_errors_are_masked_over_http(log_lines: io.StringIO) -> None:
    result = await ask(make_app(), "{ hello x: broken }")
    error = result["errors"][0]
    assert error["path"] == ["x"]
    check_masked(error, log_lines)


async def test_unexpected_errors_are_masked_over_a_socket(log_lines: io.StringIO, port: int) -> None:
    async with open_socket(port) as socket:
        frames = await socket.run("{ broken }")
    check_masked(frames[0]["payload"]["errors"][0], log_lines)


async def test_unexpected_errors_are_masked_in_a_stream(log_lines: io.StringIO, port: int) -> None:
    async with open_socket(port) as socket:
        frames = await socket.run("subscription { breaks }")
    assert frames[0]["payload"] == {"data": {"breaks": 1}}
    check_masked(frames[1]["payload"]["errors"][0], log_lines)


class Throwing(SchemaExtension):
    def on_validate(self) -> None:  # type: ignore[override]
        raise RuntimeError(SECRET)


async def test_what_another_extension_throws_is_masked_too(log_lines: io.StringIO) -> None:
    app = make_app(schema=make_schema(extensions=(Throwing,)))
    check_masked((await ask(app, "{ hello }"))["errors"][0], log_lines)


async def test_what_another_extension_throws_reaches_a_socket_as_an_error(log_lines: io.StringIO) -> None:
    app = make_app(schema=make_schema(extensions=(Throwing,)))
    async with serve(app) as port, open_socket(port) as socket:
        frames = await socket.run("{ hello }")
    assert frames[0]["type"] == "error"
    check_masked(frames[0]["payload"][0], log_lines)


async def test_errors_with_a_code_pass(log_lines: io.StringIO) -> None:
    error = (await ask(make_app(), "{ expected }"))["errors"][0]
    assert error["message"] == "not today"
    assert error["extensions"] == {"code": "NOT_TODAY"}
    assert log_lines.getvalue() == ""


async def test_mistakes_of_the_client_pass_and_are_not_logged(log_lines: io.StringIO) -> None:
    app = make_app()
    for query, variables in (
        ("{ nope }", {}),
        ("{ hello", {}),
        ("query ($f: Int!) { things(first: $f) { totalCount } }", {"f": SECRET}),
    ):
        error = (await ask(app, query, **variables))["errors"][0]
        assert "Reference" not in error["message"]
    assert log_lines.getvalue() == ""


async def test_operations_on_one_socket_share_no_context(port: int) -> None:
    async with open_socket(port) as socket:
        loads = [(await socket.run("{ loaded thing { loaded } }", str(n)))[0]["payload"]["data"] for n in range(3)]
    assert [load["loaded"] for load in loads] == [1, 2, 3]
    assert [load["thing"]["loaded"] for load in loads] == [1, 2, 3]


async def test_events_of_a_subscription_share_no_context(port: int) -> None:
    async with open_socket(port) as socket:
        frames = await socket.run("subscription { events(number: 3) { loaded again { loaded } } }")
    events = [frame["payload"]["data"]["events"] for frame in frames[:-1]]
    assert events == [{"loaded": n, "again": {"loaded": n}} for n in (1, 2, 3)]


async def test_a_context_of_a_direct_call_is_left_alone() -> None:
    marker = World()

    class Marked:
        loaders = type("L", (), {"load": staticmethod(lambda: 42)})()
        services = marker

    result = await make_schema().execute("{ loaded }", context_value=Marked())
    assert result.data == {"loaded": 42}


async def test_documents_are_parsed_and_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    query = "query OnlyHere { hello }"
    before = extensions._cached_document_errors.cache_info(), extensions._parse.cache_info()
    for _ in range(3):
        assert (await ask(app, query))["data"] == {"hello": "world"}
    after = extensions._cached_document_errors.cache_info(), extensions._parse.cache_info()
    assert [b.hits - a.hits for a, b in zip(before, after, strict=True)] == [2, 2]


async def test_a_syntax_error_is_a_result_and_is_not_thrown() -> None:
    # The parser cache of Strawberry throws it, which a graphql-transport-ws client sees as an empty success.
    schema = strawberry.Schema(Query, extensions=[Documents])
    results = [result async for result in await schema.stream("{ hello")]
    (result,) = results
    assert isinstance(result, PreExecutionError)
    assert [type(error) for error in result.errors or ()] == [GraphQLSyntaxError]


async def test_a_cached_refusal_refuses_again() -> None:
    app = make_app()
    first = await ask(app, "{ nope }")
    assert first == await ask(app, "{ nope }")
    assert len(first["errors"]) == 1


async def test_long_documents_are_answered_and_not_kept() -> None:
    app = make_app()
    query = 'mutation { shout(text: "' + "x" * CACHED_DOCUMENT_CHARS + '") }'
    before = extensions._cached_document_errors.cache_info(), extensions._parse.cache_info()
    assert len((await ask(app, query))["data"]["shout"]) == CACHED_DOCUMENT_CHARS
    assert before == (extensions._cached_document_errors.cache_info(), extensions._parse.cache_info())


async def test_slow_queries_end_and_subscriptions_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QueryTimeout, "seconds", 0.05)
    world = World()
    async with serve(make_app(world)) as port, open_socket(port) as socket:
        await socket.start("subscription { wait }", "waiting")
        await socket.receive()
        frames = await socket.run("{ slow }", "slow")
        assert frames[0]["payload"][0]["extensions"]["code"] == "TIMEOUT"
        world.release.set()
        assert (await socket.receive())["payload"]["data"]["wait"] == "released"
    world.release.clear()
    assert (await ask(make_app(world), "{ slow }"))["errors"][0]["extensions"]["code"] == "TIMEOUT"


def test_only_a_code_makes_an_error_expected() -> None:
    def carrying(extensions: object) -> GraphQLError:
        error = RuntimeError(SECRET)
        error.extensions = extensions  # type: ignore[attr-defined]
        return GraphQLError("x", original_error=error, extensions={})

    assert extensions.is_expected(carrying({"code": "X"}))
    for without in (None, {}, {"code": 3}, "code"):
        assert not extensions.is_expected(carrying(without))
