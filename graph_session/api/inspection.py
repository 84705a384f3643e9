"""Queries that look over whole sessions: whether they are what was written, and where something was said."""

from __future__ import annotations

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.types.verify import VerifyReport


@strawberry.type
class InspectionQueries:
    @strawberry.field(description="Check that a session's entries are what was written. Reads all of them.")
    async def verify(self, info: ApiInfo, session_id: strawberry.ID) -> VerifyReport:
        return VerifyReport.of(await info.context.services.verify.verify(info.context.principal, session_id))
