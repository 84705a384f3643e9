"""The ASGI application: routes, and around them what every request passes through."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send
from strawberry.schema import BaseSchema

from graph_session import __version__
from graph_session.api.graphiql import PUBLIC_PATHS as GRAPHIQL_PATHS
from graph_session.api.graphiql import graphiql_routes
from graph_session.api.health import health_routes
from graph_session.api.neo4j_browser import Neo4jBrowserFiles
from graph_session.api.security import (
    LOOPBACK_HOSTS,
    Authenticator,
    RefuseCrossSite,
    RequireToken,
    SecurityHeaders,
    error_response,
    parse_origins,
)
from graph_session.api.transport import (
    INIT_TIMEOUT,
    MAX_SOCKETS,
    MAX_SOCKETS_PER_CLIENT,
    SEND_TIMEOUT,
    WS_MAX_SIZE,
    GraphQLApp,
)
from graph_session.domain.principal import DEFAULT_OWNER

log = structlog.stdlib.get_logger("graph_session.api")

MAX_BODY_BYTES = 8 * 2**20
REQUEST_ID_HEADER = "X-Request-ID"

ABOUT: dict[str, object] = {
    "name": "graph_session",
    "version": __version__,
    "graphql": "/graphql",
    "subscriptions": "/graphql (graphql-transport-ws)",
    "health": ["/healthz", "/readyz"],
}
"""What there is at / for those who do not know where things are."""

SERVER_OPTIONS: dict[str, Any] = {
    # The other implementation that uvicorn can take for sockets is slow to notice clients that went.
    "ws": "websockets-sansio",
    "ws_max_size": WS_MAX_SIZE,
    # Compression doubles the memory of an idle connection, for messages that are mostly small.
    "ws_per_message_deflate": False,
    "server_header": False,
    # Subscriptions never end by themselves, and without this a shutdown waits for them.
    "timeout_graceful_shutdown": 2,
    # Logging is set up by graph_session.logs.
    "log_config": None,
}
"""What uvicorn must be run with for the limits of this application to hold."""

_REQUEST_ID_KEY = "graph_session.request_id"
_SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_CODES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 413: "BODY_TOO_LARGE"}


def request_id_of(connection: HTTPConnection) -> str:
    """The id of the HTTP request, or of the one that opened the socket; its log lines have it too."""
    request_id: str = connection.scope[_REQUEST_ID_KEY]
    return request_id


class RequestId:
    """Gives each request an id, in its log lines and in the response, and turns a crash into a JSON 500.

    An id that a proxy gave is kept if it is short and plain, so that it can be put in headers and logs.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        request_id = given if _SANE_REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope[_REQUEST_ID_KEY] = request_id
        started = False

        async def send_with_id(message: Message) -> None:
            nonlocal started
            if message["type"] in ("http.response.start", "websocket.accept"):
                started = True
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, send_with_id)
            except Exception:
                if started or scope["type"] != "http":
                    raise
                log.exception("request_failed", path=scope["path"])
                failure = error_response(500, "INTERNAL", f"Unexpected error. Reference: {request_id}")
                await failure(scope, receive, send_with_id)


async def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    code = _CODES.get(error.status_code, "BAD_REQUEST")
    return error_response(error.status_code, code, error.detail, error.headers)


async def _about(request: Request) -> JSONResponse:
    return JSONResponse(ABOUT)


def create_app(
    *,
    schema: BaseSchema,
    make_context: Callable[[HTTPConnection], object],
    ready: Callable[[], Awaitable[object]],
    lifespan: Lifespan[Starlette] | None = None,
    token: str | None = None,
    owner: str = DEFAULT_OWNER,
    allowed_hosts: Sequence[str] = LOOPBACK_HOSTS,
    allowed_origins: Sequence[str] = (),
    dev: bool = False,
    max_body_bytes: int = MAX_BODY_BYTES,
    routes: Sequence[BaseRoute] = (),
    public_paths: Sequence[str] = (),
    max_sockets: int = MAX_SOCKETS,
    max_sockets_per_client: int = MAX_SOCKETS_PER_CLIENT,
    send_timeout: float = SEND_TIMEOUT,
    init_timeout: float = INIT_TIMEOUT,
) -> Starlette:
    """The application for uvicorn, which should get SERVER_OPTIONS too.

    schema: from `extensions.create_schema`.
    make_context: gives what is `info.context`, once an operation and once an event of a subscription. It gets
        the request or socket, for `principal_of`, `request_id_of` and the state that the lifespan yields.
    ready: returns when the database answers, raises otherwise.
    token: what clients must send; None serves everybody, see `check_bind`. owner: who the token stands for.
    allowed_hosts: names in the Host header to answer to, see `hosts_to_allow`.
    allowed_origins: other origins whose pages may use the server, such as "https://chat.example".
    dev: serves GraphiQL at /graphiql.
    routes: served before ours, for a web UI. public_paths: those of them that need no token, exact, or with a
        trailing slash everything below.
    Raises ValueError for origins that are none.
    """
    origins = sorted(parse_origins(allowed_origins))
    authenticator = Authenticator(token, owner)
    graphql = GraphQLApp(
        schema,
        make_context,
        authenticator,
        allowed_origins=origins,
        send_timeout=send_timeout,
        init_timeout=init_timeout,
        max_sockets=max_sockets,
        max_sockets_per_client=max_sockets_per_client,
    )
    public = ["/", "/healthz", "/readyz", *public_paths, *(GRAPHIQL_PATHS if dev else ())]
    return Starlette(
        routes=[
            *routes,
            Route("/graphql", graphql, methods=["POST"]),
            WebSocketRoute("/graphql", graphql),
            *health_routes(ready),
            *(graphiql_routes() if dev else ()),
            Route("/", _about),
        ],
        middleware=[
            Middleware(RequestId),
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts), www_redirect=False),
            Middleware(Neo4jBrowserFiles),
            # Before the token: a browser sends none with the preflight that asks whether it may send one.
            Middleware(
                CORSMiddleware,
                allow_origins=origins,
                allow_methods=["POST"],
                allow_headers=["Authorization", "Content-Type", REQUEST_ID_HEADER],
                expose_headers=[REQUEST_ID_HEADER],
            ),
            Middleware(RefuseCrossSite, allowed_origins=origins),
            Middleware(RequireToken, authenticator=authenticator, public=public),
            # Here and not as Starlette's own parameter, whose refusals would lack the id and the headers.
            Middleware(RequestBodyLimitMiddleware, max_body_size=max_body_bytes),
        ],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
