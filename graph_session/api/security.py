"""Who may talk to the server: where it may listen, which hosts, origins and tokens it accepts.

The middleware is plain ASGI, and access is decided by `scope["path"]`, which no Host header can change.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from strawberry.http.websocket_origin import is_same_origin, normalize_allowed_origins, normalize_origin

from graph_session.domain.principal import DEFAULT_OWNER, Principal

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

_PRINCIPAL_KEY = "graph_session.principal"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class InsecureBind(Exception):
    """The server was told to listen where others can reach it, and no token is configured."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`, a name or an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_bind(host: str, token: str | None) -> None:
    """Refuses to serve every conversation, and the model's budget, to whoever finds the port.

    host: the address to listen on, as given to uvicorn; "" is every interface.
    Raises InsecureBind unless there is a token or the host is a loopback one.
    """
    if token or is_loopback(host):
        return
    raise InsecureBind(
        f"Refusing to listen on {host or 'every interface'} without a token: anybody who reaches the port "
        "could read every conversation and spend the model's budget. Set GRAPH_SESSION_TOKEN, "
        "or listen on 127.0.0.1."
    )


def hosts_to_allow(bind_host: str, extra: Iterable[str] = ()) -> list[str]:
    """Host names to answer to: loopback ones, the one listened on, and those of the settings.

    A host such as 0.0.0.0 names no server, so what clients call it by must come from the settings.
    """
    names = [*LOOPBACK_HOSTS, *extra]
    try:
        address = ipaddress.ip_address(bind_host.strip("[]"))
    except ValueError:
        if bind_host:
            names.append(bind_host)
    else:
        if not address.is_unspecified:
            names.append(f"[{address}]" if address.version == 6 else str(address))
    return list(dict.fromkeys(name.lower() for name in names))


def parse_origins(origins: Sequence[str]) -> frozenset[str]:
    """The origins in the form in which browsers send them.

    Raises ValueError for what is no origin, and for "*": any page a user visits could then use the server.
    """
    if "*" in origins:
        raise ValueError('allowed_origins cannot contain "*"; name each origin, such as "https://chat.example"')
    return normalize_allowed_origins(origins)


def principal_of(connection: HTTPConnection) -> Principal:
    """Who sent the request or opened the socket.

    Raises LookupError before authentication, so that a route that skips it cannot serve anybody.
    """
    principal = connection.scope.get(_PRINCIPAL_KEY)
    if not isinstance(principal, Principal):
        raise LookupError("the connection is not authenticated")
    return principal


def admit(connection: HTTPConnection, principal: Principal) -> None:
    """Records who is on the connection; `principal_of` gives it back."""
    connection.scope[_PRINCIPAL_KEY] = principal


def error_response(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A refusal in the shape of a GraphQL response, so that a client needs one way to read errors."""
    body = {"errors": [{"message": message, "extensions": {"code": code}}]}
    return JSONResponse(body, status_code=status, headers=headers)


class Authenticator:
    """Turns credentials into a principal. Without a token everybody is the owner, see `check_bind`."""

    def __init__(self, token: str | None, owner: str = DEFAULT_OWNER) -> None:
        self._token = token.encode() if token else None
        self._principal = Principal(owner)

    @property
    def is_open(self) -> bool:
        return self._token is None

    def from_headers(self, headers: Mapping[str, str]) -> Principal | None:
        """By an `Authorization: Bearer` header; None when it is missing or wrong."""
        return self._check(_bearer(headers.get("authorization")))

    def from_init_payload(self, payload: Mapping[str, Any] | None) -> Principal | None:
        """By `{"Authorization": "Bearer …"}` or `{"token": "…"}`, as browsers set no headers on sockets."""
        for name, value in (payload or {}).items():
            if name.lower() == "authorization":
                return self._check(_bearer(value))
        return self._check((payload or {}).get("token"))

    def _check(self, token: object) -> Principal | None:
        if self._token is None:
            return self._principal
        if isinstance(token, str) and secrets.compare_digest(token.encode(), self._token):
            return self._principal
        return None


def _bearer(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    scheme, _, token = value.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


class RequireToken:
    """Answers 401 to HTTP requests without the token, except for public paths.

    A socket passes, admitted or not: its token may come with `connection_init`, where the transport asks for
    it. public: exact paths, and with a trailing slash everything below one.
    """

    def __init__(self, app: ASGIApp, authenticator: Authenticator, public: Collection[str]) -> None:
        self._app = app
        self._authenticator = authenticator
        self._public = frozenset(public)
        self._public_below = tuple(path for path in public if path.endswith("/") and path != "/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        principal = self._authenticator.from_headers(Headers(scope=scope))
        if principal is not None:
            scope[_PRINCIPAL_KEY] = principal
        elif scope["type"] == "http" and not self._is_public(scope["path"]):
            refusal = error_response(
                401,
                "UNAUTHENTICATED",
                "This server needs a token: send it as `Authorization: Bearer <token>`.",
                {"WWW-Authenticate": 'Bearer realm="graph_session"'},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_public(self, path: str) -> bool:
        return path in self._public or path.startswith(self._public_below)


class RefuseCrossSite:
    """Answers 403 when a browser sends a writing request for a page of another, not allowed, origin.

    JSON bodies already need a preflight that we do not answer; this does not depend on what bodies we accept.
    Sockets are checked by Strawberry, with the same rule.
    """

    def __init__(self, app: ASGIApp, allowed_origins: Collection[str]) -> None:
        self._app = app
        self._allowed = frozenset(allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] == "http"
            and scope["method"] not in _SAFE_METHODS
            and not self._is_allowed(Headers(scope=scope))
        ):
            refusal = error_response(
                403, "CROSS_SITE", "Pages of this origin may not use the server; see the allowed origins."
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is not None and normalize_origin(origin) in self._allowed:
            return True
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site in ("same-origin", "none")
        return origin is None or is_same_origin(origin, headers.get("host"))


class SecurityHeaders:
    """Tells browsers not to sniff, frame, refer or load from elsewhere. A response may set its own."""

    headers = (
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    )

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers:
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
