"""The server: the application with its services, on a socket of its own, from settings to shutdown."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TypedDict

import click
import uvicorn
from starlette.applications import Starlette

from graph_session.api.application import SERVER_OPTIONS, create_app
from graph_session.api.context import make_context
from graph_session.api.schema import schema
from graph_session.api.security import check_bind, hosts_to_allow
from graph_session.api.web import HOW_TO_BUILD, PUBLIC_PATHS, is_built, page_routes
from graph_session.models.offline import OfflineModel
from graph_session.runtime import open_services
from graph_session.services import Services
from graph_session.settings import Settings


class State(TypedDict):
    """What requests find in `request.state`."""

    services: Services


class CannotListen(Exception):
    """The address cannot be listened on."""


class _Server(uvicorn.Server):
    """Stops in order at SIGINT and SIGTERM: the answers first, so that the requests that wait for one can end too.
    `announce` is called when it listens and hears signals."""

    def __init__(self, config: uvicorn.Config, services: Services, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._services = services
        self._announce = announce

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn's own raises the signal again at its end, which ends the process before the services are closed.
        loop = asyncio.get_running_loop()
        numbers = (signal.SIGINT, signal.SIGTERM)
        for number in numbers:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._services.ask.close()
        await super().shutdown(sockets)


def create_server_app(settings: Settings, services: Services, *, dev: bool = False) -> Starlette:
    """The application on services that are open already."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[State]:
        yield State(services=services)

    return create_app(
        schema=schema,
        make_context=make_context,
        ready=services.storage.ping,
        lifespan=lifespan,
        token=settings.token.get_secret_value() if settings.token else None,
        allowed_hosts=hosts_to_allow(settings.host, settings.allowed_hosts),
        allowed_origins=settings.allowed_origins,
        max_body_bytes=settings.max_body_bytes,
        dev=dev,
        routes=page_routes(),
        public_paths=PUBLIC_PATHS,
    )


async def serve(settings: Settings, *, dev: bool = False) -> None:
    """Serve until SIGINT or SIGTERM.

    The address is taken before anything is opened, so that a second server fails at once; nothing is answered before
    the services are ready. Raises InsecureBind, CannotListen, and what `open_services` raises.
    """
    token = settings.token.get_secret_value() if settings.token else None
    check_bind(settings.host, token)
    listener = _listen(settings.host, settings.port)
    try:
        async with open_services(settings) as services:
            app = create_server_app(settings, services, dev=dev)
            announce = partial(_announce, settings, services, listener, dev)
            await _Server(uvicorn.Config(app, **SERVER_OPTIONS), services, announce).serve(sockets=[listener])
    finally:
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Accepted connections inherit it; without it small frames of a stream wait 40 ms for the peer's acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host.strip("[]"), port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise CannotListen(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another with --port (PORT=... make run)"
        ) from error
    return listener


def _announce(settings: Settings, services: Services, listener: socket.socket, dev: bool) -> None:
    port = listener.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{port}/"
    graphql = f"{address}graphql (GraphQL over HTTP and graphql-transport-ws)"
    if is_built():
        lines = [f"graph_session is at {address}", f"  api     {graphql}"]
    else:
        lines = [f"graph_session is at {graphql}", f"  page    {HOW_TO_BUILD}"]
    lines += [
        f"  data    {_data_line(settings)}",
        f"  model   {_model_line(services)}",
        f"  access  {'bearer token' if settings.token else 'this machine only, no token'}",
    ]
    if dev:
        lines.append(f"  explore {address}graphiql")
    click.echo("\n".join(lines))


def _data_line(settings: Settings) -> str:
    match settings.storage:
        case "memory":
            return "memory only: it is gone when the server stops"
        case "jsonl":
            return f"{settings.files} (files of JSON lines)"
        case "graph":
            return settings.neo4j_uri or f"{settings.home} (embedded engine)"


def _model_line(services: Services) -> str:
    model = services.model
    if isinstance(model, OfflineModel):
        return "offline: no ANTHROPIC_API_KEY is set, so answers only show what a model would have been sent"
    return f"{model.provider}: {model.answer_model} answers, {model.summary_model} summarises"
