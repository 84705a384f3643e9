"""The summary worker: takes what is due, has a model condense it, and puts it where it was made from (SPEC §5)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import structlog

from graph_session.domain.compaction import boundary_text
from graph_session.domain.context import is_boundary
from graph_session.domain.entries import BranchSummary, Compaction, Entry, SummaryKind, SummaryScope
from graph_session.domain.errors import NotFound, StorageUnavailable
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.summaries import NODE_BUDGET_TOKENS, lines_of
from graph_session.models.base import Model, ModelError, SummaryText
from graph_session.services.condense import Condenser
from graph_session.services.walk import path_below
from graph_session.storage.protocol import SessionStorage, SummaryJob

log = structlog.get_logger(__name__)

_POLL_SECONDS = 1.0
# An anchor's predecessor is usually a dozen turns up.
_PAGE = 100
_MAX_BACKOFF_SECONDS = 300.0


class SummaryWorker:
    """Makes up to `workers` summaries at the same time. `on_change` hears of each session whose summary ended."""

    def __init__(
        self,
        storage: SessionStorage,
        model: Model,
        *,
        workers: int,
        lease_seconds: float,
        attempts: int,
        backoff_seconds: float,
        on_change: Callable[[str], None],
    ) -> None:
        self._storage = storage
        self._condenser = Condenser(model)
        self._workers = workers
        self._lease_seconds = lease_seconds
        self._attempts = attempts
        self._backoff_seconds = backoff_seconds
        self._on_change = on_change
        self._due = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to work."""
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._workers)]

    def nudge(self) -> None:
        """Something may be due now."""
        self._due.set()

    async def close(self) -> None:
        """Stop; what is being made is given back at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def retry(self, who: Principal, node_id: str) -> tuple[DialogueNode | None, Entry | None]:
        """Make the failed summary of a node, or of a branch summary's entry, due again: the node or else the entry, as
        they are then. Raises NotFound."""
        nodes = await self._storage.nodes([node_id])
        entries = await self._storage.entries([node_id])
        entry = entries.get(node_id)
        if node_id not in nodes and not (entry and isinstance(entry.body, BranchSummary)):
            raise NotFound("node", node_id)
        of = nodes[node_id].session_id if node_id in nodes else entries[node_id].session_id
        session = await self._storage.session(of)
        if session is None or session.owner != who.owner:
            raise NotFound("node", node_id)
        if await self._storage.retry_summary(session.id, node_id):
            self.nudge()
            self._on_change(session.id)
            nodes = await self._storage.nodes([node_id])
            entries = await self._storage.entries([node_id])
        return nodes.get(node_id), entries.get(node_id)

    async def run_once(self) -> bool:
        """Make one summary that is due. False: none is."""
        job = await self._storage.claim_summary(new_id(), self._lease_seconds)
        if job is None:
            return False
        renewal = asyncio.create_task(self._renew(job))
        try:
            await self._make(job)
        except asyncio.CancelledError:
            with contextlib.suppress(StorageUnavailable):
                await asyncio.shield(self._storage.release_summary(job))
            raise
        finally:
            renewal.cancel()
        self._on_change(job.session.id)
        return True

    async def _work(self) -> None:
        while True:
            self._due.clear()
            try:
                if await self.run_once():
                    continue
            except StorageUnavailable:
                log.warning("worker_waits", reason="the database does not answer")
            except Exception:
                log.exception("worker_error")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), _POLL_SECONDS)

    async def _renew(self, job: SummaryJob) -> None:
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            with contextlib.suppress(StorageUnavailable):
                await self._storage.renew_summary(job, self._lease_seconds)

    async def _make(self, job: SummaryJob) -> None:
        try:
            made = await self._made(job)
        except ModelError as error:
            await self._failed(job, error.message, error.retryable)
        except StorageUnavailable:
            raise
        except Exception:
            log.exception("summary_error", entry_id=job.entry.id)
            await self._failed(job, "The summary failed for an unexpected reason.", retryable=True)
        else:
            await self._land(job, made)

    async def _land(self, job: SummaryJob, made: SummaryText) -> None:
        """Write a summary down, and go on trying while the database is away: making it again would cost again."""
        landed: bool | None = None
        while landed is None:
            try:
                landed = await self._storage.finish_summary(job, made.text, made.model)
            except StorageUnavailable:
                log.warning("summary_waits_for_database", entry_id=job.entry.id)
                await asyncio.sleep(_POLL_SECONDS)
        if not landed:
            log.debug("summary_late", entry_id=job.entry.id)

    async def _made(self, job: SummaryJob) -> SummaryText:
        match job.kind, job.entry.body:
            case SummaryKind.NODE, _:
                return await self._node(job)
            case SummaryKind.BRANCH, BranchSummary(scope=SummaryScope.BRANCH, from_id=from_id):
                return await self._branch(job, from_id)
            case _:
                return await self._up_to_here(job)

    async def _failed(self, job: SummaryJob, error: str, retryable: bool) -> None:
        again = retryable and job.attempts < self._attempts
        wait = min(self._backoff_seconds * 2.0 ** (job.attempts - 1), _MAX_BACKOFF_SECONDS) if again else None
        log.warning("summary_failed", entry_id=job.entry.id, attempts=job.attempts, retry_seconds=wait)
        await self._storage.fail_summary(job, error, wait)

    async def _node(self, job: SummaryJob) -> SummaryText:
        entries = (await self._storage.turn_entries([job.entry.id])).get(job.entry.id, [])
        return await self._condenser.condense(lines_of(entries), SummaryKind.NODE, NODE_BUDGET_TOKENS)

    async def _up_to_here(self, job: SummaryJob) -> SummaryText:
        """All from the root to the entry: the text of the boundary above, and what came since."""
        previous, entries = await self._since_boundary(job.entry)
        budget = job.session.config.anchor_budget_tokens
        return await self._condenser.grow(previous, lines_of(entries), job.kind, budget)

    async def _branch(self, job: SummaryJob, from_id: str) -> SummaryText:
        """What happened on another branch, from where it parts from this one to its tip."""
        parted_at = await self._storage.common_ancestor(from_id, job.entry.id)
        entries = await path_below(self._storage, parted_at, from_id)
        budget = job.session.config.anchor_budget_tokens
        return await self._condenser.condense(lines_of(entries), job.kind, budget)

    async def _since_boundary(self, end: Entry) -> tuple[str | None, list[Entry]]:
        """The text of the boundary above an entry, and the entries that it does not cover, up to and with that entry,
        oldest first. What a compaction there has kept raw is not covered by it."""
        found: list[Entry] = []
        text: str | None = None
        stop_at: str | None = None
        at: str | None = end.id
        while at is not None:
            page = await self._storage.path_page(at, _PAGE)
            for entry in page:
                if stop_at is None and entry.id != end.id and is_boundary(entry):
                    text = boundary_text(entry)
                    if not isinstance(entry.body, Compaction) or entry.body.first_kept_entry_id == entry.id:
                        return text, found[::-1]
                    stop_at = entry.body.first_kept_entry_id
                    continue
                found.append(entry)
                if entry.id == stop_at:
                    return text, found[::-1]
            at = page[-1].parent_id if page else None
        return text, found[::-1]
