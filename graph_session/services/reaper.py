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
    """Looks for expired answers a few times a lease. `runs_here`: whether an answer is this process's own and alive,
    since an answer that waits for the database cannot renew its lease."""

    def __init__(
        self,
        storage: SessionStorage,
        owner: str,
        *,
        lease_seconds: float,
        runs_here: Callable[[str], bool],
        on_change: Callable[[str], None],
    ) -> None:
        self._storage = storage
        self._owner = owner
        self._lease_seconds = lease_seconds
        self._seconds = max(1.0, lease_seconds / 3)
        self._runs_here = runs_here
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None

    async def run_once(self) -> int:
        """Close one page of expired answers; how many."""
        closed = 0
        for found in await self._storage.expired_answers(self._owner):
            if self._runs_here(found.answer.id):
                continue
            entry = interrupted_entry(found.question, found.answer)
            try:
                session = await self._storage.finish_answer(entry, owner=self._owner, marks=NO_MARKS, expired=True)
            except StorageUnavailable:
                raise
            except Exception:
                # One that cannot be closed must not keep the others open, nor the server from starting.
                log.exception("answer_not_closed", answer_id=entry.id, session_id=entry.session_id)
                continue
            if session is not None:
                log.warning("answer_interrupted", answer_id=entry.id, session_id=entry.session_id)
                self._on_change(entry.session_id)
                closed += 1
        return closed

    async def run(self) -> None:
        """Close all expired answers, and forget those that ended."""
        await self._storage.forget_ended_answers()
        while await self.run_once():
            pass

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
                await self.run()
            except StorageUnavailable:
                log.warning("reaper_waits", reason="the database does not answer")
                await self._until_renewed()
            except Exception:
                log.exception("reaper_error")

    async def _until_renewed(self) -> None:
        """Wait for the database, and then for as long as the other processes may take to renew their leases, which they
        could not do either."""
        while True:
            await asyncio.sleep(self._seconds)
            with contextlib.suppress(StorageUnavailable):
                await self._storage.ping()
                await asyncio.sleep(self._lease_seconds)
                return
