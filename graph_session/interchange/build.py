"""The second reading of a file: drafts become entries of a session, parents first, with places and hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from graph_session.domain.entries import (
    Body,
    BranchSummary,
    Compaction,
    Entry,
    Label,
    LeafMove,
    SessionInfo,
)
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.lineage import Lineage
from graph_session.domain.turns import write_under
from graph_session.interchange.base import ORIGINAL_ID, Draft, Fault
from graph_session.interchange.plan import Plan


class Builder:
    """Entries for one session from the drafts of one file, in the file's order as far as parents allow.

    `leaf_id` and `name` are what the entries so far say; `timestamp` is used where an entry has none that can be read.
    """

    def __init__(self, plan: Plan, session_id: str, timestamp: str) -> None:
        self._plan = plan
        self._session_id = session_id
        self._timestamp = timestamp
        self._lineage = Lineage()
        self._waiting: dict[str, list[Draft]] = {}
        self._waiting_ids: set[str] = set()
        self.leaf_id: str | None = None
        self.name: str | None = None

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._lineage

    def add(self, draft: Draft) -> Iterator[Entry | Fault]:
        """The entry of a draft and of those that had to wait for it, or why it is left out."""
        if self.new_id(draft.id) in self._lineage or draft.id in self._waiting_ids:
            why = f"There is an entry {draft.id} already; this one was left out."
            yield Fault(draft.line, "DUPLICATE_ID", why, lost=True)
            return
        if draft.id in self._plan.cyclic:
            why = f"Entry {draft.id} lies above itself: a cycle. It was left out."
            yield Fault(draft.line, "CYCLE", why, lost=True)
            return
        if self._comes_later(draft.parent_id):
            self._waiting.setdefault(draft.parent_id or "", []).append(draft)
            self._waiting_ids.add(draft.id)
            return
        ready = [draft]
        while ready:
            draft = ready.pop()
            yield from self._write(draft)
            ready += reversed(self._waiting.pop(draft.id, []))

    def new_id(self, entry_id: str) -> str:
        """The id that an entry of the file has in the session."""
        return self._plan.renamed.get(entry_id) or self._plan.ids.get(entry_id, entry_id)

    def _comes_later(self, parent_id: str | None) -> bool:
        known = parent_id in self._plan.ids and parent_id not in self._plan.cyclic
        return parent_id is not None and known and self.new_id(parent_id) not in self._lineage

    def _write(self, draft: Draft) -> Iterator[Entry | Fault]:
        parent = None
        if draft.parent_id is not None:
            parent = self._lineage.get(self.new_id(draft.parent_id))
            if parent is None:
                why = f"The parent {draft.parent_id} of entry {draft.id} is not there; it was made a root."
                yield Fault(draft.line, "MISSING_PARENT", why)
        if not _is_time(draft.timestamp):
            why = f"Entry {draft.id} has no time that can be read; it has that of the one before it."
            yield Fault(draft.line, "NO_TIMESTAMP", why)
        else:
            self._timestamp = draft.timestamp or self._timestamp
        body = self._with_new_ids(draft.body)
        entry = write_under(
            parent,
            id=self.new_id(draft.id),
            session_id=self._session_id,
            timestamp=self._timestamp,
            body=body,
            extra=self._extra(draft),
        )
        kept = body.first_kept_entry_id if isinstance(body, Compaction) else entry.id
        if kept != entry.id and not self._lineage.is_above(kept, entry.parent_id):
            why = f"Entry {draft.id} keeps what begins at {kept}, which is not above it."
            yield Fault(draft.line, "KEPT_ENTRY_OFF_PATH", why)
        elif isinstance(body, Compaction):
            first = self._lineage.get(kept) or entry
            entry = replace(entry, place=replace(entry.place, kept_depth=first.place.depth))
        self._lineage.add(entry)
        self.leaf_id = body.target_id if isinstance(body, LeafMove) else entry.id
        if isinstance(body, SessionInfo):
            self.name = body.name or None
        yield replace(entry, summary=draft.summary)

    def _extra(self, draft: Draft) -> Mapping[str, Any]:
        if draft.id not in self._plan.renamed:
            return draft.extra
        return {ORIGINAL_ID: draft.id, **draft.extra}

    def _with_new_ids(self, body: Body) -> Body:
        if not self._plan.renamed:
            return body
        match body:
            case Compaction():
                return replace(body, first_kept_entry_id=self.new_id(body.first_kept_entry_id))
            case BranchSummary():
                return replace(body, from_id=self.new_id(body.from_id))
            case Label():
                return replace(body, target_id=self.new_id(body.target_id))
            case LeafMove(target_id=str(target)):
                return replace(body, target_id=self.new_id(target))
            case _:
                return body


def _is_time(timestamp: str | None) -> bool:
    if timestamp is None:
        return False
    try:
        parse_timestamp(timestamp)
    except ValueError:
        return False
    return True
