"""How the server gives the page: which addresses, with which headers, to whom, and what there is without a page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette

from graph_session.api.web import HOW_TO_BUILD, PAGE_POLICY, PUBLIC_PATHS, page_routes
from tests.api.support import client, make_app
from tests.e2e.support import ROOT, Server
from tests.e2e.support import client as client_of
from tests.web.support import Guard, OpenPage, PageServer, StartServer

TOKEN = "correct horse"
PAGE = "<!doctype html><title>The page</title>"
SCRIPT = "assets/index-Y-TID5Tj.js"
PAGE_ADDRESSES = ["/", "/s/", "/s/abc", "/s/abc/n/def", "/s/abc/n/def/and/further"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a build leaves."""
    files = {"index.html": PAGE, SCRIPT: "let page", "assets/icon.svg": "<svg/>", "assets/KaTeX-BcMoOoqr.woff2": ""}
    for name, text in files.items():
        (tmp_path / "web" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "web" / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("not for you", encoding="utf-8")
    return tmp_path / "web"


def app_with(folder: Path, token: str | None = None) -> Starlette:
    return make_app(routes=page_routes(folder), public_paths=PUBLIC_PATHS, token=token)


@pytest.mark.parametrize("path", PAGE_ADDRESSES)
@pytest.mark.parametrize("token", [None, TOKEN])
async def test_every_address_of_the_page_is_the_page_with_its_headers(
    path: str, token: str | None, folder: Path
) -> None:
    async with client(app_with(folder, token)) as http:
        response = await http.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (response.status_code, response.text) == (200, PAGE)
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["content-security-policy"] == PAGE_POLICY
        for name in ("x-content-type-options", "referrer-policy", "cross-origin-opener-policy", "x-request-id"):
            assert response.headers[name]
        head = await http.head(path)
        assert (head.status_code, head.text) == (200, "")
        assert head.headers["content-length"] == str(len(PAGE))
        assert (await http.post(path)).status_code == 405


def test_the_policy_allows_the_page_its_own_files_and_sockets_and_nothing_else() -> None:
    rules = dict(rule.split(" ", 1) for rule in PAGE_POLICY.split("; "))
    assert rules.pop("img-src") == "'self' data:"
    own = {"script-src", "style-src", "font-src", "connect-src", "manifest-src"}
    assert {name for name, value in rules.items() if value == "'self'"} == own
    shut = {"default-src", "object-src", "base-uri", "form-action", "frame-ancestors"}
    assert {name for name, value in rules.items() if value == "'none'"} == shut
    assert set(rules) == own | shut


async def test_files_whose_names_have_a_hash_are_kept_for_ever(folder: Path) -> None:
    async with client(app_with(folder, TOKEN)) as http:
        script = await http.get(f"/{SCRIPT}")
        assert (script.status_code, script.text) == (200, "let page")
        assert re.match(r"(text|application)/javascript", script.headers["content-type"])
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["x-content-type-options"] == "nosniff"
        font = await http.head("/assets/KaTeX-BcMoOoqr.woff2")
        assert (font.status_code, font.headers["content-type"]) == (200, "font/woff2")
        assert "immutable" in font.headers["cache-control"]
        icon = await http.get("/assets/icon.svg")
        assert (icon.status_code, icon.headers["cache-control"]) == (200, "no-cache")
        again = await http.get("/assets/icon.svg", headers={"If-None-Match": icon.headers["etag"]})
        assert (again.status_code, again.text, again.headers["cache-control"]) == (304, "", "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone-Y-TID5Tj.js",
        "/assets/",
        "/assets/../index.html",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/index.html",
    ],
)
async def test_what_is_not_there_is_a_json_404(path: str, folder: Path) -> None:
    async with client(app_with(folder)) as http:
        response = await http.get(path)
        assert response.status_code == 404
        assert response.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"
        assert "cache-control" not in response.headers


async def test_clients_that_want_json_are_told_where_things_are(folder: Path) -> None:
    async with client(app_with(folder)) as http:
        response = await http.get("/", headers={"Accept": "application/json"})
        assert (response.json()["graphql"], response.json()["page"]) == ("/graphql", "/")
        for accepted in ("*/*", "text/html, application/json"):
            page = await http.get("/", headers={"Accept": accepted})
            assert page.text == PAGE
            assert "Accept" in page.headers["vary"].split(", ")


async def test_a_token_is_for_what_holds_data(folder: Path) -> None:
    async with client(app_with(folder, TOKEN)) as http:
        for path in ("/graphql", "/s", "/assets", "/index.html", "/elsewhere"):
            assert (await http.get(path)).status_code == 401, path
        assert (await http.post("/graphql", json={"query": "{ hello }"})).status_code == 401


async def test_without_a_page_the_root_says_how_to_get_one(tmp_path: Path) -> None:
    async with client(app_with(tmp_path)) as http:
        for headers in ({}, {"Accept": "text/html"}):
            about = (await http.get("/", headers=headers)).json()
            assert (about["name"], about["page"]) == ("graph_session", HOW_TO_BUILD)
        assert (await http.get("/s/abc")).status_code == 404


async def test_a_server_without_a_page_says_how_to_get_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "graph_session", tmp_path / "graph_session", ignore=shutil.ignore_patterns("web", "*.pyc"))
    shutil.copytree(ROOT / "cypher", tmp_path / "cypher")
    with Server({"GRAPH_SESSION_HOME": str(tmp_path / "home")}, checkout=tmp_path) as server:
        assert f"http://127.0.0.1:{server.port}/graphql" in server.announced
        assert server.next_line() == f"  page    {HOW_TO_BUILD}\n"
        async with client_of(server) as api:
            assert (await api.http.get("/")).json()["page"] == HOW_TO_BUILD
            assert await api.create()


async def test_a_server_with_a_page_says_first_where_it_is(page_server: PageServer) -> None:
    assert page_server.announced == f"graph_session is at {page_server.url}/\n"
    async with client_of(page_server) as api:
        page = (await api.http.get("/")).text
        loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert any(path.endswith(".js") for path in loaded)
        for path in loaded:
            assert path.startswith("/assets/"), path
            assert (await api.http.get(path)).status_code == 200, path
        assert not re.search(r"<style|\bstyle=|<script>|\bon\w+=", page), "the policy forbids what is inline"


def test_the_page_comes_up_without_the_token_that_its_data_need(
    start_server: StartServer, open_page: OpenPage, guard: Guard
) -> None:
    server = start_server(GRAPH_SESSION_TOKEN=TOKEN)
    guard.allow("status of 401", "WebSocket connection to")
    page = open_page(server, "/s/abc")
    expect(page.locator("#root")).not_to_be_empty()
    asked = "() => fetch('/graphql', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"
    assert page.evaluate(f"{asked}.then((it) => it.status)") == 401
