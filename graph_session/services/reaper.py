"""Closing answers whose process is gone: their lease has run out, so they end as INTERRUPTED with what had come."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import structlog

from graph_session.domain.errors import StorageUnavailable
from graph_session.services.runner import NO_MARKS, interrupted_entry
from graph_session.storage.protocol import SessionStorage

log = structlog.get_logger(__name__)


class Reaper:
    """Looks for expired answers every `seconds`. `owner` is this process's name on its own answers' leases."""

    def __init__(
        self, storage: SessionStorage, owner: str, *, seconds: float, on_change: Callable[[str], None]
    ) -> None:
        self._storage = storage
        self._owner = owner
        self._seconds = seconds
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None

    async def run_once(self) -> int:
        """Close all expired answers; how many there were."""
        expired = await self._storage.expired_answers(self._owner)
        for found in expired:
            entry = interrupted_entry(found.question, found.answer)
            if await self._storage.finish_answer(entry, owner=self._owner, marks=NO_MARKS, expired=True):
                log.warning("answer_interrupted", answer_id=entry.id, session_id=entry.session_id)
                self._on_change(entry.session_id)
        return len(expired)

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                await self.run_once()
            except StorageUnavailable:
                log.warning("reaper_waits", reason="the database does not answer")
            except Exception:
                log.exception("reaper_error")
