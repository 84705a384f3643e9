"""Verifying sessions: is what is stored what was written?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from graph_session.domain.errors import NotFound
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.domain.verify import Problem, Severity, Verifier
from graph_session.services.access import owned_session
from graph_session.storage.protocol import SessionStorage

MAX_PROBLEMS = 1000
_ATTEMPTS = 3
_PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """`problems`: at most MAX_PROBLEMS of the `problem_count` there are; `ok`: none of them is an error. `settled`:
    nobody wrote to the session meanwhile; what a write can make look wrong is left out otherwise."""

    session: Session
    ok: bool
    entries: int
    problems: tuple[Problem, ...]
    problem_count: int
    settled: bool


class VerifyService:
    def __init__(self, storage: SessionStorage) -> None:
        self._storage = storage

    async def verify(self, who: Principal, session_id: str) -> VerifyReport:
        """Check one of the caller's sessions. Raises NotFound."""
        session = await owned_session(self._storage, who, session_id)
        return await self._verify(session, await self._storage.entry_counts())

    async def verify_all(self, who: Principal) -> AsyncIterator[VerifyReport]:
        """Check all of the caller's sessions, one after the other."""
        counts = await self._storage.entry_counts()
        after: str | None = None
        while True:
            page = await self._storage.sessions(who.owner, "", after, _PAGE)
            for session in page.items:
                yield await self._verify(session, counts)
            if not page.has_next:
                return
            after = page.cursors[-1]

    async def _verify(self, session: Session, counts: dict[str, int]) -> VerifyReport:
        """Check again while somebody writes to the session, a few times."""
        report = await self._verify_once(session.id, counts)
        for _ in range(_ATTEMPTS - 1):
            if report.settled:
                break
            report = await self._verify_once(session.id, await self._storage.entry_counts())
        return report

    async def _verify_once(self, session_id: str, counts: dict[str, int]) -> VerifyReport:
        session = await self._read(session_id)
        running = await self._storage.running(session.id)
        verifier = Verifier(
            session,
            running={answer.id for answer, _ in running},
            asked={question.id for _, question in running},
        )
        found: list[Problem] = []
        count = errors = 0

        def note(problem: Problem) -> None:
            nonlocal count, errors
            count += 1
            errors += problem.severity is Severity.ERROR
            if len(found) < MAX_PROBLEMS:
                found.append(problem)

        async for stored in self._storage.stored_entries(session.id):
            for problem in verifier.add(stored):
                note(problem)
        now = await self._storage.session(session.id)
        settled = now is not None and now.revision == session.revision
        if settled:
            for problem in verifier.finish(counted=counts.get(session.id, 0)):
                note(problem)
        return VerifyReport(
            session=session,
            ok=errors == 0,
            entries=verifier.entries,
            problems=tuple(found),
            problem_count=count,
            settled=settled,
        )

    async def _read(self, session_id: str) -> Session:
        session = await self._storage.session(session_id)
        if session is None:
            raise NotFound("session", session_id)
        return session
