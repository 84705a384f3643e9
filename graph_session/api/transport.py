"""GraphQL over HTTP POST and over graphql-transport-ws, and nothing else: no GET, batches, uploads or SSE.

It closes what Strawberry's ASGI view leaves open: bodies and messages of odd shapes, binary frames where
orjson is used, clients that stop reading, and tracebacks for races with a disconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

import orjson
import structlog
from cross_web import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http.async_base_view import AsyncBaseHTTPView
from strawberry.http.exceptions import NonJsonMessageReceived, NonTextMessageReceived
from strawberry.http.exceptions import WebSocketDisconnected as ClientGone
from strawberry.schema import BaseSchema
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.types.unset import UNSET, UnsetType

from graph_session.api.extensions import OperationContexts
from graph_session.api.security import Authenticator, admit, error_response

log = structlog.stdlib.get_logger("graph_session.api")

INIT_TIMEOUT = 10.0
"""Seconds in which a client must send `connection_init`."""
SEND_TIMEOUT = 15.0
"""Seconds a frame may wait for a client that does not read before its connection is given up."""
MAX_OPERATIONS_PER_SOCKET = 20
MAX_SOCKETS = 1000
MAX_SOCKETS_PER_CLIENT = 50
WS_MAX_SIZE = 2**20
"""Bytes in one message from a client, for uvicorn's `ws_max_size`; its own default is 16 MiB."""

_TRY_AGAIN_LATER = 1013


def encode_json(data: object) -> str:
    """Compact JSON, as text: for bytes Strawberry would send binary frames, which browsers reject."""
    try:
        return orjson.dumps(data).decode()
    except TypeError:
        # Data from elsewhere may hold what orjson does not write: integers of more than 64 bits, half of a
        # surrogate pair, deep nesting.
        return json.dumps(data, separators=(",", ":"))


def _is_string_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_object_or_null(value: object) -> bool:
    return value is None or isinstance(value, dict)


def _is_request(value: Mapping[str, object]) -> bool:
    return (
        _is_string_or_null(value.get("operationName"))
        and _is_object_or_null(value.get("variables"))
        and _is_object_or_null(value.get("extensions"))
    )


def is_message(message: object) -> bool:
    """Whether a graphql-transport-ws message has the types that Strawberry takes for granted."""
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return False
    payload = message.get("payload")
    if message["type"] == "subscribe":
        return (
            isinstance(message.get("id"), str)
            and isinstance(payload, dict)
            and isinstance(payload.get("query"), str)
            and _is_request(payload)
        )
    if message["type"] == "complete":
        return isinstance(message.get("id"), str)
    return _is_object_or_null(payload)


class SocketAdapter(ASGIWebSocketAdapter):
    """Text frames and messages of the right shape only, and an end to connections whose peer stopped reading.

    Such a peer is not found by pings: once the send buffer is full, uvicorn closes by waiting for the flush.
    So a send that takes too long ends the loop over messages, and with it every operation of the connection.
    """

    def __init__(
        self,
        view: AsyncBaseHTTPView[Any, Any, Any, Any, Any, Any, Any],
        request: WebSocket,
        response: WebSocket,
    ) -> None:
        super().__init__(view, request, response)
        self._send_timeout = view.send_timeout if isinstance(view, GraphQLApp) else SEND_TIMEOUT
        self._gone = asyncio.Event()

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            while (text := await self._next_text(gone)) is not None:
                try:
                    message = self.view.decode_json(text)
                except json.JSONDecodeError as error:
                    raise NonJsonMessageReceived from error
                if not is_message(message):
                    await self.close(4400, "Invalid message")
                    return
                yield message
        finally:
            gone.cancel()

    async def _next_text(self, gone: asyncio.Future[Any]) -> str | None:
        """The next frame; None when the connection has ended, here or there."""
        receiving = asyncio.ensure_future(self.ws.receive_text())
        try:
            await asyncio.wait((receiving, gone), return_when=asyncio.FIRST_COMPLETED)
            return receiving.result() if receiving.done() else None
        except KeyError as error:
            raise NonTextMessageReceived from error
        except (WebSocketDisconnect, WebSocketDisconnected):
            return None
        finally:
            receiving.cancel()

    async def send_json(self, message: Mapping[str, object]) -> None:
        text = encode_json(message)
        if self._gone.is_set():
            raise ClientGone
        try:
            async with asyncio.timeout(self._send_timeout):
                await self.ws.send_text(text)
        except (TimeoutError, WebSocketDisconnect, WebSocketDisconnected) as error:
            self._gone.set()
            raise ClientGone from error

    async def close(self, code: int, reason: str) -> None:
        # A close frame holds 123 bytes of reason, and a syntax error quotes the whole query.
        short = reason.encode()[:123].decode(errors="ignore")
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, WebSocketDisconnected):
            async with asyncio.timeout(self._send_timeout):
                await self.ws.close(code=code, reason=short)
        self._gone.set()


class SocketHandler(BaseGraphQLTransportWSHandler[Any, None]):
    """Says nothing of a client that went while an answer was on its way to it."""

    async def handle_task_exception(self, error: Exception) -> None:
        if not isinstance(error, ClientGone):
            log.error("socket_task_failed", exc_info=error)


class SocketCaps:
    """Counts open sockets, in all and by client address, for a bound on the memory and tasks they hold."""

    def __init__(self, total: int, per_client: int) -> None:
        self._total = total
        self._per_client = per_client
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def slot(self, client: str) -> Iterator[str | None]:
        """Takes a slot for the length of the block; yields None, or why there is none."""
        if self._open.total() >= self._total:
            yield "The server has too many connections"
        elif self._open[client] >= self._per_client:
            yield "Too many connections from this address"
        else:
            self._open[client] += 1
            try:
                yield None
            finally:
                self._open[client] -= 1
                if not self._open[client]:
                    del self._open[client]


class GraphQLApp(GraphQL[OperationContexts, None]):
    """The ASGI application for /graphql: mount it as a Route for POST and as a WebSocketRoute.

    make_context: gives a new context for an operation on this connection.
    allowed_origins: origins of pages, other than our own, that may open sockets.
    send_timeout, init_timeout: seconds.
    """

    websocket_adapter_class = SocketAdapter
    graphql_transport_ws_handler_class = SocketHandler

    def __init__(
        self,
        schema: BaseSchema,
        make_context: Callable[[HTTPConnection], object],
        authenticator: Authenticator,
        *,
        allowed_origins: Sequence[str] = (),
        send_timeout: float = SEND_TIMEOUT,
        init_timeout: float = INIT_TIMEOUT,
        max_sockets: int = MAX_SOCKETS,
        max_sockets_per_client: int = MAX_SOCKETS_PER_CLIENT,
    ) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,),
            connection_init_wait_timeout=timedelta(seconds=init_timeout),
            max_subscriptions_per_connection=MAX_OPERATIONS_PER_SOCKET,
            allowed_origins=allowed_origins,
        )
        self.send_timeout = send_timeout
        self._make_context = make_context
        self._authenticator = authenticator
        self._caps = SocketCaps(max_sockets, max_sockets_per_client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            response = await self._respond(Request(scope, receive))
            await response(scope, receive, send)
            return
        client = scope.get("client")
        with self._caps.slot(client[0] if client else "") as refusal:
            socket = WebSocket(scope, receive, send)
            if refusal is None:
                await self.run(socket)
                return
            # Accepted first: a browser tells a page nothing of a refused handshake.
            with contextlib.suppress(WebSocketDisconnect, WebSocketDisconnected):
                await socket.accept(subprotocol=await self.pick_websocket_subprotocol(socket))
                await socket.close(_TRY_AGAIN_LATER, refusal)

    async def _respond(self, request: Request) -> Response:
        try:
            return await self.run(request)
        except HTTPException as error:
            return error_response(error.status_code, "BAD_REQUEST", error.reason)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> OperationContexts:
        return OperationContexts(request, self._make_context)

    async def on_ws_connect(self, context: OperationContexts) -> UnsetType | dict[str, object] | None:
        headers = context.connection.headers
        principal = self._authenticator.from_headers(headers) or self._authenticator.from_init_payload(
            context.connection_params
        )
        if principal is None:
            raise ConnectionRejectionError
        admit(context.connection, principal)
        acknowledge_without_payload: UnsetType = UNSET
        return acknowledge_without_payload

    def encode_json(self, data: object) -> str:
        return encode_json(data)

    def decode_json(self, data: str | bytes) -> object:
        # Unlike json.loads it fails in one way only, for invalid UTF-8 and endless nesting as well.
        return orjson.loads(data)

    def parse_json(self, data: str | bytes) -> Any:
        body = super().parse_json(data)
        if not isinstance(body, dict) or not _is_request(body):
            raise HTTPException(400, "The body must be one GraphQL request")
        return body
