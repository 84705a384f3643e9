"""`python -m benchmarks.page`: the web page with a large session in Chromium, and the weight of its first load."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, sync_playwright

from benchmarks.trees import Tree, build_tree
from graph_session.domain.principal import DEFAULT_OWNER, Principal
from graph_session.runtime import open_services
from graph_session.settings import Settings
from tests.support.chromium import chromium
from tests.web.support import BUILT, PageServer, make

FIRST_PAINT_GOAL_MS = 2000
LONG_TASK_GOAL_MS = 200
BUNDLE_GOAL_KB = 300

# Tells of tasks over 50 ms, and of when the last turn's text and the tree were first there and painted.
_WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longTasks.push([task.startTime, task.duration]);
}).observe({ type: "longtask", buffered: true });
window.painted = {};
const wanted = { conversation: "article", tree: "[role=treeitem]" };
const look = () => {
  for (const [name, selector] of Object.entries(wanted))
    if (!(name in window.painted) && document.querySelector(selector))
      window.painted[name] = performance.now();
  if (Object.keys(window.painted).length < 2) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def main() -> None:
    options = _options()
    make("web")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tree = asyncio.run(_build(home, options.nodes))
        with PageServer({}, home) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=os.geteuid() != 0)
            machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"
            print(f"graph_session's page in Chromium {browser.version}, {options.nodes:,} nodes; {machine}\n")
            _measure(browser, server, tree, options.rounds)
            browser.close()


async def _build(home: Path, nodes: int) -> Tree:
    settings = Settings(home=home)
    async with open_services(settings, workers=0) as services:
        return await build_tree(services, Principal(DEFAULT_OWNER), nodes)


def _measure(browser: Browser, server: PageServer, tree: Tree, rounds: int) -> None:
    firsts: dict[str, list[float]] = {"conversation": [], "tree": []}
    longest: dict[str, list[float]] = {}
    for number in range(rounds):
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.add_init_script(_WATCH)
        loaded: list[str] = []
        page.on("request", lambda request, loaded=loaded: _note(request, loaded))
        page.goto(f"{server.url}/s/{tree.session_id}")
        page.get_by_role("article").last.wait_for()
        page.get_by_role("treeitem").first.wait_for()
        for name, times in firsts.items():
            times.append(page.evaluate("name => window.painted[name]", name))
        page.wait_for_timeout(500)
        for name, milliseconds in _use(page).items():
            longest.setdefault(name, []).append(milliseconds)
        if number == 0:
            _show_weight(loaded)
        page.context.close()
    print(f"\n| with {rounds} fresh browsers, ms | median | worst | goal |\n| --- | ---: | ---: | ---: |")
    for name, times in firsts.items():
        _row(f"first paint of the {name}", times, FIRST_PAINT_GOAL_MS)
    for name, times in longest.items():
        _row(f"longest task: {name}", times, LONG_TASK_GOAL_MS)


def _row(name: str, times: list[float], goal: int) -> None:
    print(f"| {name} | {statistics.median(times):.0f} | {max(times):.0f} | <= {goal} |")


def _use(page: Page) -> dict[str, float]:
    """What a person does, and the longest task (ms; 0: none over 50) that each of it took."""
    found = {"opening": _longest(page)}
    view = page.get_by_role("region", name="Tree of the conversation").bounding_box()
    assert view is not None
    x, y = view["x"] + view["width"] / 2, view["y"] + view["height"] / 2

    page.mouse.move(x, y)
    for _ in range(4):
        page.mouse.down()
        page.mouse.move(x + 120, y + 250, steps=20)
        page.mouse.up()
        page.mouse.move(x, y)
    found["panning the tree"] = _longest(page)
    page.keyboard.down("Control")
    for step in [200] * 12 + [-200] * 12:
        page.mouse.wheel(0, step)
        page.wait_for_timeout(30)
    page.keyboard.up("Control")
    found["zooming the tree"] = _longest(page)
    page.get_by_role("button", name="Show all", exact=True).first.click()
    page.wait_for_timeout(600)
    found["fitting the tree"] = _longest(page)
    page.mouse.down()
    page.mouse.move(x + 150, y + 100, steps=20)
    page.mouse.up()
    found["panning all of it"] = _longest(page)
    thread = page.get_by_role("article").last.bounding_box()
    assert thread is not None
    page.mouse.move(thread["x"] + 100, 300)
    for _ in range(60):
        page.mouse.wheel(0, -400)
        page.wait_for_timeout(30)
    found["scrolling the conversation"] = _longest(page)
    return found


def _longest(page: Page) -> float:
    page.wait_for_timeout(200)
    tasks: list[list[float]] = page.evaluate("window.longTasks.splice(0)")
    return max((duration for _, duration in tasks), default=0)


def _note(request: Request, loaded: list[str]) -> None:
    if "/assets/" in request.url:
        loaded.append(request.url.rsplit("/", 1)[-1])


def _show_weight(loaded: list[str]) -> None:
    rows: list[tuple[str, int, int]] = []
    for path in sorted({BUILT / "assets" / name for name in loaded} | {BUILT / "index.html"}):
        body = path.read_bytes()
        rows.append((path.name, len(body), len(gzip.compress(body))))
    print("| first load, bytes | plain | gzip |\n| --- | ---: | ---: |")
    for name, plain, packed in rows:
        print(f"| {name} | {plain:,} | {packed:,} |")
    total = sum(packed for _, _, packed in rows)
    print(f"| **together** | {sum(plain for _, plain, _ in rows):,} | {total:,} (goal: {BUNDLE_GOAL_KB},000) |")


def _options() -> Any:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
