"""Fixtures for tests of the page in a real browser; docs/development.md shows what a test looks like."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.support.anthropic_standin import AnthropicStandin
from tests.support.chromium import LACK, chromium
from tests.support.lacking import Lacking
from tests.web.support import BUILT, Guard, OpenPage, PageServer, StartServer, lack_of_node, make

WAIT_MS = 15_000

_PLAYWRIGHT_LOOP = pytest.StashKey[asyncio.AbstractEventLoop]()
_FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def node(lacking: Lacking) -> None:
    """A Node that can build the page."""
    lacking.check("Node")
    if reason := lack_of_node():
        lacking.give_up("Node", reason)


@pytest.fixture(scope="session")
def built_page(node: None) -> Path:
    """The folder with the page, built from what lies in `web/`."""
    make("web")
    return BUILT


@pytest.fixture(scope="session")
def page_server(built_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    """A server with the embedded engine and the offline model, which tests share: use sessions of your own."""
    with PageServer({}, tmp_path_factory.mktemp("page")) as server:
        yield server


@pytest.fixture
def start_server(built_page: Path, tmp_path: Path) -> Iterator[StartServer]:
    """Starts servers for this test alone, each with data of its own."""
    with ExitStack() as stack:
        started = 0

        def start_server(**settings: str) -> PageServer:
            nonlocal started
            started += 1
            server = PageServer(settings, tmp_path / f"home-{started}")
            stack.enter_context(server)
            return server

        yield start_server


@pytest.fixture
def standin() -> Iterator[AnthropicStandin]:
    """A stand-in for the Messages API; `asking` of tests.e2e.conftest has a server use it."""
    with AnthropicStandin() as standin:
        yield standin


@contextmanager
def _running(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Playwright leaves its event loop marked as the one that runs, and no async test could run beside it."""
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def browser(lacking: Lacking, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The machine's Chromium."""
    lacking.check("Chromium")
    program = chromium()
    if program is None:
        lacking.give_up("Chromium", LACK)
    expect.set_options(timeout=WAIT_MS)
    playwright = sync_playwright().start()
    loop = request.config.stash[_PLAYWRIGHT_LOOP] = asyncio.get_running_loop()
    with _running(loop):
        # Chromium's own sandbox cannot be had by root.
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
    yield browser
    with _running(loop):
        browser.close()
        playwright.stop()


@pytest.fixture
def guard() -> Guard:
    """What the browser complains of in this test, and what it may."""
    return Guard()


@pytest.fixture
def open_page(
    browser: Browser, guard: Guard, start_server: StartServer, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[OpenPage]:
    """Opens pages. The test fails at its end if the browser had to complain, see `guard`.

    It wants `start_server` only to end before it: a page complains when its server goes.
    """
    contexts: list[BrowserContext] = []

    def open_page(
        server: PageServer, path: str = "/", *, context: BrowserContext | None = None, **options: Any
    ) -> Page:
        if context is None:
            context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **options})
            context.set_default_timeout(WAIT_MS)
            guard.watch(context, server.url)
            contexts.append(context)
        page = context.new_page()
        page.goto(server.url + path)
        return page

    with _running(request.config.stash[_PLAYWRIGHT_LOOP]):
        yield open_page
        pages = [page for context in contexts for page in context.pages]
        if request.node.stash.get(_FAILED, False):
            for number, page in enumerate(pages):
                picture = tmp_path / f"page-{number}.png"
                page.screenshot(path=picture)
                print(f"{page.url} looked like {picture}")
        # Asking each page something brings what it has said before.
        for page in pages:
            page.evaluate("0")
        guard.close()
        for context in contexts:
            context.close()
    guard.check()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report
