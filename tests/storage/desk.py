"""A desk to write at: one fresh session of a storage, and the few steps that tests of the contract repeat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from graph_session.domain.answers import RunningAnswer
from graph_session.domain.entries import Body, Entry, Summary, SummaryKind, SummaryState
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.sessions import Session
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import write_under
from graph_session.storage.protocol import SessionStorage, SummaryJob, View
from tests.domain.trees import answer, question

NO_MARKS = Marks(None, ())
OWNER = "this process"


class Desk:
    """A session and what is done in it. `owner` is the process that runs its answers."""

    def __init__(self, storage: SessionStorage, session_id: str) -> None:
        self.storage = storage
        self.id = session_id

    @classmethod
    async def fresh(cls, storage: SessionStorage, **fields: Any) -> Desk:
        now = timestamp_now()
        given = {"id": new_id(), "owner": "somebody", "created_at": now, "updated_at": now} | fields
        return cls(storage, (await storage.create_session(Session(**given))).id)

    async def session(self) -> Session:
        found = await self.storage.session(self.id)
        assert found is not None
        return found

    async def counts(self) -> tuple[int, int, int, int, str | None]:
        """What a refused write must leave as it is."""
        found = await self.session()
        return found.revision, found.entry_count, found.node_count, found.next_sequence, found.leaf_id

    def entry(self, parent: Entry | None, body: Body) -> Entry:
        """An entry below the parent, not written yet."""
        return write_under(parent, id=new_id(), session_id=self.id, timestamp=timestamp_now(), body=body)

    def line(self, bodies: Iterable[Body], parent: Entry | None = None) -> list[Entry]:
        """Entries one below the other, not written yet."""
        line: list[Entry] = []
        for body in bodies:
            parent = self.entry(parent, body)
            line.append(parent)
        return line

    async def write(self, bodies: Iterable[Body], parent: Entry | None = None) -> list[Entry]:
        """The same, written; the leaf moves to the last."""
        line = self.line(bodies, parent)
        await self.storage.append(self.id, line)
        return line

    def running(self, asked: Entry, owner: str = OWNER) -> RunningAnswer:
        """An answer to a question, not begun yet."""
        return RunningAnswer(
            id=new_id(),
            session_id=self.id,
            question_id=asked.id,
            node_above=asked.place.node_above,
            owner=owner,
            model="echo",
            started=timestamp_now(),
        )

    async def begin(
        self, parent: Entry | None, text: str = "Why?", *, owner: str = OWNER, lease_seconds: float = 60, **options: Any
    ) -> tuple[Entry, RunningAnswer]:
        """A question whose answer has begun."""
        asked = self.entry(parent, question(text))
        running = self.running(asked, owner)
        await self.storage.begin_answer(asked, running, lease_seconds=lease_seconds, **options)
        return asked, running

    def ended(self, asked: Entry, running: RunningAnswer, body: Body | None = None) -> Entry:
        """The entry that an answer becomes."""
        return write_under(asked, id=running.id, session_id=self.id, timestamp=timestamp_now(), body=body or answer())

    async def ask(
        self, parent: Entry | None, text: str = "Why?", body: Body | None = None, marks: Marks = NO_MARKS
    ) -> Entry:
        """A question and its finished answer: the answer."""
        asked, running = await self.begin(parent, text)
        entry = self.ended(asked, running, body)
        assert await self.storage.finish_answer(entry, owner=OWNER, marks=marks) is not None
        return entry

    async def view(self, tip_id: str | None, request_id: str | None = None) -> View:
        found = await self.storage.view(self.id, tip_id=tip_id, request_id=request_id)
        assert found is not None
        return found

    async def read(self, entry_id: str) -> Entry:
        """An entry as it is stored now."""
        return (await self.storage.entries([entry_id]))[entry_id]


def due(entry: Entry, kind: SummaryKind = SummaryKind.NODE) -> Entry:
    """The entry with a summary that waits to be made."""
    is_anchor = kind is SummaryKind.ANCHOR
    return replace(entry, summary=Summary(state=SummaryState.PENDING, kind=kind, is_anchor=is_anchor))


async def drain(storage: SessionStorage) -> None:
    """Finish whatever is due, so that the next claim is about what a test has marked."""
    while (job := await storage.claim_summary("drain", 60)) is not None:
        await storage.finish_summary(job, "drained", "echo")


async def claim(storage: SessionStorage, name: str, lease_seconds: float = 60) -> SummaryJob:
    job = await storage.claim_summary(name, lease_seconds)
    assert job is not None
    return job
