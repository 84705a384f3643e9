from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from graph_session import __version__
from graph_session.api import health
from graph_session.api.graphiql import STATIC
from tests.api.support import SECRET, client, make_app, open_socket, serve

pytestmark = pytest.mark.anyio

HELLO = {"query": "{ hello }"}


async def test_requests_get_an_id_that_resolvers_see() -> None:
    async with client(make_app()) as http:
        response = await http.post("/graphql", json={"query": "{ who }"})
        request_id = response.headers["x-request-id"]
        assert response.json()["data"]["who"] == f"local {request_id}"
        other = await http.post("/graphql", json=HELLO)
        assert other.headers["x-request-id"] != request_id


@pytest.mark.parametrize(("given", "kept"), [("abc-1.2_3", True), ("a b", False), ("x" * 65, False), ("", False)])
async def test_a_given_id_is_kept_when_it_is_sane(given: str, kept: bool) -> None:
    async with client(make_app()) as http:
        response = await http.post("/graphql", json=HELLO, headers={"X-Request-ID": given})
    assert (response.headers["x-request-id"] == given) is kept


async def test_refusals_have_an_id_too() -> None:
    async with client(make_app(token="t")) as http:
        for response in (
            await http.post("/graphql", json=HELLO),
            await http.post("/graphql", json=HELLO, headers={"host": "evil.example"}),
            await http.post("/graphql", json=HELLO, headers={"sec-fetch-site": "cross-site"}),
        ):
            assert response.status_code in (400, 401, 403)
            assert response.headers["x-request-id"]


async def test_sockets_have_the_id_of_their_handshake() -> None:
    headers = {"X-Request-ID": "from-proxy"}
    async with serve(make_app()) as port, open_socket(port, additional_headers=headers) as socket:
        assert socket.connection.response is not None
        assert socket.connection.response.headers["x-request-id"] == "from-proxy"
        frames = await socket.run("{ who }")
        assert frames[0]["payload"]["data"]["who"] == "local from-proxy"


async def test_unknown_routes_are_json_404() -> None:
    async with client(make_app()) as http:
        response = await http.get("/elsewhere")
    assert response.status_code == 404
    assert response.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_the_root_says_where_things_are() -> None:
    async with client(make_app()) as http:
        about = (await http.get("/")).json()
    assert about["name"] == "graph_session"
    assert about["version"] == __version__
    assert about["graphql"] == "/graphql"


async def test_given_routes_come_first() -> None:
    async def page(request: Request) -> Response:
        return PlainTextResponse("our page")

    async with client(make_app(routes=[Route("/", page)])) as http:
        assert (await http.get("/")).text == "our page"


async def test_a_crash_is_a_json_500_without_details(caplog: pytest.LogCaptureFixture) -> None:
    async def crash(request: Request) -> Response:
        raise RuntimeError(SECRET)

    async with client(make_app(routes=[Route("/crash", crash)])) as http:
        response = await http.get("/crash")
    assert response.status_code == 500
    assert SECRET not in response.text
    assert response.headers["x-request-id"] in response.json()["errors"][0]["message"]


async def test_large_bodies_are_refused_whether_announced_or_not() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b"x" * 100

    json_type = {"content-type": "application/json"}
    async with client(make_app(max_body_bytes=1000)) as http:
        assert (await http.post("/graphql", json=HELLO)).status_code == 200
        for content in (b"x" * 1001, chunks()):
            response = await http.post("/graphql", content=content, headers=json_type)
            assert response.status_code == 413
            assert response.headers["x-request-id"]
            assert response.headers["x-content-type-options"] == "nosniff"


async def test_large_messages_close_a_socket() -> None:
    async with serve(make_app()) as port, open_socket(port) as socket:
        await socket.start('mutation { shout(text: "' + "x" * 2**20 + '") }')
        assert (await socket.closed())[0] == 1009


async def test_the_lifespan_and_its_state_reach_requests() -> None:
    events: list[str] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, str]]:
        events.append("start")
        yield {"greeting": "hi"}
        events.append("stop")

    async def greet(request: Request) -> Response:
        return PlainTextResponse(request.state.greeting)

    async with serve(make_app(lifespan=lifespan, routes=[Route("/greet", greet)])) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /greet HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert (await reader.read()).endswith(b"hi")
        writer.close()
        await writer.wait_closed()
    assert events == ["start", "stop"]


async def test_a_server_with_subscribers_stops() -> None:
    async with serve(make_app()) as port, asyncio.timeout(10), open_socket(port) as socket:
        await socket.start("subscription { wait }")
        await socket.receive()
    # Leaving the block waits for uvicorn to end.


async def test_health() -> None:
    async with client(make_app()) as http:
        alive = await http.get("/healthz")
        assert (alive.status_code, alive.json()) == (200, {"status": "ok", "version": __version__})
        assert (await http.get("/readyz")).status_code == 200
        assert (await http.post("/healthz")).status_code == 405


class Unavailable(Exception):
    code = "STORAGE_UNAVAILABLE"


@pytest.mark.parametrize(
    ("error", "reason"),
    [(RuntimeError(SECRET), "UNAVAILABLE"), (Unavailable(SECRET), "STORAGE_UNAVAILABLE"), (None, "TIMEOUT")],
)
async def test_not_ready_says_why_in_a_code(
    error: Exception | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ready() -> None:
        if error is not None:
            raise error
        await asyncio.sleep(60)

    monkeypatch.setattr(health.Readiness.__init__, "__defaults__", (0.05,))
    async with client(make_app(ready=ready)) as http:
        response = await http.get("/readyz")
        assert (await http.get("/healthz")).status_code == 200
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "reason": reason}


async def test_many_who_ask_are_one_question_to_the_database() -> None:
    asked = 0

    async def ready() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)

    async with client(make_app(ready=ready)) as http:
        responses = await asyncio.gather(*(http.get("/readyz") for _ in range(20)))
    assert {response.status_code for response in responses} == {200}
    assert asked < 20


async def test_graphiql_is_for_development_only() -> None:
    async with client(make_app()) as http:
        assert (await http.get("/graphiql")).status_code == 404
        assert (await http.get("/graphiql/static/page.js")).status_code == 404


async def test_graphiql_asks_no_other_host() -> None:
    async with client(make_app(dev=True)) as http:
        page = await http.get("/graphiql")
        assert page.headers["content-type"].startswith("text/html")
        files = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert len([file for file in files if file.startswith("/graphiql/static/")]) == 8
        for file in files:
            if file != "data:,":
                assert file.startswith("/graphiql/static/")
                assert (await http.get(file)).status_code == 200, file
        assert "//" not in page.text.replace("<!doctype", "")
        assert "<script>" not in page.text
        policy = page.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert not re.search(r"https?:|\*|unsafe-eval|script-src", policy)
    sheets = [sheet.read_text(encoding="utf-8") for sheet in STATIC.glob("*.css")]
    loaded = [url for sheet in sheets for url in re.findall(r"url\(['\"]?([^)'\"]{0,40})", sheet)]
    assert all(url.startswith("data:") for url in loaded)
    assert not any("@import" in sheet for sheet in sheets)


def test_the_vendored_files_are_the_ones_that_are_listed() -> None:
    notes = (STATIC / "THIRD_PARTY.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| (\S+) \|.*\| `(\S+)` \|$", notes, re.MULTILINE))
    ours = {"index.html", "page.js", "page.css", "THIRD_PARTY.md"}
    assert {file.name for file in STATIC.iterdir()} == ours | set(listed)
    for name, expected in listed.items():
        digest = hashlib.sha384((STATIC / name).read_bytes()).digest()
        assert base64.b64encode(digest).decode() == expected, name
