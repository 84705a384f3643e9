"""What changed: one poll for all the sessions that are watched in this process, hurried along by changes made here.

The database is the one place that every process shares, so a change made by any of them is seen by all; a session's
revision grows under its lock, so no change can appear behind one that has been reported.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import structlog

from graph_session.domain.errors import StorageUnavailable
from graph_session.storage.protocol import SessionStorage

log = structlog.get_logger(__name__)


class ChangeFeed:
    """Revisions of watched sessions. `poll_seconds`: how late a change made by another process may be seen."""

    def __init__(self, storage: SessionStorage, poll_seconds: float = 0.3) -> None:
        self._storage = storage
        self._poll_seconds = poll_seconds
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._revisions: dict[str, int] = {}
        self._hurry = asyncio.Event()
        self._poller: asyncio.Task[None] | None = None

    def nudge(self, session_id: str) -> None:
        """This process has just changed a session."""
        if session_id in self._watchers:
            self._hurry.set()

    async def watch(self, session_id: str, after: int) -> AsyncIterator[int]:
        """Each new revision of a session above `after`; ends when the session is deleted."""
        changed = asyncio.Event()
        self._watchers.setdefault(session_id, set()).add(changed)
        # Not `after`: it is one client's word, and the others watch the same session.
        self._revisions.setdefault(session_id, -1)
        self._hurry.set()
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())
        try:
            while session_id in self._revisions:
                revision = self._revisions[session_id]
                if revision > after:
                    after = revision
                    yield revision
                else:
                    await changed.wait()
                    changed.clear()
        finally:
            watchers = self._watchers[session_id]
            watchers.discard(changed)
            if not watchers:
                del self._watchers[session_id]
                self._revisions.pop(session_id, None)

    async def close(self) -> None:
        """Stop polling."""
        if self._poller is not None:
            self._poller.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._poller

    async def _poll(self) -> None:
        while self._watchers:
            self._hurry.clear()
            watched = list(self._watchers)
            try:
                self._report(watched, await self._storage.revisions(watched))
            except StorageUnavailable:
                log.warning("feed_waits", reason="the database does not answer")
            except Exception:
                # Whoever watches would wait for ever.
                log.exception("feed_error")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), self._poll_seconds)

    def _report(self, watched: list[str], revisions: dict[str, int]) -> None:
        for session_id in watched:
            if session_id not in self._watchers:
                continue
            revision = revisions.get(session_id)
            if revision is None:
                self._revisions.pop(session_id, None)
            elif revision <= self._revisions.get(session_id, -1):
                continue
            else:
                self._revisions[session_id] = revision
            for changed in self._watchers[session_id]:
                changed.set()
