"""GraphiQL for development, from files in this package: the page asks no other host for anything."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static" / "graphiql"

PAGE_POLICY = (
    # GraphiQL sets style elements, and its style sheet holds its fonts.
    "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

PUBLIC_PATHS = ("/graphiql", "/graphiql/")
"""Open to all even where a token is needed: a browser cannot send one for a page, and these hold no data."""


def graphiql_routes() -> list[BaseRoute]:
    """GET /graphiql, and its files below it."""

    async def page(request: Request) -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Content-Security-Policy": PAGE_POLICY})

    return [Route("/graphiql", page), Mount("/graphiql/static", StaticFiles(directory=STATIC))]
