"""Whether the process lives, and whether it can serve: what an orchestrator asks, without credentials."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from graph_session import __version__

log = structlog.stdlib.get_logger("graph_session.api")

READY_TIMEOUT = 2.0
"""Seconds in which the database must answer."""
READY_CACHE = 1.0
"""Seconds an answer holds: anybody may ask, so asking must not become load on the database."""


class Readiness:
    """Asks `ready` and turns what it raises into a reason code; one question at a time.

    ready: returns when the server can serve, raises otherwise.
    """

    def __init__(self, ready: Callable[[], Awaitable[object]], timeout: float = READY_TIMEOUT) -> None:
        self._ready = ready
        self._timeout = timeout
        self._lock = asyncio.Lock()
        self._reason: str | None = None
        self._valid_until = 0.0

    async def reason(self) -> str | None:
        """Why the server cannot serve, as a code; None when it can."""
        async with self._lock:
            if time.monotonic() >= self._valid_until:
                self._reason = await self._ask()
                self._valid_until = time.monotonic() + READY_CACHE
            return self._reason

    async def _ask(self) -> str | None:
        limit = asyncio.timeout(self._timeout)
        try:
            async with limit:
                await self._ready()
        except Exception as error:
            reason = "TIMEOUT" if limit.expired() else getattr(error, "code", None)
            # The message may name hosts and users, so it is for the log and not for whoever asks.
            log.warning("not_ready", reason=reason, error=str(error), error_type=type(error).__name__)
            return reason if isinstance(reason, str) else "UNAVAILABLE"
        return None


def health_routes(ready: Callable[[], Awaitable[object]]) -> list[BaseRoute]:
    """GET /healthz: 200 while the process answers. GET /readyz: 200, or 503 with a reason code."""
    readiness = Readiness(ready)

    async def healthz(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "version": __version__})

    async def readyz(request: Request) -> JSONResponse:
        reason = await readiness.reason()
        if reason is None:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "unavailable", "reason": reason}, status_code=503)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]
