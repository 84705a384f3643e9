"""The summary worker: takes what is due, has a model condense it, and puts it where it was made from (SPEC §5)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import structlog

from graph_session.domain.context import is_boundary
from graph_session.domain.entries import BranchSummary, Entry, SummaryKind
from graph_session.domain.errors import NotFound, StorageUnavailable
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.summaries import (
    NODE_BUDGET_TOKENS,
    Line,
    SummaryRequest,
    chunks,
    clip,
    extend,
    lines_of,
    split_overflow,
)
from graph_session.models.base import Model, ModelError, SummaryText
from graph_session.services.access import owned_node
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
        self._model = model
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

    async def retry(self, who: Principal, node_id: str) -> DialogueNode:
        """Make a node's failed summary due again; the node as it is then. Raises NotFound."""
        node, session = await owned_node(self._storage, who, node_id)
        if await self._storage.retry_summary(session.id, node_id):
            self.nudge()
            self._on_change(session.id)
            found = (await self._storage.nodes([node_id])).get(node_id)
            if found is None:
                raise NotFound("node", node_id)
            return found
        return node

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
            made = await (self._anchor(job) if job.kind is SummaryKind.ANCHOR else self._node(job))
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

    async def _failed(self, job: SummaryJob, error: str, retryable: bool) -> None:
        again = retryable and job.attempts < self._attempts
        wait = min(self._backoff_seconds * 2.0 ** (job.attempts - 1), _MAX_BACKOFF_SECONDS) if again else None
        log.warning("summary_failed", entry_id=job.entry.id, attempts=job.attempts, retry_seconds=wait)
        await self._storage.fail_summary(job, error, wait)

    async def _node(self, job: SummaryJob) -> SummaryText:
        entries = (await self._storage.turn_entries([job.entry.id])).get(job.entry.id, [])
        return await self._condense(list(lines_of(entries)), SummaryKind.NODE, NODE_BUDGET_TOKENS, None)

    async def _anchor(self, job: SummaryJob) -> SummaryText:
        """The previous anchor's text as it is, and a summary of the raw text since; condensed again where that outgrows
        its budget."""
        previous, entries = await self._since_boundary(job.entry)
        budget = job.session.config.anchor_budget_tokens
        made = await self._condense(list(lines_of(entries)), SummaryKind.ANCHOR, budget // 2, previous)
        text = extend(previous, made.text)
        overflow = split_overflow(text, budget)
        if overflow is None:
            return SummaryText(text, made.model, made.usage)
        oldest, kept = overflow
        limit = budget // 4 if kept else budget // 2
        condensed = await self._condense([Line("summary", oldest)], SummaryKind.ANCHOR, limit, None)
        text = extend(clip(condensed.text, limit), kept) if kept else clip(condensed.text, limit)
        return SummaryText(text, condensed.model, condensed.usage)

    async def _condense(
        self, lines: Sequence[Line], kind: SummaryKind, budget_tokens: int, before: str | None
    ) -> SummaryText:
        """Condense lines of any length: in chunks, and then the chunks' summaries together, until one is left."""
        while True:
            made = [
                await self._model.summarize(
                    SummaryRequest(kind=kind, lines=chunk, budget_tokens=budget_tokens, before=before)
                )
                for chunk in chunks(lines)
            ]
            if not made:
                raise ModelError("There is nothing to summarise.", code="REFUSED_REQUEST", retryable=False)
            if len(made) == 1:
                return made[0]
            lines = [Line("summary", part.text) for part in made]

    async def _since_boundary(self, anchor: Entry) -> tuple[str | None, list[Entry]]:
        """The summary that an anchor goes on from, and the entries after it up to the anchor, oldest first."""
        found: list[Entry] = []
        at: str | None = anchor.id
        while at is not None:
            page = await self._storage.path_page(at, _PAGE)
            for entry in page:
                if entry.id != anchor.id and is_boundary(entry):
                    body = entry.body
                    text = body.summary if isinstance(body, BranchSummary) else entry.summary.anchor_summary
                    return text, found[::-1]
                found.append(entry)
            at = page[-1].parent_id if page else None
        return None, found[::-1]
