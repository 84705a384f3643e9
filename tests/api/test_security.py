from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from websockets.exceptions import InvalidStatus

from graph_session.api.security import (
    Authenticator,
    InsecureBind,
    check_bind,
    hosts_to_allow,
    is_loopback,
    parse_origins,
    principal_of,
)
from graph_session.domain.principal import Principal
from tests.api.support import World, client, make_app, open_socket, serve

pytestmark = pytest.mark.anyio

HELLO = {"query": "{ hello }"}
FRIEND = "https://chat.example"
TOKEN = "correct horse"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1", "[::1]"])
def test_loopback_needs_no_token(host: str) -> None:
    assert is_loopback(host)
    check_bind(host, None)


@pytest.mark.parametrize(
    "host",
    ["", "0.0.0.0", "::", "192.168.1.4", "example.org", "localhost.evil.example"],  # noqa: S104
)
def test_other_addresses_need_a_token(host: str) -> None:
    for missing in (None, ""):
        with pytest.raises(InsecureBind) as refused:
            check_bind(host, missing)
        assert "token" in str(refused.value)
        assert "127.0.0.1" in str(refused.value)
    check_bind(host, TOKEN)


def test_hosts_to_allow() -> None:
    loopback = ["localhost", "127.0.0.1", "[::1]"]
    assert hosts_to_allow("127.0.0.1") == loopback
    assert hosts_to_allow("0.0.0.0", ["Chat.Example"]) == [*loopback, "chat.example"]  # noqa: S104
    assert hosts_to_allow("chat.example") == [*loopback, "chat.example"]
    assert hosts_to_allow("fd00::1") == [*loopback, "[fd00::1]"]
    assert hosts_to_allow("") == loopback


@pytest.mark.parametrize("origin", ["*", "chat.example", "https://chat.example/path", "null"])
def test_origins_must_be_named(origin: str) -> None:
    with pytest.raises(ValueError, match="origin"):
        parse_origins([origin])


def test_nobody_is_served_before_authentication() -> None:
    with pytest.raises(LookupError):
        principal_of(HTTPConnection({"type": "http", "headers": []}))


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:80", "", "local host"])
async def test_other_hosts_are_not_served(host: str) -> None:
    # A page of evil.example that resolves to this machine is of the same origin as far as a browser can tell.
    headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    async with client(make_app()) as http:
        assert (await http.post("/graphql", json=HELLO, headers=headers)).status_code == 400
        assert (await http.get("/healthz", headers=headers)).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "LocalHost"])
async def test_our_hosts_are_served(host: str) -> None:
    async with client(make_app()) as http:
        assert (await http.post("/graphql", json=HELLO, headers={"host": host})).status_code == 200


async def test_sockets_of_other_hosts_are_refused() -> None:
    async with serve(make_app(allowed_hosts=["chat.example"])) as port:
        with pytest.raises(InvalidStatus) as refused:
            async with open_socket(port):
                pass
    assert refused.value.response.status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": FRIEND}, 200),
        ({"origin": "http://localhost"}, 200),
        ({"origin": "http://localhost:81"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": FRIEND}, 200),
        ({"origin": FRIEND + ":444"}, 403),
    ],
)
async def test_pages_of_other_origins_may_not_write(headers: dict[str, str], status: int) -> None:
    async with client(make_app(allowed_origins=[FRIEND])) as http:
        response = await http.post("/graphql", json=HELLO, headers=headers)
        assert response.status_code == status
        if status == 403:
            assert response.json()["errors"][0]["extensions"]["code"] == "CROSS_SITE"


async def test_cross_origin_reading_is_for_allowed_origins_only() -> None:
    asking = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    async with client(make_app(allowed_origins=[FRIEND], token=TOKEN)) as http:
        friend = await http.options("/graphql", headers={**asking, "origin": FRIEND})
        assert friend.status_code == 200
        assert friend.headers["access-control-allow-origin"] == FRIEND
        assert "access-control-allow-credentials" not in friend.headers
        stranger = await http.options("/graphql", headers={**asking, "origin": "https://evil.example"})
        assert "access-control-allow-origin" not in stranger.headers
    async with client(make_app()) as http:
        closed = await http.options("/graphql", headers={**asking, "origin": FRIEND})
        assert "access-control-allow-origin" not in closed.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_sockets_of_other_origins_are_refused(origin: str) -> None:
    async with serve(make_app(allowed_origins=[FRIEND])) as port:
        with pytest.raises(InvalidStatus) as refused:
            async with open_socket(port, additional_headers={"Origin": origin}):
                pass
        assert refused.value.response.status_code == 403
        for good in (FRIEND, f"http://127.0.0.1:{port}"):
            async with open_socket(port, additional_headers={"Origin": good}) as socket:
                assert (await socket.run("{ hello }"))[-1]["type"] == "complete"


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"],
)
async def test_http_without_the_token_is_refused(authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    async with client(make_app(token=TOKEN)) as http:
        for refused in (
            await http.post("/graphql", json=HELLO, headers=headers),
            await http.get("/graphql", headers=headers),
            await http.get("/elsewhere", headers=headers),
        ):
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"].startswith("Bearer")
            assert refused.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_http_with_the_token_is_served_as_the_owner() -> None:
    async with client(make_app(token=TOKEN, owner="ada")) as http:
        for scheme in ("Bearer", "bearer"):
            response = await http.post(
                "/graphql", json={"query": "{ who }"}, headers={"authorization": f"{scheme} {TOKEN}"}
            )
            assert response.json()["data"]["who"].startswith("ada ")


async def test_public_paths_need_no_token() -> None:
    async def page(request: object) -> PlainTextResponse:
        return PlainTextResponse("page")

    routes = [Route(path, page) for path in ("/ui/{rest:path}", "/uix", "/exact")]
    app = make_app(token=TOKEN, dev=True, routes=routes, public_paths=["/ui/", "/exact"])
    async with client(app) as http:
        for path in (
            "/",
            "/healthz",
            "/readyz",
            "/graphiql",
            "/graphiql/static/page.js",
            "/ui/a/b",
            "/exact",
        ):
            assert (await http.get(path)).status_code == 200, path
        for path in ("/uix", "/ui", "/exact/more", "/graphql", "/healthz/"):
            assert (await http.get(path)).status_code == 401, path


@pytest.mark.parametrize(
    ("headers", "payload"),
    [
        ({"Authorization": f"Bearer {TOKEN}"}, None),
        ({}, {"Authorization": f"Bearer {TOKEN}"}),
        ({}, {"authorization": f"bearer {TOKEN}"}),
        ({}, {"token": TOKEN}),
        ({"Authorization": "Bearer old"}, {"token": TOKEN}),
    ],
)
async def test_sockets_with_the_token_are_served(headers: dict[str, str], payload: Any) -> None:
    async with (
        serve(make_app(token=TOKEN, owner="ada")) as port,
        open_socket(port, init=False, additional_headers=headers) as socket,
    ):
        assert await socket.init(payload) == {"type": "connection_ack"}
        frames = await socket.run("{ who }")
        assert frames[0]["payload"]["data"]["who"].startswith("ada ")


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {"Authorization": "Bearer wrong"},
        {"Authorization": TOKEN},
        {"Authorization": 3},
        {"token": [TOKEN]},
    ],
)
async def test_sockets_without_the_token_are_refused(payload: Any) -> None:
    world = World()
    async with serve(make_app(world, token=TOKEN)) as port, open_socket(port, init=False) as socket:
        await socket.send({"type": "connection_init", **({"payload": payload} if payload else {})})
        await socket.start("subscription { wait }")
        assert (await socket.closed())[0] == 4403
    assert world.running == 0


def test_without_a_token_everybody_is_the_owner() -> None:
    for nothing in (None, ""):
        assert Authenticator(nothing, "ada").from_headers({}) == Principal("ada")


async def test_responses_tell_browsers_to_be_careful() -> None:
    async with client(make_app(token=TOKEN)) as http:
        for response in (await http.get("/"), await http.get("/elsewhere"), await http.post("/graphql")):
            assert response.headers["x-content-type-options"] == "nosniff"
            assert response.headers["referrer-policy"] == "no-referrer"
            assert "default-src 'self'" in response.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
