"""What Neo4j Browser can load from this server: a guide with queries to click, the style that colours the tree, and the
queries as favourites.

Neo4j Browser is a page of another origin, of whichever one, and asks for a guide with headers that need a preflight. So
these files, which hold no data, are open to every origin and need no token, unlike everything else here.
"""

from __future__ import annotations

import html

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from graph_session.resources import neo4j_browser_dir

PATH = "/neo4j-browser/"
MEDIA_TYPES = {
    "guide.html": "text/html",
    "graph_session.grass": "text/plain",
    "favorites.zip": "application/zip",
}
SHOWN_ADDRESS = "http://localhost:8000"
"""What the guide in the documents calls this server."""

_METHODS = ("GET", "HEAD", "OPTIONS")


class Neo4jBrowserFiles:
    """Answers for the files, and passes everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files = CORSMiddleware(
            _send_file,
            allow_origins=["*"],
            # It asks that nothing be cached, and now and then its error reporting adds a header of its own.
            allow_headers=["*"],
            # A Neo4j Browser that came from elsewhere asks a server on the user's own machine.
            allow_private_network=True,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and scope["method"] in _METHODS and _name(scope) in MEDIA_TYPES
        await (self._files if ours else self._app)(scope, receive, send)


def _name(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(PATH) if path.startswith(PATH) else ""


async def _send_file(scope: Scope, receive: Receive, send: Send) -> None:
    name = _name(scope)
    content = neo4j_browser_dir().joinpath(name).read_bytes()
    if name == "guide.html":
        # It names the style by its whole address, since relative to Neo4j Browser it would be looked for at Neo4j.
        here = html.escape(str(Request(scope).base_url).rstrip("/"))
        content = content.replace(SHOWN_ADDRESS.encode(), here.encode())
    await Response(content, media_type=MEDIA_TYPES[name])(scope, receive, send)
