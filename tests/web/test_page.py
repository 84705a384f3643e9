"""The page in a real browser, as far as it concerns the harness: it comes up, and what is wrong with it is noticed."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.sync_api import expect

from tests.web.support import Guard, OpenPage, PageServer, StartServer, axe

NOT_FOUND = r"status of 404"


def test_the_page_comes_up_and_the_browser_does_not_complain(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server)
    expect(page.locator("#root")).not_to_be_empty()
    assert page.title()
    assert axe(page) == []


def test_every_address_of_a_session_is_the_page(page_server: PageServer, open_page: OpenPage) -> None:
    session_id = page_server.api(lambda api: api.create(name="Lisbon"))
    page = open_page(page_server, f"/s/{session_id}")
    expect(page.locator("#root")).not_to_be_empty()


def test_the_page_may_open_sockets_to_its_server(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server)
    opened = """() => new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/graphql`, "graphql-transport-ws");
        socket.onopen = () => { socket.close(); resolve("open"); };
        socket.onerror = () => resolve("error");
    })"""
    assert page.evaluate(opened) == "open"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('a broken thing')", "console error: a broken thing"),
        ("console.warn('a doubtful thing')", "console warning: a doubtful thing"),
        ("setTimeout(() => { throw new Error('nobody caught me') })", "uncaught: Error: nobody caught me"),
        ("fetch('/assets/nothing.js')", "status of 404"),
        ("document.body.append(Object.assign(document.createElement('script'), {text: '1'}))", "script-src-elem"),
        ("document.body.setAttribute('style', 'color: red')", "style-src-attr"),
        ("new Image().src = 'http://localhost:1/elsewhere.png'", "request to another origin: GET http://localhost:1"),
        ("new WebSocket('ws://localhost:1/')", "connect-src"),
        ("setTimeout(() => eval('1'))", "unsafe-eval"),
    ],
)
def test_the_guard_notices(
    script: str, complaint: str, page_server: PageServer, open_page: OpenPage, guard: Guard
) -> None:
    guard.check()
    page = open_page(page_server)
    page.evaluate(f"() => {{ {script}; }}")
    page.wait_for_timeout(300)
    with pytest.raises(AssertionError, match=re.escape(complaint)):
        guard.check()
    guard.complaints.clear()


def test_what_a_test_allows_is_no_complaint(page_server: PageServer, open_page: OpenPage, guard: Guard) -> None:
    page = open_page(page_server)
    with guard.allowing(NOT_FOUND):
        page.evaluate("fetch('/assets/nothing.js')")
    guard.check()
    page.evaluate("fetch('/assets/nothing.js')")
    assert len(guard.complaints) == 1
    guard.complaints.clear()


def test_a_server_that_is_killed_comes_back_where_it_was(
    start_server: StartServer, open_page: OpenPage, guard: Guard
) -> None:
    server = start_server()
    session_id = server.api(lambda api: api.create(name="Lisbon"))
    page = open_page(server)
    # Its later parts have come too.
    page.wait_for_load_state("networkidle")
    guard.allow("net::ERR_")
    server.kill()
    unreachable = "() => fetch('/healthz').then(() => 'answered', () => 'refused')"
    assert page.evaluate(unreachable) == "refused"
    server.start()
    assert page.evaluate(unreachable) == "answered"
    assert server.api(lambda api: api.session(session_id))["name"] == "Lisbon"


def test_axe_finds_what_is_wrong(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server)
    page.evaluate("document.body.append(document.createElement('button'))")
    assert [found.split(":")[0] for found in axe(page)] == ["button-name (critical)"]


async def test_async_tests_run_beside_the_browser(page_server: PageServer) -> None:
    await asyncio.sleep(0)
