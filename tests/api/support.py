"""A small schema that does what a real one can do wrong, and servers and clients for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from strawberry.types import Info
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from graph_session.api.application import SERVER_OPTIONS, create_app, request_id_of
from graph_session.api.connection import Connection, decode_cursor, page_size
from graph_session.api.extensions import ApiSchema, create_schema
from graph_session.api.security import principal_of

SECRET = "dragons ate the password"


class Expected(Exception):
    extensions = {"code": "NOT_TODAY"}  # noqa: RUF012 - the shape that graphql-core reads


@dataclass
class World:
    """What outlives an operation: how often something was loaded, and which generators run."""

    loads: int = 0
    running: int = 0
    release: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Loaders:
    world: World
    cached: int | None = None

    def load(self) -> int:
        if self.cached is None:
            self.world.loads += 1
            self.cached = self.world.loads
        return self.cached


@dataclass
class Context:
    services: World
    owner: str
    request_id: str
    loaders: Loaders


@dataclass(frozen=True)
class NamePage:
    items: Sequence[str]
    cursors: Sequence[str]
    has_next: bool
    total: int | None


@strawberry.type
class Thing:
    name: str

    @strawberry.field
    def again(self) -> Thing:
        return self

    @strawberry.field
    def loaded(self, info: Info[Context, None]) -> int:
        return info.context.loaders.load()


NAMES = ["a", "b", "c", "d", "e"]


@strawberry.type
class Query:
    @strawberry.field
    def hello(self) -> str:
        return "world"

    @strawberry.field
    def thing(self) -> Thing:
        return Thing(name="x")

    @strawberry.field
    def loaded(self, info: Info[Context, None]) -> int:
        return info.context.loaders.load()

    @strawberry.field
    def who(self, info: Info[Context, None]) -> str:
        return f"{info.context.owner} {info.context.request_id}"

    @strawberry.field
    def broken(self) -> str:
        raise RuntimeError(SECRET)

    @strawberry.field
    def expected(self) -> str:
        raise Expected("not today")

    @strawberry.field
    async def slow(self, info: Info[Context, None]) -> str:
        await info.context.services.release.wait()
        return "done"

    @strawberry.field
    def huge(self) -> strawberry.scalars.JSON:
        return strawberry.scalars.JSON({"big": 2**80, "half": "\ud83d"})

    @strawberry.field
    def things(self, first: int = 2, after: str | None = None) -> Connection[Thing]:
        start = decode_cursor(after)
        rest = [name for name in NAMES if start is None or name > start]
        chosen = rest[: page_size(first)]
        page = NamePage(chosen, chosen, len(rest) > len(chosen), len(NAMES))
        return Connection[Thing].of(page, lambda name: Thing(name=name), after=after)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def shout(self, text: str) -> str:
        return text.upper()


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncGenerator[int, None]:
        for number in range(to):
            yield number

    @strawberry.subscription
    async def events(self, number: int) -> AsyncGenerator[Thing, None]:
        for _ in range(number):
            yield Thing(name="event")

    @strawberry.subscription
    async def wait(self, info: Info[Context, None]) -> AsyncGenerator[str, None]:
        world = info.context.services
        world.running += 1
        try:
            yield "started"
            await world.release.wait()
            yield "released"
        finally:
            world.running -= 1

    @strawberry.subscription
    async def flood(self, info: Info[Context, None]) -> AsyncGenerator[str, None]:
        world = info.context.services
        world.running += 1
        try:
            while True:
                yield "x" * 100_000
                await asyncio.sleep(0)
        finally:
            world.running -= 1

    @strawberry.subscription
    async def breaks(self) -> AsyncGenerator[int, None]:
        yield 1
        raise RuntimeError(SECRET)


def make_schema(**options: Any) -> ApiSchema:
    return create_schema(query=Query, mutation=Mutation, subscription=Subscription, **options)


async def always_ready() -> None:
    return None


def make_app(world: World | None = None, *, schema: ApiSchema | None = None, **options: Any) -> Starlette:
    """The application over `world`. Other options are those of create_app."""
    shared = world or World()

    def make_context(connection: HTTPConnection) -> Context:
        return Context(
            services=shared,
            owner=principal_of(connection).owner,
            request_id=request_id_of(connection),
            loaders=Loaders(shared),
        )

    return create_app(
        schema=schema or make_schema(),
        make_context=make_context,
        ready=options.pop("ready", always_ready),
        **options,
    )


def client(app: Starlette, **options: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app, raise_app_exceptions=False),
        base_url="http://localhost",
        **options,
    )


async def ask(app: Starlette, query: str, **variables: Any) -> Any:
    """The JSON of one operation over HTTP."""
    async with client(app) as http:
        response = await http.post("/graphql", json={"query": query, "variables": variables})
        return response.json()


@contextlib.asynccontextmanager
async def serve(app: Starlette, **options: Any) -> AsyncIterator[int]:
    """Runs uvicorn in this event loop; gives the port."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, **{**SERVER_OPTIONS, "timeout_graceful_shutdown": 1, **options})
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.005)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await running
        listener.close()


class Socket:
    """A graphql-transport-ws client that shows every frame."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, message: object) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> Any:
        frame = await asyncio.wait_for(self.connection.recv(), 10)
        assert isinstance(frame, str), "browsers' clients read text frames only"
        return json.loads(frame)

    async def init(self, payload: object = None) -> Any:
        await self.send({"type": "connection_init", **({"payload": payload} if payload else {})})
        return await self.receive()

    async def start(self, query: str, id: str = "1", **variables: Any) -> None:
        payload = {"query": query, "variables": variables}
        await self.send({"id": id, "type": "subscribe", "payload": payload})

    async def run(self, query: str, id: str = "1", **variables: Any) -> list[Any]:
        """Every frame of the operation up to its last one."""
        await self.start(query, id, **variables)
        frames: list[Any] = []
        while not frames or frames[-1]["type"] == "next":
            frames.append(await self.receive())
        return frames

    async def closed(self) -> tuple[int | None, str | None]:
        """The code and reason of the close that is to come."""
        await asyncio.wait_for(self.connection.wait_closed(), 10)
        return self.connection.close_code, self.connection.close_reason


@contextlib.asynccontextmanager
async def open_socket(port: int, *, init: bool = True, **options: Any) -> AsyncIterator[Socket]:
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(f"ws://127.0.0.1:{port}/graphql", subprotocols=protocols, proxy=None, **options) as connection:
        opened = Socket(connection)
        if init:
            assert (await opened.init())["type"] == "connection_ack"
        yield opened


async def until(condition: Any, seconds: float = 10.0) -> None:
    """Waits for a condition with a generous limit: how long it takes is not what a test asserts."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for knows no event
            await asyncio.sleep(0.01)
