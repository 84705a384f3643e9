"""A session's file, page by page."""

from __future__ import annotations

import strawberry

from graph_session.api.connection import encode_cursor
from graph_session.services import exchange as service


@strawberry.type(description="Some lines of a session's file.")
class ExportPage:
    text: str
    cursor: str | None = strawberry.field(description="Give it as `after` for the next page; null on the last.")
    has_next: bool

    @classmethod
    def of(cls, page: service.ExportPage) -> ExportPage:
        """The GraphQL object of a page."""
        return cls(
            text=page.data.decode(),
            cursor=None if page.cursor is None else encode_cursor(page.cursor),
            has_next=page.cursor is not None,
        )
