"""Queries that look over whole sessions: whether they are what was written, and where something was said."""

from __future__ import annotations

import strawberry

from graph_session.api.connection import decode_cursor, page_size
from graph_session.api.context import ApiInfo
from graph_session.api.types.search import SearchConnection, SearchHit
from graph_session.api.types.verify import VerifyReport

_MAX_HITS = 100


@strawberry.type
class InspectionQueries:
    @strawberry.field(description="Check that a session's entries are what was written. Reads all of them.")
    async def verify(self, info: ApiInfo, session_id: strawberry.ID) -> VerifyReport:
        return VerifyReport.of(await info.context.services.verify.verify(info.context.principal, session_id))

    @strawberry.field(
        description="Your messages with every one of these words in them, the best first, up to 100 at a time; "
        '"words in quotes" stand together, where the index knows (Neo4j).'
    )
    async def search(
        self,
        info: ApiInfo,
        text: str,
        session_id: strawberry.ID | None = None,
        first: int | None = 20,
        after: str | None = None,
    ) -> SearchConnection:
        page = await info.context.services.search.search(
            info.context.principal, text, session_id, decode_cursor(after), page_size(first, _MAX_HITS, default=20)
        )
        return SearchConnection.of(page, SearchHit.of, after=after)
