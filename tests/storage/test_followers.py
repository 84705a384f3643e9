"""A client that fetches only the rows that sessionChanged names draws the tree as it is, on every storage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Self, cast

from hypothesis import HealthCheck, Phase, given, settings

from graph_session.domain.entries import BranchSummary, Compaction, Label, SummaryScope
from graph_session.domain.ids import new_id
from graph_session.domain.outline import Row
from graph_session.domain.principal import Principal
from graph_session.domain.triggers import Marks
from graph_session.services.ask import AskService
from graph_session.services.feed import ChangeFeed
from graph_session.services.follow import ChangeKind, FollowService, SessionChanged
from graph_session.services.live import LiveAnswers
from graph_session.services.tree import MAX_NODES, TreeService
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer, note, question, tool_result, tool_use, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk, drain
from tests.storage.play import Play, Step, steps


class Picture:
    """What a client shows of a session."""

    def __init__(self, tree: TreeService, who: Principal, session_id: str) -> None:
        self._tree, self._who, self._id = tree, who, session_id
        self.rows: dict[object, Row] = {}
        self.marks: dict[object, Row] = {}

    async def read(self) -> Self:
        """All of it."""
        self.rows, self.marks = {}, {}
        page = await self._tree.outline(self._who, self._id, None, 5000)
        self._add(page.items, page.marks)
        return self

    async def hear(self, change: SessionChanged) -> None:
        """What a change says is all that is read again."""
        if change.kind is ChangeKind.CHANGED:
            await self.read()
            return
        page = await self._tree.outline_of(self._who, self._id, change.node_ids)
        for node_id in change.node_ids:
            self.rows.pop(node_id, None)
        self.marks = {mark[0]: mark for mark in self.marks.values() if mark[1] not in change.node_ids}
        self._add(page.items, page.marks)

    def _add(self, rows: list[Row], marks: list[Row]) -> None:
        # That a worker has begun is not told.
        shown = [
            ["PENDING" if value == "RUNNING" and at == 4 else value for at, value in enumerate(row)] for row in rows
        ]
        self.rows |= {row[0]: row for row in shown}
        self.marks |= {mark[0]: mark for mark in marks}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and (self.rows, self.marks) == (other.rows, other.marks)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{list(self.rows.values())} {list(self.marks.values())}"


class Client:
    """Follows one session and draws it."""

    def __init__(self, storage: SessionStorage, owner: str, session_id: str) -> None:
        self._storage, self._who, self.id = storage, Principal(owner), session_id
        self._tree = TreeService(storage, cast("AskService", None), max_question_chars=9)
        self._feed = ChangeFeed(storage)
        self.picture = Picture(self._tree, self._who, session_id)

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        follow = FollowService(self._storage, LiveAnswers(), self._feed)
        session = await self._storage.session(self.id)
        self._revision = session.revision if session else 0
        await self.picture.read()
        async with aclosing(follow.changes(self._who, self.id, self._revision)) as events:
            self._events = events
            self._next = asyncio.ensure_future(anext(events, None))
            try:
                # What changes before it has begun is not told node by node.
                await self._storage.update_session(self.id, {"name": "followed"})
                await self.heard()
                yield
            finally:
                self._next.cancel()
                await asyncio.wait([self._next])
        await self._feed.close()

    async def heard(self) -> list[SessionChanged]:
        """Hear of all that has happened, and check that the picture is right."""
        changes: list[SessionChanged] = []
        session = await self._storage.session(self.id)
        async with asyncio.timeout(20):
            while session is not None and self._revision < session.revision:
                self._feed.nudge(self.id)
                change = await self._next
                self._next = asyncio.ensure_future(anext(self._events, None))
                assert change is not None
                changes.append(change)
                await self.picture.hear(change)
                self._revision = change.session.revision
        if session is not None:
            assert self.picture == await Picture(self._tree, self._who, self.id).read()
        return changes


def told(changes: list[SessionChanged]) -> set[str]:
    assert all(change.kind is not ChangeKind.CHANGED for change in changes)
    return {node_id for change in changes for node_id in change.node_ids}


# Without shrinking, which takes minutes against a database; the failing case is short enough to read.
@settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(done=steps)
async def test_whatever_happens_the_named_rows_are_enough(storage: SessionStorage, done: list[Step]) -> None:
    await drain(storage)
    play = Play([storage])
    await play.do(("create", (0, 0, 0, 0)))
    client = Client(storage, play.owner, play.sessions[0])
    async with client.following():
        for number, step in enumerate(done):
            if step[0] not in ("create", "delete"):
                await play.do(step)
            # Now and then several changes are told as one.
            if number % 3:
                await client.heard()
        await client.heard()
    await storage.delete_session(play.sessions[0])


async def test_labels_marks_and_summaries_name_the_nodes_that_show_them(storage: SessionStorage) -> None:
    await drain(storage)
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    second = await desk.ask(first)
    client = Client(storage, "somebody", desk.id)
    async with client.following():
        await desk.write([Label(target_id=first.id, label="here")], second)
        assert told(await client.heard()) == {first.id}
        await desk.write([Compaction(summary="s", first_kept_entry_id=second.id, tokens_before=9)], second)
        assert told(await client.heard()) == {second.id}
        await desk.write([note(), BranchSummary(from_id=second.id, summary="s", scope=SummaryScope.BRANCH)], first)
        assert told(await client.heard()) == {first.id}

        third = await desk.ask(second, marks=Marks(first.id, (second.id,)))
        assert told(await client.heard()) == {first.id, second.id, third.id}
        await desk.ask(third, marks=Marks(second.id, ()))
        # The summary that was due of its turn is now one of all before.
        assert second.id in told(await client.heard())
        jobs = [await storage.claim_summary("worker", 60), await storage.claim_summary("worker", 60)]
        assert [await storage.fail_summary(job, "no", None) for job in jobs if job] == [True, True]
        assert told(await client.heard()) == {first.id, second.id}
        assert await storage.retry_summary(desk.id, second.id)
        changes = await client.heard()
        assert ([change.kind for change in changes], told(changes)) == ([ChangeKind.SUMMARY], {second.id})


async def test_questions_that_become_nodes_or_cease_to_be_are_named(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    (opened,) = await desk.write([question("open")], first)
    asked, _ = await desk.begin(first, "running")
    called = await desk.write([question("look"), tool_use("1"), tool_result("1")], first)
    client = Client(storage, "somebody", desk.id)
    async with client.following():
        running = desk.running(opened)
        await storage.begin_again(running, lease_seconds=60)
        assert told(await client.heard()) == {opened.id, running.id}
        ended = desk.ended(opened, running)
        await storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS)
        assert told(await client.heard()) == {running.id}
        # What is asked below a question leaves that one open on its path.
        (late,) = await desk.write([question("late")], asked)
        assert told(await client.heard()) == {asked.id, late.id}
        (end,) = await desk.write([answer()], called[-1])
        assert told(await client.heard()) == {called[0].id, end.id}


async def test_more_than_can_be_told_and_marks_above_all_are_a_change_to_read_all_again(
    storage: SessionStorage,
) -> None:
    desk = await Desk.fresh(storage)
    client = Client(storage, "somebody", desk.id)
    async with client.following():
        await desk.write(turns(MAX_NODES))
        (change,) = await client.heard()
        assert (change.kind, len(change.node_ids)) == (ChangeKind.ENTRIES, MAX_NODES)
        await desk.write(turns(MAX_NODES + 1))
        assert [change.kind for change in await client.heard()] == [ChangeKind.CHANGED]
        (top,) = await desk.write([note()])
        assert [change.node_ids for change in await client.heard()] == [[]]
        await desk.write([BranchSummary(from_id=new_id(), summary="s", scope=SummaryScope.HISTORY)], top)
        assert [change.kind for change in await client.heard()] == [ChangeKind.CHANGED]
