"""Takes the pictures of docs/neo4j-browser.md: `python -m tests.support.neo4j_browser_shots`.

A Neo4j 5.26 and a graph_session server are started, a conversation is had, and Neo4j Browser is shown it in Chromium.
"""

from __future__ import annotations

import asyncio

from playwright.sync_api import Locator, Page

from tests.e2e.conftest import asking
from tests.e2e.support import Server, client
from tests.support import story
from tests.support.anthropic_standin import AnthropicStandin
from tests.support.chromium import LACK, chromium
from tests.support.neo4j_browser import Neo4jBrowser, open_browser
from tests.support.neo4j_guide import FAVORITES, IMAGES, STYLE, queries
from tests.support.neo4j_server import RELEASES, Neo4jServer

_WIDTH, _HEIGHT, _SCALE = 1400, 820, 1.2
_MAX_BYTES = 300_000
_DRAWN = ("02_tree", "03_path", "04_context")
_LISTED = ("05_anchors", "07_cost")


async def _tell(server: Server) -> None:
    async with client(server) as api:
        await story.tell(api)


def _shoot(browser: Neo4jBrowser, name: str, what: Page | Locator | None = None) -> None:
    file = IMAGES / f"neo4j-browser-{name}.png"
    browser.page.mouse.move(0, 0)
    # A new frame slides into its place.
    browser.page.wait_for_timeout(1000)
    (what or browser.page).screenshot(path=file)
    size = file.stat().st_size
    assert size < _MAX_BYTES, f"{file} has {size:,} bytes"
    print(f"{file} {size:,} bytes")


def _take(browser: Neo4jBrowser, address: str) -> None:
    texts = {query.name: query.text for query in queries()}
    browser.run(f":style {address}/neo4j-browser/{STYLE.name}")
    browser.page.get_by_text("node.User").first.wait_for()
    for name in _DRAWN:
        browser.clear()
        browser.run(texts[name])
        browser.full_screen()
        browser.nodes()
        browser.fit()
        # The tree stands at the head of the page, the others with their queries.
        _shoot(browser, "tree" if name == "02_tree" else name)
        browser.full_screen(False)
    for name in _LISTED:
        browser.clear()
        browser.run(texts[name])
        browser.rows()
        _shoot(browser, name, browser.frame)
    browser.clear()
    browser.run(f":guide {address}/neo4j-browser/guide.html")
    browser.guide.get_by_text("02 Tree of a session").wait_for()
    browser.guide.locator("[data-populate]", has_text="02 Tree").locator("i").click()
    browser.nodes()
    browser.frame.get_by_title("Collapse the node properties display").click()
    browser.fit()
    _shoot(browser, "guide")
    browser.clear()
    browser.drop(FAVORITES)
    browser.open_favorites()
    browser.favorite("06 Where a session forked").click()
    browser.rows()
    _shoot(browser, "favorites")


def main() -> None:
    program = chromium()
    assert program is not None, LACK
    IMAGES.mkdir(exist_ok=True)
    with Neo4jServer.start(RELEASES["5.26"]) as neo4j, AnthropicStandin() as standin:
        standin.responder = story.reply
        with Server({"NEO4J_URI": neo4j.endpoint.uri, **asking(standin)}) as server:
            asyncio.run(_tell(server))
            with open_browser(program, _WIDTH, _HEIGHT, _SCALE) as browser:
                browser.connect(neo4j.browser, neo4j.endpoint)
                browser.page.get_by_text("neo4j$").first.wait_for()
                _take(browser, f"http://localhost:{server.port}")


if __name__ == "__main__":
    main()
