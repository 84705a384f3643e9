"""What a check of a session finds."""

from __future__ import annotations

import strawberry

from graph_session.domain.verify import Severity
from graph_session.services import verify as service

strawberry.enum(
    Severity,
    name="VerifySeverity",
    description="ERROR: what was stored is not what is there. WARNING: it is, but a part of it cannot be used.",
)


@strawberry.type(description="One thing that is wrong, and what to do about it. `code` is stable.")
class VerifyProblem:
    code: str
    entry_id: strawberry.ID | None = strawberry.field(description="Null: the session as a whole.")
    message: str
    severity: Severity


@strawberry.type(description="Whether a session's entries are what was written.")
class VerifyReport:
    ok: bool = strawberry.field(description="No problem is an error.")
    entries: int = strawberry.field(description="How many entries were checked.")
    problems: list[VerifyProblem] = strawberry.field(description="The first 1,000 of them.")
    problem_count: int
    settled: bool = strawberry.field(
        description="Nobody wrote to the session meanwhile; else counts and what is missing were not checked."
    )

    @classmethod
    def of(cls, report: service.VerifyReport) -> VerifyReport:
        """The GraphQL object of a report."""
        return cls(
            ok=report.ok,
            entries=report.entries,
            problem_count=report.problem_count,
            settled=report.settled,
            problems=[
                VerifyProblem(
                    code=problem.code,
                    entry_id=None if problem.entry_id is None else strawberry.ID(problem.entry_id),
                    message=problem.message,
                    severity=problem.severity,
                )
                for problem in report.problems
            ],
        )
