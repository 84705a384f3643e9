"""What tests of the page need: the page built, servers that serve it, and a guard that hears the browser complain."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

from tests.e2e.support import ROOT, Api, Server, client

T = TypeVar("T")
WEB = ROOT / "web"
BUILT = ROOT / "graph_session" / "web"
LEAST_NODE = (20, 19)
SECONDS_TO_BUILD = 600

_VIOLATIONS_TO_CONSOLE = """
addEventListener("securitypolicyviolation", (it) =>
  console.error(`content security policy: ${it.effectiveDirective} forbids ${it.blockedURI || "inline"}`
    + ` (${it.sourceFile ?? ""}:${it.lineNumber}) ${it.sample}`));
"""
_AXE = """
async () => {
  const found = await axe.run(document, {
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21aa"] },
    resultTypes: ["violations"],
  });
  return found.violations.filter((it) => ["serious", "critical"].includes(it.impact)).flatMap((it) =>
    it.nodes.map((node) => `${it.id} (${it.impact}): ${it.help}: ${node.target.join(" ")}: ${node.failureSummary}`));
}
"""


def environment() -> dict[str, str]:
    """That of the tests without what make told them, and with the Node that `make node` installs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return {**kept, "NO_COLOR": "1", "PATH": f"{ROOT / '.venv' / 'node'}{os.pathsep}{os.environ.get('PATH', '')}"}


def lack_of_node() -> str | None:
    """Why the page cannot be built here, if it cannot."""
    path = environment()["PATH"]
    missing = [tool for tool in ("make", "node", "npm") if shutil.which(tool, path=path) is None]
    if missing:
        return f"no {' and no '.join(missing)} was found; `make node` installs Node and npm in .venv"
    node = shutil.which("node", path=path) or ""
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < LEAST_NODE:
        return f"Node {version.strip()} is older than 20.19; `make node` installs one that is not in .venv"
    return None


def run(*command: str, folder: Path = ROOT) -> str:
    """What a command that succeeds prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS_TO_BUILD,
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}"
    return done.stdout


def make(target: str) -> str:
    """What a target of the Makefile printed."""
    return run("make", "--no-print-directory", target)


class PageServer(Server):
    """`graph-session serve` with the page. After `kill` (-9) or `stop`, `start` runs it on the same data and port."""

    def __init__(self, settings: Mapping[str, str], home: Path) -> None:
        super().__init__({"GRAPH_SESSION_HOME": str(home), **settings})
        self._token = settings.get("GRAPH_SESSION_TOKEN")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> PageServer:
        if self.port:
            self._command[-1] = str(self.port)
        super().start()
        return self

    def change(self, settings: Mapping[str, str]) -> None:
        """Other settings, from the next start on."""
        self._env |= settings

    def api(self, work: Callable[[Api], Awaitable[T]]) -> T:
        """What `work` gives, which may use the API behind the page's back: `server.api(lambda api: api.create())`."""

        async def run() -> T:
            async with client(self, token=self._token) as api:
                return await work(api)

        # In another thread: Playwright's event loop has this one.
        with ThreadPoolExecutor(1) as other:
            return other.submit(asyncio.run, run()).result()


class Guard:
    """Collects what the browser complains of in one test; anything that was not allowed before it came fails the test.

    That is: errors and warnings on the console, exceptions that nobody caught, violations of the content security
    policy, requests that failed, and requests and sockets to any origin but that of the page.
    """

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._allowed: list[str] = []
        self._listens = True

    def allow(self, *patterns: str) -> None:
        """From now on a complaint in which one of these regular expressions is found is none."""
        self._allowed += patterns

    @contextmanager
    def allowing(self, *patterns: str) -> Iterator[None]:
        """The same for a part of the test."""
        before = list(self._allowed)
        self.allow(*patterns)
        try:
            yield
        finally:
            self._allowed = before

    def close(self) -> None:
        """Stop listening: what is closed next will complain."""
        self._listens = False

    def check(self) -> None:
        __tracebackhide__ = True
        assert not self.complaints, "the browser complained:\n" + "\n".join(self.complaints)

    def watch(self, context: BrowserContext, origin: str) -> None:
        """Listen to every page of a context."""
        host = urlsplit(origin).netloc

        def elsewhere(url: str) -> bool:
            return urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != host

        def message(it: ConsoleMessage) -> None:
            if it.type in ("error", "warning", "assert"):
                self._complain(f"console {it.type}: {it.text} ({it.location.get('url', '')})")

        def request(it: Request) -> None:
            if elsewhere(it.url):
                self._complain(f"request to another origin: {it.method} {it.url}")

        def failed(it: Request) -> None:
            # The page itself, or its going elsewhere, gave the request up.
            if it.failure != "net::ERR_ABORTED":
                self._complain(f"request failed: {it.method} {it.url}: {it.failure}")

        def uncaught(it: WebError) -> None:
            self._complain(f"uncaught: {it.error.stack or it.error}")

        def socket(it: WebSocket) -> None:
            if elsewhere(it.url):
                self._complain(f"socket to another origin: {it.url}")

        context.add_init_script(_VIOLATIONS_TO_CONSOLE)
        context.on("console", message)
        context.on("request", request)
        context.on("requestfailed", failed)
        context.on("weberror", uncaught)
        context.on("page", lambda page: page.on("websocket", socket))

    def _complain(self, text: str) -> None:
        if self._listens and not any(re.search(pattern, text) for pattern in self._allowed):
            self.complaints.append(text)


class StartServer(Protocol):
    """Starts a server with settings of its own: `start_server(GRAPH_SESSION_OFFLINE_DELAY="0.1")`."""

    def __call__(self, **settings: str) -> PageServer: ...


class OpenPage(Protocol):
    """Opens an address of a server's page, in a browser of its own unless given the `context` of another page. Other
    options are those of Playwright's `new_context`, such as `color_scheme="dark"`."""

    def __call__(
        self, server: PageServer, path: str = "/", *, context: BrowserContext | None = None, **options: Any
    ) -> Page: ...


@cache
def _axe_source() -> str:
    return (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def axe(page: Page) -> list[str]:
    """The serious and critical violations of WCAG 2.1 AA that axe-core finds in what the page shows now."""
    # Evaluated by the debugger, which the page's content security policy does not bind.
    page.evaluate(_axe_source())
    found: list[str] = page.evaluate(_AXE)
    return found
