"""The work of summarising, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_session.domain.entries import Summary, SummaryKind, SummaryState
from graph_session.storage.memory.nodes import MemoryNodes
from graph_session.storage.memory.reading import without_parent
from graph_session.storage.memory.records import SummaryChanged, Work
from graph_session.storage.memory.tree import Tree
from graph_session.storage.protocol import SummaryEvent, SummaryJob

_ENDED = (SummaryState.DONE, SummaryState.FAILED)


class MemorySummaries(MemoryNodes):
    async def claim_summary(self, claim: str, lease_seconds: float) -> SummaryJob | None:
        while (entry_id := self._longest_due()) is not None:
            async with self._locked_by(entry_id) as tree:
                if tree is None or not self._is_due(tree, entry_id):
                    continue
                summary = tree.entries[entry_id].summary
                taken = replace(summary, state=SummaryState.RUNNING, attempts=summary.attempts + 1)
                work = replace(tree.work[entry_id], due=self._lease(lease_seconds), claim=claim)
                await self._work(tree, entry_id, taken, work)
                entry = without_parent(tree.entries[entry_id])
                kind = taken.kind or SummaryKind.NODE
                return SummaryJob(entry=entry, session=tree.session, kind=kind, claim=claim, attempts=taken.attempts)
        return None

    async def renew_summary(self, job: SummaryJob, lease_seconds: float) -> bool:
        async with self._locked(job.session.id) as tree:
            work = _held(tree, job)
            if tree is None or work is None:
                return False
            renewed = replace(work, due=self._lease(lease_seconds))
            await self._work(tree, job.entry.id, tree.entries[job.entry.id].summary, renewed)
            return True

    async def finish_summary(self, job: SummaryJob, text: str, model: str) -> bool:
        async with self._locked(job.session.id) as tree:
            work = _held(tree, job)
            if tree is None or work is None:
                return False
            summary = replace(tree.entries[job.entry.id].summary, state=SummaryState.DONE, model=model, error=None)
            match job.kind:
                case SummaryKind.ANCHOR:
                    summary = replace(summary, anchor_summary=text)
                case SummaryKind.BRANCH:
                    summary = replace(summary, branch_summary=text)
                case _:
                    summary = replace(summary, node_summary=text)
            await self._end(tree, job, summary, None)
            return True

    async def fail_summary(self, job: SummaryJob, error: str, retry_seconds: float | None) -> bool:
        async with self._locked(job.session.id) as tree:
            work = _held(tree, job)
            if tree is None or work is None:
                return False
            state = SummaryState.FAILED if retry_seconds is None else SummaryState.PENDING
            summary = replace(tree.entries[job.entry.id].summary, state=state, error=error)
            await self._end(tree, job, summary, None if retry_seconds is None else self._lease(retry_seconds))
            return True

    async def release_summary(self, job: SummaryJob) -> None:
        async with self._locked(job.session.id) as tree:
            work = _held(tree, job)
            if tree is None or work is None:
                return
            summary = tree.entries[job.entry.id].summary
            waiting = replace(summary, state=SummaryState.PENDING, attempts=summary.attempts - 1)
            await self._work(tree, job.entry.id, waiting, replace(work, due=self._ms(), claim=""))

    async def retry_summary(self, session_id: str, entry_id: str) -> bool:
        async with self._locked(session_id) as tree:
            entry = tree.entries.get(entry_id) if tree else None
            if tree is None or entry is None:
                return False
            if entry.summary.state not in (SummaryState.FAILED, SummaryState.PENDING):
                return False
            summary = replace(entry.summary, state=SummaryState.PENDING, attempts=0, error=None)
            work = replace(tree.work[entry_id], due=self._ms(), claim="")
            await self._change(tree, SummaryChanged(entry_id, summary, work), touch=False)
            return True

    async def waiting_summaries(self, session_id: str) -> dict[str, SummaryKind]:
        tree = await self._tree(session_id)
        kinds = {entry_id: tree.entries[entry_id].summary.kind for entry_id in tree.due} if tree else {}
        return {entry_id: kind for entry_id, kind in kinds.items() if kind is not None}

    async def reclaim_orphans(self) -> None:
        for tree in list(self._trees.values()):
            async with self._locked(tree.session.id) as found:
                orphans = [
                    SummaryChanged(
                        entry_id,
                        replace(found.entries[entry_id].summary, state=SummaryState.PENDING),
                        replace(work, due=self._ms(), claim=""),
                    )
                    for entry_id, work in (found.work.items() if found else ())
                    if found and found.entries[entry_id].summary.state is SummaryState.RUNNING
                ]
                if found and orphans:
                    await self._change(found, *orphans, touch=False, revise=False)

    async def revisions(self, session_ids: Sequence[str]) -> dict[str, int]:
        trees = [await self._tree(session_id) for session_id in session_ids]
        return {tree.session.id: tree.session.revision for tree in trees if tree is not None}

    async def summaries_between(self, session_id: str, after: int, until: int) -> list[SummaryEvent]:
        tree = await self._tree(session_id)
        ended = [(work.ended, tree.entries[entry_id]) for entry_id, work in tree.work.items()] if tree else []
        events = [
            SummaryEvent(entry.id, entry.summary.kind, revision)
            for revision, entry in ended
            if revision is not None and after < revision <= until
            if entry.summary.kind is not None and entry.summary.state in _ENDED
        ]
        return sorted(events, key=lambda event: event.revision)

    def _longest_due(self) -> str | None:
        """The summary that has waited longest."""
        found = (
            (tree.work[entry_id].due or 0, entry_id)
            for tree in self._trees.values()
            for entry_id in tree.due
            if self._is_due(tree, entry_id)
        )
        return min(found, default=(0, None))[1]

    def _is_due(self, tree: Tree, entry_id: str) -> bool:
        due = tree.work[entry_id].due
        return due is not None and due <= self._ms() and tree.entries[entry_id].summary.waits

    async def _work(self, tree: Tree, entry_id: str, summary: Summary, work: Work) -> None:
        await self._change(tree, SummaryChanged(entry_id, summary, work), touch=False, revise=False)

    async def _end(self, tree: Tree, job: SummaryJob, summary: Summary, due: int | None) -> None:
        """An attempt has ended, which watchers hear of."""
        work = Work(due=due, ended=tree.session.revision + 1)
        await self._change(tree, SummaryChanged(job.entry.id, summary, work), touch=False)


def _held(tree: Tree | None, job: SummaryJob) -> Work | None:
    """The work that a worker still holds."""
    work = tree.work.get(job.entry.id) if tree else None
    return work if work is not None and work.claim == job.claim else None
