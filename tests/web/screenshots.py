"""Takes the pictures of docs/web.md and of the README: `make screenshots`, or `python -m tests.web.screenshots`.

The page is built, a server with the embedded engine is started, a conversation is had with the stand-in for a model
(tests/support/story.py), and the page is shown it in Chromium.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.e2e.conftest import asking
from tests.e2e.support import ROOT
from tests.support import story
from tests.support.anthropic_standin import AnthropicStandin
from tests.support.chromium import LACK, chromium
from tests.web.support import PageServer, make

IMAGES = ROOT / "docs" / "images"
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_MAX_BYTES = 250_000

# The same at each time of day, and whatever moves has arrived.
_CALM = """
Date.prototype.toLocaleTimeString = () => "09:41";
addEventListener("DOMContentLoaded", () => document.documentElement.style.setProperty("caret-color", "transparent"));
"""


class Studio:
    """A page with the story, and where its pictures go."""

    def __init__(self, browser: Browser, server: PageServer, told: story.Told) -> None:
        self._browser, self._server, self._told = browser, server, told

    @contextmanager
    def page(self, panel: str, **options: Any) -> Iterator[Page]:
        """The story's conversation, where it was left, beside a panel; `sidebar` and the panel's `width` as wanted."""
        chosen = {"panel": panel, "sidebar": options.pop("sidebar", True)}
        widths = dict.fromkeys(("tree", "context", "compare", "search", "usage"), options.pop("width", 480))
        kept = json.dumps({"state": {**chosen, "widths": widths}, "version": 0})
        context = self._browser.new_context(
            **{"locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "light", **options}
        )
        context.add_init_script(f"localStorage.setItem('graph_session.panels', {json.dumps(kept)});{_CALM}")
        page = context.new_page()
        page.goto(f"{self._server.url}/s/{self._told.session}/n/{self._told.plan[-1]}")
        expect(page.get_by_role("article").last).to_be_visible()
        yield page
        context.close()

    def shoot(self, name: str, page: Page, what: Locator | None = None) -> None:
        """Keep what is seen when nothing changes any more."""
        page.mouse.move(0, 0)
        page.wait_for_timeout(1200)
        file = IMAGES / f"page-{name}.png"
        (what or page).screenshot(path=file, animations="disabled", caret="hide")
        size = file.stat().st_size
        assert size < _MAX_BYTES, f"{file} has {size:,} bytes"
        print(f"{file.relative_to(ROOT)} {size:,} bytes")


def _whole_tree(page: Page) -> None:
    page.get_by_role("complementary", name="Tree").get_by_role("button", name="Show all", exact=True).click()


def _two_forks(page: Page) -> None:
    """Far enough to see two forks, near enough to read."""
    page.get_by_role("treeitem", name=story.FUNICULAR).hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, 22)
    page.keyboard.up("Control")
    page.mouse.move(1000, 720)
    page.mouse.down()
    page.mouse.move(1070, 780, steps=4)
    page.mouse.up()


def _take(studio: Studio) -> None:
    for scheme in ("light", "dark"):
        with studio.page("tree", width=570, color_scheme=scheme, **DESKTOP) as page:
            _two_forks(page)
            studio.shoot(scheme, page)
    with studio.page("tree", **PHONE) as page:
        studio.shoot("phone", page)
    with studio.page("tree", width=892, sidebar=False, **DESKTOP) as page:
        _whole_tree(page)
        studio.shoot("tree", page, page.locator(".panel-content"))
    with studio.page("context", width=520, **DESKTOP) as page:
        page.get_by_role("textbox", name="Question").fill("What should we pack for the four days?")
        expect(page.get_by_role("complementary").get_by_text("Question", exact=True).first).to_be_visible()
        studio.shoot("context", page)
    with studio.page("compare", width=892, sidebar=False, **DESKTOP) as page:
        page.get_by_role("complementary", name="Compare").get_by_role("button", name=story.RAIN).click()
        studio.shoot("compare", page)


def main() -> None:
    program = chromium()
    assert program is not None, LACK
    make("web")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, AnthropicStandin() as standin:
        standin.responder = story.reply
        with PageServer(asking(standin), Path(home)) as server, sync_playwright() as playwright:
            told = server.api(story.tell)
            # Chromium's own sandbox cannot be had by root.
            browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
            _take(Studio(browser, server, told))
            browser.close()


if __name__ == "__main__":
    main()
