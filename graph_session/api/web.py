"""The web page, as `make web` or the building of the wheel left it, and what there is at / where nobody built it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from graph_session.api.application import ABOUT

FOLDER = Path(__file__).parents[1] / "web"
"""Where the build of `web/` puts the page, in a checkout and in a wheel alike."""

HOW_TO_BUILD = "not built: run `make web`; it needs Node 20.19 or newer, and installs one in .venv where there is none"

PUBLIC_PATHS = ("/", "/s/", "/assets/")
"""Open to all even where a token is needed: a browser cannot send one for a page, and these hold no data."""

PAGE_POLICY = (
    # 'self' covers sockets to the same host and port too.
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_HASHED = re.compile(r"-[\w-]{8}\.\w+$")
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


class _Assets(StaticFiles):
    """Files whose names change with what is in them, and a few, such as the icon, whose names do not.

    Not compressed: most servers are on the reader's own machine, where that takes longer than it saves, and a browser
    asks for each of them once.
    """

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = _FOR_EVER if _HASHED.search(str(full_path)) else _ASK_AGAIN
        return response


def is_built(folder: Path = FOLDER) -> bool:
    """Whether there is a page to serve."""
    return (folder / "index.html").is_file()


def page_routes(folder: Path = FOLDER) -> list[BaseRoute]:
    """GET / and the addresses of sessions, all of them one page, and its files.

    A client that asks / for JSON is told where things are; so is everybody where there is no page.
    """
    built = is_built(folder)

    async def page(request: Request) -> Response:
        headers = {"Cache-Control": _ASK_AGAIN, "Content-Security-Policy": PAGE_POLICY}
        return FileResponse(folder / "index.html", headers=headers)

    async def root(request: Request) -> Response:
        response = await page(request) if built and not _wants_json(request) else about()
        response.headers["Vary"] = "Accept"
        return response

    def about() -> Response:
        return JSONResponse(ABOUT | {"page": "/" if built else HOW_TO_BUILD}, headers={"Cache-Control": _ASK_AGAIN})

    routes: list[BaseRoute] = [Route("/", root)]
    if built:
        routes += [Route("/s/{rest:path}", page), Mount("/assets", _Assets(directory=folder / "assets"))]
    return routes


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted
