"""Importing conversations."""

from __future__ import annotations

import io
from typing import Annotated

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.types.failure import InvalidInput, SessionExists, StorageUnavailable, result
from graph_session.api.types.session import Session
from graph_session.services import exchange as service


@strawberry.input
class ImportInput:
    content: str = strawberry.field(description="The whole file.")
    filename: str | None = strawberry.field(default=None, description="Shown in messages.")
    format: str | None = strawberry.field(default=None, description="graph_session or pi; null: recognise it.")
    new_ids: bool = strawberry.field(
        default=False, description="Give the session and its entries new ids, as for a second copy."
    )


@strawberry.type(description="Something in the file that is not as it should be.")
class ImportProblem:
    line: int | None = strawberry.field(description="Null: the file as a whole.")
    code: str
    message: str
    lost: bool = strawberry.field(description="What stood there is not in the session.")


@strawberry.type(description="What became of a file.")
class ImportReport:
    format: str
    filename: str | None
    entries: int
    problems: list[ImportProblem] = strawberry.field(description="The first 1,000 of them.")
    problem_count: int

    @classmethod
    def of(cls, report: service.ImportReport, filename: str | None) -> ImportReport:
        """The GraphQL object of a report."""
        return cls(
            format=report.format,
            filename=filename,
            entries=report.entries,
            problem_count=report.codes.total(),
            problems=[
                ImportProblem(line=fault.line or None, code=fault.code, message=fault.message, lost=fault.lost)
                for fault in report.faults
            ],
        )


@strawberry.type
class ImportPayload:
    session: Session
    report: ImportReport


ImportResult = Annotated[
    ImportPayload | InvalidInput | SessionExists | StorageUnavailable, strawberry.union("ImportResult")
]


@strawberry.type
class ImportMutations:
    @strawberry.mutation(description="Make a session of a conversation's file. What cannot be read is reported.")
    async def import_conversation(self, info: ApiInfo, input: ImportInput) -> ImportResult:
        async def work() -> ImportPayload:
            done = await info.context.services.exchange.bring_in(
                info.context.principal,
                io.BytesIO(input.content.encode("utf-8", "surrogatepass")),
                format=input.format,
                fresh_ids=input.new_ids,
            )
            return ImportPayload(session=Session.of(done.session), report=ImportReport.of(done.report, input.filename))

        return await result(info.context, work())
