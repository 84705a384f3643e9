"""Neo4j Browser in a real Chromium, used as a person does: connected, with files dropped on it and commands run."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, sync_playwright

from graph_session.storage.engines import Endpoint

# Neo4j Browser asks for a font and reports errors to hosts that are not to be asked from a test.
_THIS_MACHINE_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
# A server's first queries take long on a busy machine, and Neo4j Browser asks a dozen when it connects.
_SECONDS = 120
_DROP = """([element, name, content]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(atob(content), (it) => it.charCodeAt(0))], name));
  element.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""
_POSITIONS = """() => [...document.querySelectorAll("[data-testid=frame] g.node")]
  .map((node) => node.getAttribute("transform"))"""


class Neo4jBrowser:
    """One page, connected to a server without authentication."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def connect(self, address: str, endpoint: Endpoint) -> None:
        """Open Neo4j Browser at its address and connect it."""
        self.page.goto(address)
        self.page.get_by_test_id("bolt-scheme-select").select_option("bolt://")
        self.page.get_by_test_id("boltaddress").fill(urlsplit(endpoint.uri).netloc)
        self.page.get_by_test_id("authenticationMethod").select_option("NO_AUTH")
        self.page.get_by_test_id("connect").click()
        # The last that it does when it is connected, in a frame above that of the connection.
        self.page.get_by_text(":play start").wait_for()
        self.page.get_by_text("Connected to Neo4j").wait_for()

    def run(self, command: str) -> None:
        """Run a command or a query from the editor."""
        self.page.locator("textarea").first.focus()
        self.page.keyboard.press("Control+A")
        # As pasted: typed, the editor would complete words and close brackets.
        self.page.keyboard.insert_text(command)
        self.page.get_by_test_id("editor-Run").click()

    def clear(self) -> None:
        """Close all frames."""
        self.run(":clear")
        self.page.wait_for_function("() => !document.querySelector('[data-testid=frame]')")

    def drop(self, file: Path) -> None:
        """Drop a file on the page."""
        target = self.page.locator(".filedrop").element_handle()
        self.page.evaluate(_DROP, [target, file.name, base64.b64encode(file.read_bytes()).decode()])

    @property
    def guide(self) -> Locator:
        """The drawer that shows a guide."""
        return self.page.get_by_test_id("guidesDrawer")

    def open_favorites(self) -> None:
        """Open the drawer of favourites, and there the folder that was dropped."""
        self.page.get_by_test_id("navigationFavorites").click()
        self.page.get_by_text("graph_session", exact=True).click()

    def favorite(self, title: str) -> Locator:
        """What runs a favourite."""
        entry = self.page.get_by_test_id(f"scriptTitle-{title}").locator("xpath=..")
        return entry.get_by_test_id("savedScriptsButton-Run")

    def full_screen(self, on: bool = True) -> None:
        """Show the newest frame alone, or as before."""
        self.frame.get_by_title("Fullscreen" if on else "Close fullscreen").click()

    def fit(self) -> None:
        """Make what is drawn as large as the frame."""
        self.frame.get_by_label("zoom-to-fit").click()
        self.page.wait_for_timeout(1000)

    @property
    def frame(self) -> Locator:
        """The newest frame."""
        return self.page.get_by_test_id("frame").first

    def nodes(self) -> dict[str, str]:
        """The captions of the nodes that the newest frame draws, when they have stopped moving, and their colours."""
        self.frame.locator("g.node").first.wait_for()
        self._settled()
        drawn = self.frame.locator("g.node").all()
        return {
            re.sub(r"\s+", " ", " ".join(node.locator("text.caption").all_text_contents())).strip(): str(
                node.locator("circle.b-outline").get_attribute("fill")
            )
            for node in drawn
        }

    def rows(self) -> list[list[str]]:
        """The cells of the table that the newest frame shows."""
        self.frame.locator("table tbody tr").first.wait_for()
        return [row.locator("td").all_inner_texts() for row in self.frame.locator("table tbody tr").all()]

    def _settled(self) -> None:
        deadline, before = time.monotonic() + _SECONDS, None
        while (now := self.page.evaluate(_POSITIONS)) != before:
            assert time.monotonic() < deadline, "the nodes do not stop moving"
            before = now
            self.page.wait_for_timeout(500)


@contextmanager
def open_browser(chromium: str, width: int = 1400, height: int = 900, scale: float = 1) -> Iterator[Neo4jBrowser]:
    """Neo4j Browser's page, empty, in a Chromium of its own."""
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=chromium, args=[_THIS_MACHINE_ONLY])
        page = program.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
        page.set_default_timeout(_SECONDS * 1000)
        try:
            yield Neo4jBrowser(page)
        finally:
            program.close()
