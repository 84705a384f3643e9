"""The work of summarising, kept as properties of the entries it is about."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.entries import SummaryKind, is_history
from graph_session.storage.graph.database import Row
from graph_session.storage.graph.part import GraphPart
from graph_session.storage.graph.records import entry_from, position, sequence_of, session_from
from graph_session.storage.protocol import SummaryEvent, SummaryJob

_FIELD = {
    SummaryKind.NODE: "node_summary",
    SummaryKind.ANCHOR: "anchor_summary",
    SummaryKind.BRANCH: "branch_summary",
}
# More than one, because workers that look at the same time find the same ones.
_CANDIDATES = 10


class GraphSummaries(GraphPart):
    async def claim_summary(self, claim: str, lease_seconds: float) -> SummaryJob | None:
        lease_ms = int(lease_seconds * 1000)
        for due in await self._db.rows("summary_due", limit=_CANDIDATES):
            row = await self._db.row("summary_claim", id=due["id"], claim=claim, lease_ms=lease_ms)
            if row is not None and row["session"] is not None:
                return _job(row, claim)
        return None

    async def renew_summary(self, job: SummaryJob, lease_seconds: float) -> bool:
        row = await self._db.row("summary_renew", id=job.entry.id, claim=job.claim, lease_ms=int(lease_seconds * 1000))
        return row is not None

    async def finish_summary(self, job: SummaryJob, text: str, model: str) -> bool:
        row = await self._db.row(
            "summary_done",
            session_id=job.session.id,
            id=job.entry.id,
            claim=job.claim,
            summary={_FIELD[job.kind]: text, "summary_model": model},
            is_boundary=job.kind is SummaryKind.ANCHOR or is_history(job.entry),
        )
        return row is not None

    async def fail_summary(self, job: SummaryJob, error: str, retry_seconds: float | None) -> bool:
        row = await self._db.row(
            "summary_failed",
            session_id=job.session.id,
            id=job.entry.id,
            claim=job.claim,
            error=error,
            retry_ms=-1 if retry_seconds is None else int(retry_seconds * 1000),
        )
        return row is not None

    async def release_summary(self, job: SummaryJob) -> None:
        await self._db.rows("summary_release", id=job.entry.id, claim=job.claim)

    async def retry_summary(self, session_id: str, entry_id: str) -> bool:
        return await self._db.row("summary_retry", session_id=session_id, id=entry_id) is not None

    async def waiting_summaries(self, session_id: str) -> dict[str, SummaryKind]:
        row = await self._db.row("summary_waiting", session_id=session_id)
        return {entry_id: SummaryKind(kind) for entry_id, kind in (row["waiting"] if row else [])}

    async def reclaim_orphans(self) -> None:
        if self.exclusive:
            await self._db.rows("summary_orphans")

    async def revisions(self, session_ids: Sequence[str]) -> dict[str, int]:
        rows = await self._db.rows("session_revisions", session_ids=list(session_ids))
        return {row["id"]: row["revision"] for row in rows}

    async def summaries_between(self, session_id: str, after: int, until: int) -> list[SummaryEvent]:
        row = await self._db.row(
            "summaries_since", after=position(session_id, after), until=position(session_id, until)
        )
        return [
            SummaryEvent(found["id"], SummaryKind(found["kind"]), sequence_of(found["changed"]))
            for found in (row["summaries"] if row else [])
        ]


def _job(row: Row, claim: str) -> SummaryJob:
    entry = entry_from(row["entry"], None)
    return SummaryJob(
        entry=entry,
        session=session_from(row["session"]),
        kind=SummaryKind(row["entry"]["summary_kind"]),
        claim=claim,
        attempts=entry.summary.attempts,
    )
