"""New entries as the use cases write them."""

from __future__ import annotations

from dataclasses import replace

from graph_session.domain.entries import Body, BranchSummary, Entry, Summary, SummaryKind, SummaryScope, SummaryState
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.turns import write_under


def written(parent: Entry, body: Body) -> Entry:
    """A new entry below a parent, with the time now."""
    return write_under(parent, id=new_id(), session_id=parent.session_id, timestamp=timestamp_now(), body=body)


def pending_summary(
    parent: Entry, from_id: str, scope: SummaryScope, details: dict[str, object] | None = None
) -> Entry:
    """A branch summary whose text the worker makes later; that is kept beside the entry, as content never changes."""
    entry = written(parent, BranchSummary(from_id=from_id, summary="", scope=scope, details=details))
    return replace(entry, summary=Summary(state=SummaryState.PENDING, kind=SummaryKind.BRANCH))
