"""Records: what can happen to a session, each a plain value.

A storage that keeps sessions outside a database decides under a lock what is to happen, as records, and then lets
`tree.apply` carry them out. The JSONL storage writes the same records down first, so its files are replayed by the same
function that made the state they describe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import Entry, Summary


@dataclass(frozen=True, slots=True)
class Work:
    """A summary as work: `due`, milliseconds since 1970, None when there is nothing to do; `claim`: the worker that
    holds it; `ended`: the session's revision at which an attempt last ended, None before."""

    due: int | None = None
    claim: str = ""
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """Values of the session or its config, by their names; None removes a value."""

    changes: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EntryWritten:
    """A new entry. One with the id of a running answer is its end, and takes its place."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class SummaryChanged:
    """What is beside an entry from now on: the whole of it, so that no record depends on an earlier one."""

    entry_id: str
    summary: Summary
    work: Work


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """An answer to a written question runs, until `lease_until` (milliseconds since 1970) if nothing more is heard."""

    answer: RunningAnswer
    lease_until: int
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerRenewed:
    """More of a running answer: what comes after its first `after` characters; the rest is gone."""

    answer_id: str
    lease_until: int
    after: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """Somebody wants a running answer to stop."""

    answer_id: str


Record = SessionChanged | EntryWritten | SummaryChanged | AnswerStarted | AnswerRenewed | CancelRequested


@dataclass(frozen=True, slots=True)
class Change:
    """Records that happen together or not at all, and what the session is after them."""

    revision: int
    leaf_id: str | None
    updated_at: str
    records: tuple[Record, ...] = ()

    def new_ids(self) -> list[str]:
        """The ids that mean something from now on."""
        entries = [record.entry.id for record in self.records if isinstance(record, EntryWritten)]
        return entries + [record.answer.id for record in self.records if isinstance(record, AnswerStarted)]
