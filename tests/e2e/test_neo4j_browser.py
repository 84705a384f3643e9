"""The real Neo4j Browser in Chromium: it is connected, loads the style and the guide, and draws a tree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import NEO4J, place
from tests.e2e.support import Server, client
from tests.support.chromium import LACK, chromium
from tests.support.engines import EnginePool, RunningEngine
from tests.support.lacking import Lacking
from tests.support.neo4j_browser import Neo4jBrowser, open_browser
from tests.support.neo4j_guide import FAVORITES, STYLE, parse_style, queries

SESSION = "A tree in Neo4j Browser"
QUESTIONS = ("Where to?", "By train?", "By plane?")


@pytest.fixture
def program(lacking: Lacking) -> str:
    """The machine's Chromium."""
    lacking.check("Chromium")
    found = chromium()
    if found is None:
        lacking.give_up("Chromium", LACK)
    return found


@pytest.fixture
def engine(engine_pool: EnginePool) -> RunningEngine:
    return engine_pool.shared(NEO4J[0])


@pytest.fixture
def server(engine_pool: EnginePool, engine: RunningEngine) -> Iterator[Server]:
    with Server(place(engine.name, engine_pool, Path())) as server:
        yield server


async def _fork(server: Server) -> None:
    """One question, and two below it."""
    where, *ways = QUESTIONS
    async with client(server) as api:
        session_id = await api.create(name=SESSION)
        path = await api.line(session_id, [], [where])
        for way in ways:
            await api.line(session_id, path, [way])
        await api.summarised(session_id)


def test_neo4j_browser_draws_the_tree(program: str, engine: RunningEngine, server: Server) -> None:
    asyncio.run(_fork(server))
    assert engine.browser is not None
    with open_browser(program) as browser:
        browser.connect(engine.browser, engine.endpoint)
        _guide(browser, server)
        _favourites(browser)
        _dropped_style(browser)


def _guide(browser: Neo4jBrowser, server: Server) -> None:
    """The guide comes from our server, and from it the style and a query that draws the tree in colours."""
    browser.run(f":guide http://localhost:{server.port}/neo4j-browser/guide.html")
    browser.guide.locator("[data-exec]").click()
    browser.frame.get_by_text("node.Assistant").wait_for()
    browser.clear()
    tree = browser.guide.locator("[data-populate]", has_text="02 Tree of a session")
    assert tree.get_attribute("data-populate") == next(it for it in queries() if it.name == "02_tree").text.rstrip()
    tree.locator("i").click()

    drawn = browser.nodes()
    style = parse_style(STYLE.read_text(encoding="utf-8"))
    assert drawn.pop(SESSION) == style["node.Session"]["color"]
    for question in QUESTIONS:
        assert drawn.pop(question) == style["node.User"]["color"]
    assert set(drawn.values()) == {style["node.Assistant"]["color"]}
    assert sum(caption.startswith("ANCHOR No model is connected") for caption in drawn) == 1
    browser.clear()


def _favourites(browser: Neo4jBrowser) -> None:
    """The favourites are dropped as a file; one of them lists the fork."""
    browser.drop(FAVORITES)
    browser.open_favorites()
    for query in queries():
        assert browser.favorite(query.title).count() == 1
    browser.favorite("06 Where a session forked").click()
    (fork,) = browser.rows()
    assert fork[1:4] == ["1", '"Where to?"', "2"]
    browser.clear()


def _dropped_style(browser: Neo4jBrowser) -> None:
    """A style that is dropped holds from then on, until it is reset."""
    browser.run(":style reset")
    browser.frame.get_by_text("No styles yet").wait_for()
    browser.clear()
    browser.drop(STYLE)
    browser.frame.get_by_text("node.Assistant").wait_for()
