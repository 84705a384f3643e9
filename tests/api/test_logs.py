from __future__ import annotations

import asyncio
import io
import json
import logging
import warnings
from typing import Any

import pytest
import structlog

from graph_session.logs import Level, configure_logging
from tests.api.support import SECRET, ask, make_app, open_socket, serve

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("restored_logging")]


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def configured(level: Level = "info", **options: Any) -> io.StringIO:
    stream = io.StringIO()
    configure_logging(level, stream=stream, **options)
    return stream


def test_one_json_object_a_line() -> None:
    stream = configured()
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.stdlib.get_logger("graph_session.test").info("started", port=8000)
    logging.getLogger("httpx2").warning("lost %s", "it")
    first, second = lines(stream)
    assert (
        first.items()
        >= {
            "event": "started",
            "port": 8000,
            "level": "info",
            "logger": "graph_session.test",
            "request_id": "r1",
        }.items()
    )
    assert first["timestamp"].endswith("Z")
    assert second.items() >= {"event": "lost it", "level": "warning", "logger": "httpx2"}.items()


def test_libraries_are_quiet() -> None:
    stream = configured()
    for name in ("neo4j", "anthropic", "uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).info("chatter")
    structlog.stdlib.get_logger("graph_session.test").debug("detail")
    assert stream.getvalue() == ""


def test_debug_is_ours_alone() -> None:
    # Drivers log parameters and prompts at DEBUG.
    stream = configured("debug")
    for name in ("neo4j", "neo4j.io", "anthropic", "httpx2"):
        logging.getLogger(name).debug(SECRET)
    structlog.stdlib.get_logger("graph_session.test").debug("detail")
    assert [line["event"] for line in lines(stream)] == ["detail"]


def test_warnings_are_lines() -> None:
    stream = configured()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old thing", DeprecationWarning, stacklevel=1)
    assert "old thing" in lines(stream)[0]["event"]


@pytest.mark.parametrize("as_json", [True, False])
def test_tracebacks_show_no_local_variables(as_json: bool) -> None:
    stream = configured(json=as_json)

    def fail(question: str) -> None:
        raise RuntimeError(len(question))

    try:
        fail(SECRET)
    except RuntimeError:
        structlog.stdlib.get_logger("graph_session.test").exception("failed")
    assert "RuntimeError" in stream.getvalue()
    assert SECRET not in stream.getvalue()


def test_a_second_call_replaces_the_first() -> None:
    first, second = configured(), configured()
    structlog.stdlib.get_logger("graph_session.test").info("once")
    assert first.getvalue() == ""
    assert len(lines(second)) == 1


async def test_what_people_write_is_not_logged() -> None:
    stream = configured("debug")
    async with serve(make_app()) as port, open_socket(port) as socket:
        await socket.run("mutation ($t: String!) { shout(text: $t) }", t=SECRET)
        await socket.run(f'{{ things(after: "{SECRET}") {{ totalCount }} }}', "2")
        await socket.run("query ($t: Int!) { things(first: $t) { totalCount } }", "3", t=SECRET)
    await ask(make_app(), f'mutation {{ shout(text: "{SECRET}", extra: 1) }}')
    assert SECRET not in stream.getvalue()


@pytest.mark.parametrize(("level", "access"), [("info", 0), ("debug", 1)])
async def test_access_lines_come_with_debug_only(level: Level, access: int) -> None:
    stream = configured(level)
    async with serve(make_app()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        await reader.read()
        writer.close()
        await writer.wait_closed()
    logged = [line for line in lines(stream) if line["logger"] == "uvicorn.access"]
    assert len(logged) == access
    assert not any("color_message" in line for line in lines(stream))
