"""The contract for summaries as work: no summary is lost, none is made twice, none lands in the wrong place."""

from __future__ import annotations

import asyncio

from graph_session.domain.context import is_boundary
from graph_session.domain.entries import Entry, SummaryKind, SummaryState
from graph_session.domain.triggers import Marks
from graph_session.storage.protocol import SessionStorage, SummaryEvent
from tests.domain.trees import turns
from tests.storage.desk import Desk, claim, drain, due


async def _due_line(
    storage: SessionStorage, count: int, kind: SummaryKind = SummaryKind.NODE
) -> tuple[Desk, list[Entry]]:
    """A session whose turns all wait for a summary, and the entries that end them; nothing else is due."""
    await drain(storage)
    desk = await Desk.fresh(storage)
    line = [due(entry, kind) if entry.ends_turn else entry for entry in desk.line(turns(count))]
    await storage.append(desk.id, line)
    return desk, line[1::2]


async def test_nothing_is_due_where_nothing_was_marked(storage: SessionStorage) -> None:
    await drain(storage)
    desk = await Desk.fresh(storage)
    await desk.write(turns(2))
    assert await storage.claim_summary("w", 60) is None


async def test_a_summary_lands_on_the_entry_it_was_made_from(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    job = await claim(storage, "w")
    assert (job.entry.id, job.kind, job.attempts, job.claim) == (entry.id, SummaryKind.NODE, 1, "w")
    assert job.session.id == desk.id
    assert (await desk.read(entry.id)).summary.state is SummaryState.RUNNING
    assert await storage.renew_summary(job, 60) is True
    assert await storage.finish_summary(job, "condensed 🌳", "echo") is True
    read = await desk.read(entry.id)
    assert (read.summary.state, read.summary.node_summary, read.summary.model) == (
        SummaryState.DONE,
        "condensed 🌳",
        "echo",
    )
    assert (read.body, read.hash) == (entry.body, entry.hash), "what was said never changes"
    assert not is_boundary(read)
    assert await storage.claim_summary("w", 60) is None
    assert await storage.finish_summary(job, "twice", "echo") is False
    assert await storage.renew_summary(job, 60) is False


async def test_an_anchor_is_a_boundary_once_it_has_its_text(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1, SummaryKind.ANCHOR)
    assert await storage.nearest_anchor(entry.id) is None
    await storage.finish_summary(await claim(storage, "w"), "all so far", "echo")
    assert is_boundary(await desk.read(entry.id))
    found = await storage.nearest_anchor(entry.id)
    assert found is not None
    assert found.summary.anchor_summary == "all so far"


async def test_two_workers_never_hold_the_same_summary(storage: SessionStorage) -> None:
    _, entries = await _due_line(storage, 24)
    taken: list[str] = []

    async def worker(name: str) -> None:
        idle = 0
        while idle < 3:
            job = await storage.claim_summary(name, 60)
            if job is None:
                idle += 1
            else:
                taken.append(job.entry.id)

    await asyncio.gather(*(worker(f"w{number}") for number in range(8)))
    assert sorted(taken) == sorted(entry.id for entry in entries)
    await storage.reclaim_orphans()


async def test_the_work_of_a_dead_worker_is_taken_over_and_its_late_result_refused(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    late = await claim(storage, "late", lease_seconds=0)
    await asyncio.sleep(0.01)
    job = await claim(storage, "next")
    assert (job.entry.id, job.attempts) == (late.entry.id, 2)
    assert await storage.renew_summary(late, 60) is False
    assert await storage.finish_summary(late, "too late", "echo") is False
    assert await storage.fail_summary(late, "too late", None) is False
    await storage.release_summary(late)
    assert (await desk.read(entry.id)).summary.node_summary is None
    assert await storage.finish_summary(job, "in time", "echo") is True
    assert (await desk.read(entry.id)).summary.node_summary == "in time"


async def test_a_renewed_lease_keeps_others_away(storage: SessionStorage) -> None:
    await _due_line(storage, 1)
    job = await claim(storage, "w", lease_seconds=0)
    assert await storage.renew_summary(job, 60)
    await asyncio.sleep(0.01)
    assert await storage.claim_summary("next", 60) is None
    await storage.finish_summary(job, "text", "echo")


async def test_a_failed_attempt_is_due_again_after_its_time(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    assert await storage.fail_summary(await claim(storage, "w"), "overloaded", 0.01) is True
    summary = (await desk.read(entry.id)).summary
    assert (summary.state, summary.error, summary.attempts) == (SummaryState.PENDING, "overloaded", 1)
    await asyncio.sleep(0.02)
    job = await claim(storage, "w")
    assert job.attempts == 2
    await storage.finish_summary(job, "text", "echo")
    assert (await desk.read(entry.id)).summary.error is None


async def test_a_summary_that_failed_for_good_is_made_only_when_somebody_asks(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    other = await Desk.fresh(storage)
    assert await storage.fail_summary(await claim(storage, "w"), "refused", None) is True
    assert (await desk.read(entry.id)).summary.state is SummaryState.FAILED
    assert await storage.claim_summary("w", 60) is None
    assert await storage.retry_summary(other.id, entry.id) is False, "not through another session"
    before = (await desk.session()).revision
    assert await storage.retry_summary(desk.id, entry.id) is True
    assert (await desk.session()).revision > before
    job = await claim(storage, "w")
    assert job.attempts == 1
    assert await storage.retry_summary(desk.id, entry.id) is False, "it is being made"
    await storage.finish_summary(job, "text", "echo")
    assert await storage.retry_summary(desk.id, entry.id) is False, "it is done"


async def test_a_retry_does_not_wait_for_the_next_attempt(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    await storage.fail_summary(await claim(storage, "w"), "overloaded", 600)
    assert await storage.claim_summary("w", 60) is None
    assert await storage.retry_summary(desk.id, entry.id) is True
    await storage.finish_summary(await claim(storage, "w"), "text", "echo")


async def test_a_worker_that_stops_gives_its_work_back(storage: SessionStorage) -> None:
    _, (entry,) = await _due_line(storage, 1)
    await storage.release_summary(await claim(storage, "w"))
    job = await claim(storage, "next")
    assert (job.entry.id, job.attempts) == (entry.id, 1), "a stop is no failed attempt"
    await storage.finish_summary(job, "text", "echo")


async def test_after_a_crash_an_exclusive_storage_has_its_work_due_at_once(storage: SessionStorage) -> None:
    _, (entry,) = await _due_line(storage, 1)
    crashed = await claim(storage, "crashed", lease_seconds=600)
    await storage.reclaim_orphans()
    found = await storage.claim_summary("w", 60)
    assert (found is not None) is storage.exclusive, "on a shared one another process may be alive"
    job = found or crashed
    assert job.entry.id == entry.id
    await storage.finish_summary(job, "text", "echo")


async def test_an_anchor_wins_over_a_turn_summary_that_is_being_made(storage: SessionStorage) -> None:
    desk, (entry,) = await _due_line(storage, 1)
    early = await claim(storage, "early")
    await desk.ask(entry, marks=Marks(entry.id, ()))
    assert await storage.finish_summary(early, "one turn", "echo") is False
    job = await claim(storage, "w")
    assert (job.entry.id, job.kind) == (entry.id, SummaryKind.ANCHOR)
    await storage.finish_summary(job, "all so far", "echo")


async def test_subscribers_are_told_of_each_summary_that_ended(storage: SessionStorage) -> None:
    desk, entries = await _due_line(storage, 3)
    start = (await desk.session()).revision
    assert await storage.summaries_between(desk.id, 0, start) == []
    jobs = [await claim(storage, "w") for _ in entries]
    await storage.finish_summary(jobs[0], "text", "echo")
    await storage.fail_summary(jobs[1], "refused", None)
    await storage.fail_summary(jobs[2], "overloaded", 600)
    end = (await desk.session()).revision
    told = await storage.summaries_between(desk.id, start, end)
    assert [(event.entry_id, event.kind) for event in told] == [(job.entry.id, SummaryKind.NODE) for job in jobs[:2]]
    assert [event.revision for event in told] == sorted(event.revision for event in told)
    assert start < told[0].revision
    assert told[-1].revision <= end
    assert await storage.summaries_between(desk.id, told[0].revision, end) == told[1:]
    assert await storage.summaries_between(desk.id, start, told[0].revision) == [
        SummaryEvent(jobs[0].entry.id, SummaryKind.NODE, told[0].revision)
    ]
    other = await Desk.fresh(storage)
    assert await storage.summaries_between(other.id, 0, end) == []
    await storage.retry_summary(desk.id, jobs[2].entry.id)
    await drain(storage)
