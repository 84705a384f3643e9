"""A stand-in for Anthropic's Messages API that runs on this machine, for tests and demonstrations.

    with AnthropicStandin() as standin:
        model = AnthropicModel("test-key", base_url=standin.url, ...)
        standin.queue.append(Reply(status=429, retry_after=1))

or, in a process of its own, `python -m tests.support.anthropic_standin --port 9000`, driven by `POST
/_control`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.support.anthropic_reply import Reply, error_body, events, last_text, summary_of
from tests.support.anthropic_rules import Refused, all_blocks, check_request

__all__ = ["API_KEY", "AnthropicStandin", "Reply"]

API_VERSION = "2026-10-21"
API_KEY = "test-key"
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicStandin:
    """The server and what it saw. `requests`: bodies as they came, refused ones included; `queue` is served
    first, then `responder` (a function of the body that may return None), then `default`."""

    def __init__(self, port: int = 0, api_key: str | None = API_KEY) -> None:
        self.queue: deque[Reply] = deque()
        self.responder: Callable[[dict[str, Any]], Reply | None] | None = None
        self.default = Reply()
        self.api_key = api_key
        self.requests: list[dict[str, Any]] = []
        self.attempts = 0
        self.active = 0
        self.disconnects = 0
        self.deltas_sent = 0
        self.app = Starlette(
            routes=[
                Route("/v1/messages", _Messages(self), methods=["POST"]),
                Route("/_control", self._control, methods=["GET", "POST"]),
            ]
        )
        self._port = port
        self._cached: dict[str, int] = {}
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL to give the SDK."""
        return f"http://127.0.0.1:{self._port}"

    def reset(self) -> None:
        """Forget what was seen, queued and cached."""
        self.queue.clear()
        self.requests.clear()
        self._cached.clear()
        self.responder, self.default = None, Reply()
        self.attempts = self.disconnects = self.deltas_sent = 0

    def __enter__(self) -> Self:
        listener = socket.create_server(("127.0.0.1", self._port))
        # asyncio sets this only on sockets it made itself; without it a stream waits 40 ms for an acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = listener.getsockname()[1]
        config = uvicorn.Config(
            self.app,
            log_level="critical",
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
            loop="asyncio",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._server is not None
        assert self._thread is not None
        self._server.should_exit = True
        self._thread.join(5)

    def reply_for(self, body: dict[str, Any]) -> Reply:
        """The reply to a valid request, its text filled in."""
        answered = self.queue.popleft() if self.queue else self.responder and self.responder(body)
        reply = answered or self.default
        if reply.text is None:
            reply = replace(reply, text=summary_of(body) or f"Echo: {last_text(body)}")
        return reply

    def count(self, body: dict[str, Any]) -> dict[str, int]:
        """Usage as the API would report it, four bytes a token: what a marked prefix seen before holds is
        read from the cache, what a newly marked one adds is written to it. There is no minimum size and
        nothing expires."""
        prefix, total, read, write = hashlib.sha256(body["model"].encode()), 0, 0, 0
        marked: list[tuple[str, int]] = []
        for block in all_blocks(body):
            bare = {name: value for name, value in block.items() if name != "cache_control"}
            text = json.dumps(bare, ensure_ascii=False).encode()
            prefix.update(text)
            total += len(text) // 4 + 1
            if "cache_control" in block:
                marked.append((prefix.hexdigest(), total))
        for digest, size in marked:
            read = max(read, self._cached.get(digest, 0))
            write = size
        self._cached.update(marked)
        written = max(0, write - read)
        return {
            "input_tokens": total - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }

    async def _control(self, request: Request) -> Response:
        """`POST {"reset": true, "queue": [Reply fields], "default": Reply fields}`, each optional; both
        methods answer with what was seen."""
        if request.method == "POST":
            wanted = await request.json()
            if wanted.get("reset"):
                self.reset()
            self.queue.extend(Reply(**fields) for fields in wanted.get("queue", []))
            if "default" in wanted:
                self.default = Reply(**wanted["default"])
        seen = {"requests": self.requests, "attempts": self.attempts, "disconnects": self.disconnects}
        return JSONResponse(seen | {"active": self.active, "deltas_sent": self.deltas_sent})


class _Messages:
    """`POST /v1/messages`: plain ASGI, because a stand-in has to see a client leave and to cut a connection."""

    def __init__(self, standin: AnthropicStandin) -> None:
        self._standin = standin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        standin, request, reply = self._standin, Request(scope, receive), Reply()
        standin.attempts += 1
        try:
            body = await request.json()
            self._check_headers(request)
            standin.requests.append(body)
            check_request(body)
            if not body.get("stream"):
                raise Refused("this stand-in only streams")
            reply = standin.reply_for(body)
            if reply.status != 200:
                raise Refused(reply.message, reply.status, reply.error_type or _TYPES[reply.status])
        except Refused as refused:
            headers = {} if reply.retry_after is None else {"retry-after": str(reply.retry_after)}
            answer = JSONResponse(error_body(refused.type, refused.message), refused.status, headers)
            await answer(scope, receive, send)
            return
        standin.active += 1
        streaming = asyncio.create_task(self._send_stream(body, reply, send))
        leaving = asyncio.create_task(self._wait_for_leave(receive))
        try:
            await asyncio.wait({streaming, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not streaming.done():
                standin.disconnects += 1
        finally:
            standin.active -= 1
            for task in (streaming, leaving):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await leaving
        with contextlib.suppress(asyncio.CancelledError):
            await streaming

    def _check_headers(self, request: Request) -> None:
        given = request.headers.get("authorization", "")
        if self._standin.api_key is not None and given != f"Bearer {self._standin.api_key}":
            raise Refused(f"invalid credentials: {given}", 401, "authentication_error")
        if request.headers.get("anthropic-version") != API_VERSION:
            raise Refused(f"anthropic-version: {API_VERSION} expected")

    async def _wait_for_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def _send_stream(self, body: dict[str, Any], reply: Reply, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"request-id", b"req_standin")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for name, data in events(body["model"], reply, self._standin.count(body)):
            payload = data if isinstance(data, str) else json.dumps(data)
            self._standin.deltas_sent += '"type": "text_delta"' in payload
            event = f"event: {name}\ndata: {payload}\n\n".encode()
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def main() -> None:
    parser = argparse.ArgumentParser(description="A local stand-in for Anthropic's Messages API")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--api-key", default=None, help="the only key to accept (default: any)")
    given = parser.parse_args()
    with AnthropicStandin(given.port, given.api_key) as standin:
        print(standin.url, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
