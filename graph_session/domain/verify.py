"""Checking a session: a pure function over its entries in order of creation, in a few hundred bytes of memory an entry.

Each entry is compared with its parent as it is stored, so one changed entry is one problem and not one for each entry
below it. `tokens` are not checked: they are an estimate, and a later version may estimate otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from graph_session.domain.content import tool_calls
from graph_session.domain.entries import (
    Compaction,
    Entry,
    EntryType,
    Label,
    LeafMove,
    Message,
    Role,
    Summary,
    SummaryKind,
    SummaryState,
)
from graph_session.domain.lineage import Lineage
from graph_session.domain.sessions import Session
from graph_session.domain.turns import entry_hash, place_under

_RESTORE = "Restore the session from an export made before."
_RECOUNT = "The entries themselves are whole; export and import the session to count anew."


class Severity(StrEnum):
    """ERROR: what was stored is not what is there. WARNING: it is, but a part of it cannot be used, as after the import
    of half a conversation."""

    ERROR = "ERROR"
    WARNING = "WARNING"


@dataclass(frozen=True, slots=True)
class Problem:
    """`code` is stable; `entry_id` None where it is about the session as a whole."""

    code: str
    entry_id: str | None
    message: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """An entry as it lies in a storage. `entry`: None where it cannot be read, `reason` says why; `parent_ids`: all
    that it hangs below; `children`: how many hang below it; `is_root`: whether the session has it as a root."""

    id: str
    sequence: int
    entry: Entry | None
    parent_ids: tuple[str, ...]
    children: int
    is_root: bool
    reason: str = ""


@dataclass(slots=True)
class _Question:
    is_node: bool
    answered: bool = False
    followed: bool = False


class Verifier:
    """Checks one session: `add` each stored entry in order of creation, then `finish`.

    `running`: the ids of running answers, whose places in the order are reserved; `asked`: of their questions.
    """

    def __init__(self, session: Session, *, running: Collection[str] = (), asked: Collection[str] = ()) -> None:
        self._session = session
        self._running = running
        self._asked = asked
        self._lineage = Lineage()
        self._unreadable: set[str] = set()
        self._orphans: dict[str, str] = {}
        self._unmet: Counter[str] = Counter()
        self._calls: dict[str, list[str]] = {}
        self._targets: list[tuple[str, str]] = []
        self._questions: dict[str, _Question] = {}
        self._nodes = 0
        self._places = 0
        self.entries = 0

    def add(self, stored: StoredEntry) -> Iterator[Problem]:
        """The problems that show in an entry and what came before it."""
        self.entries += 1
        self._places += stored.sequence < self._session.next_sequence
        for parent_id in stored.parent_ids:
            self._meet(parent_id, -1)
        self._meet(stored.id, stored.children)
        if len(stored.parent_ids) > 1:
            yield Problem(
                "SEVERAL_PARENTS",
                stored.id,
                f"It hangs below {len(stored.parent_ids)} entries, {', '.join(stored.parent_ids)}; an entry has one "
                f"parent. Remove the edges that do not belong, or: {_RESTORE}",
            )
        entry = stored.entry
        if entry is None:
            self._unreadable.add(stored.id)
            yield Problem("UNREADABLE", stored.id, f"It cannot be read: {stored.reason}. {_RESTORE}")
            return
        if entry.id in self._lineage:
            yield Problem("DUPLICATE_ID", entry.id, f"There is more than one entry of this id. {_RESTORE}")
            return
        if entry.session_id != self._session.id:
            yield Problem("WRONG_SESSION", entry.id, f"It says it is of session {entry.session_id}. {_RESTORE}")
        yield from self._check_parent(stored, entry)
        yield from _check_summary(entry)
        self._lineage.add(entry)
        self._remember(entry)
        yield from self._check_references(entry)

    def finish(self, *, counted: int | None = None) -> Iterator[Problem]:
        """The problems of the session as a whole. `counted`: how many entries say that they are of the session, found
        in another way than by the order of creation."""
        session = self._session
        for entry_id, parent_id in self._orphans.items():
            yield self._orphan(entry_id, parent_id)
        for entry_id, unmet in self._unmet.items():
            if unmet > 0:
                yield Problem(
                    "STRAY_CHILD",
                    entry_id,
                    f"{unmet} entries hang below it that have no place in the session's order of creation. Remove what "
                    "does not belong.",
                )
        for entry_id, target in self._targets:
            if target not in self._lineage:
                yield Problem(
                    "TARGET_MISSING",
                    entry_id,
                    f"It is about entry {target}, which the session does not have, and so has no effect.",
                    Severity.WARNING,
                )
        for entry_id, question in self._questions.items():
            expected = question.followed or not (question.answered or entry_id in self._asked)
            if question.is_node != expected:
                says = "is marked as a dialogue node of its own and is none" if question.is_node else "should be one"
                yield Problem("NODE_MARK", entry_id, f"This question {says}. {_RECOUNT}")
        if session.leaf_id is not None and session.leaf_id not in self._lineage:
            yield Problem(
                "LEAF_MISSING",
                session.leaf_id,
                "The leaf is an entry that the session does not have. Move the leaf to one that it has (moveLeaf).",
            )
        yield from self._check_counts(counted)

    def _meet(self, entry_id: str, children: int) -> None:
        """Children that an entry should have count up, those that come count down."""
        self._unmet[entry_id] += children
        if not self._unmet[entry_id]:
            del self._unmet[entry_id]

    def _check_parent(self, stored: StoredEntry, entry: Entry) -> Iterator[Problem]:
        if entry.parent_id is None:
            if not stored.is_root or entry.place.depth > 0:
                yield Problem(
                    "PARENT_LOST",
                    entry.id,
                    f"It has no parent, yet it was written {entry.place.depth} below a root. {_RESTORE}",
                )
                return
            parent = None
        else:
            parent = self._lineage.get(entry.parent_id)
            if parent is None:
                if entry.parent_id not in self._unreadable:
                    self._orphans[entry.id] = entry.parent_id
                return
        if entry_hash("" if parent is None else parent.hash, entry) != entry.hash:
            yield Problem(
                "HASH_MISMATCH",
                entry.id,
                f"Its content, or its parent's hash, is not what it was when it was written. {_RESTORE}",
            )
        yield from _check_place(parent, entry)

    def _orphan(self, entry_id: str, parent_id: str) -> Problem:
        if parent_id not in self._lineage:
            return Problem("PARENT_MISSING", entry_id, f"Its parent {parent_id} is not in the session. {_RESTORE}")
        above, seen = parent_id, {entry_id}
        while above not in seen and above in self._orphans:
            seen.add(above)
            above = self._orphans[above]
        if self._lineage.is_above(entry_id, parent_id) or above == entry_id:
            return Problem("CYCLE", entry_id, f"It lies above its own parent {parent_id}: a cycle. {_RESTORE}")
        return Problem("PARENT_LATER", entry_id, f"It was written before its parent {parent_id}. {_RESTORE}")

    def _remember(self, entry: Entry) -> None:
        body, place = entry.body, entry.place
        self._nodes += entry.is_node
        if entry.is_question:
            self._questions[entry.id] = _Question(entry.is_node)
            if place.node_above in self._questions:
                self._questions[place.node_above].followed = True
        elif entry.ends_turn and place.question_id in self._questions:
            self._questions[place.question_id].answered = True
        match body:
            case Message(role=Role.ASSISTANT, content=content):
                for call in tool_calls(content):
                    self._calls.setdefault(call.id, []).append(entry.id)
            case Label(target_id=target) | LeafMove(target_id=str(target)):
                self._targets.append((entry.id, target))

    def _check_references(self, entry: Entry) -> Iterator[Problem]:
        body = entry.body
        if isinstance(body, Message) and body.role is Role.TOOL_RESULT:
            callers = self._calls.get(body.tool_call_id or "", ())
            if not any(self._lineage.is_above(caller, entry.parent_id) for caller in callers):
                yield Problem(
                    "TOOL_RESULT_ALONE",
                    entry.id,
                    f"No entry above has the call {body.tool_call_id!r} whose result this is; contexts leave it out.",
                    Severity.WARNING,
                )
        kept = body.first_kept_entry_id if isinstance(body, Compaction) else entry.id
        if kept != entry.id and not self._lineage.is_above(kept, entry.parent_id):
            yield Problem(
                "KEPT_ENTRY_OFF_PATH",
                entry.id,
                f"The first entry that it keeps, {kept}, is not above it. Stand above this "
                "compaction (fork) and compact again.",
            )

    def _check_counts(self, counted: int | None) -> Iterator[Problem]:
        session = self._session
        if self.entries != session.entry_count:
            reserved = session.next_sequence - len(self._running)
            yield Problem(
                "ENTRY_COUNT",
                None,
                f"The session counts {session.entry_count:,} entries and {self.entries:,} are there; of {reserved:,} "
                f"places in its order of creation {self._places:,} are taken. Entries were lost or added. {_RESTORE}",
            )
        nodes = self._nodes + len(self._running)
        if nodes != session.node_count:
            yield Problem(
                "NODE_COUNT",
                None,
                f"The session counts {session.node_count:,} dialogue nodes and {nodes:,} are there. {_RECOUNT}",
            )
        if counted is not None and counted > self.entries:
            yield Problem(
                "STRAY_ENTRIES",
                None,
                f"{counted - self.entries:,} entries say that they are of this session but have no place in its order "
                "of creation. Remove what does not belong.",
            )


def _check_place(parent: Entry | None, entry: Entry) -> Iterator[Problem]:
    stored = entry.place
    expected = place_under(parent, entry.id, entry.body)
    wrong = [
        name
        for name in ("depth", "turns_above", "node_above", "question_id", "path_hash")
        if getattr(expected, name) != getattr(stored, name)
    ]
    if wrong:
        yield Problem("WRONG_PLACE", entry.id, f"Its {', '.join(wrong)} do not follow from its parent's. {_RESTORE}")
    if not entry.is_question and entry.is_node != entry.ends_turn:
        says = "does not end a turn but is marked as" if entry.is_node else "ends a turn but is not marked as"
        yield Problem("NODE_MARK", entry.id, f"It {says} a dialogue node. {_RECOUNT}")


def _check_summary(entry: Entry) -> Iterator[Problem]:
    reason = _summary_fault(entry, entry.summary)
    if reason:
        yield Problem("SUMMARY", entry.id, f"Its summary is not in order: {reason}. Contexts are whole without it.")


def _summary_fault(entry: Entry, summary: Summary) -> str | None:
    done = summary.state is SummaryState.DONE
    match summary.kind:
        case None:
            return None if replace(summary, attempts=0) == Summary() else "it has no kind"
        case _ if summary.state is SummaryState.NONE:
            return "it has a kind but no state"
        case _ if summary.is_anchor != (summary.kind is SummaryKind.ANCHOR):
            return "the anchor's mark and the kind differ"
        case SummaryKind.NODE | SummaryKind.ANCHOR if not entry.ends_turn:
            return "the entry does not end a turn"
        case SummaryKind.NODE if done and summary.node_summary is None:
            return "it is done but there is no text"
        case SummaryKind.ANCHOR if done and summary.anchor_summary is None:
            return "it is done but there is no text"
        case SummaryKind.COMPACTION if entry.type is not EntryType.COMPACTION:
            return "the entry is no compaction"
        case SummaryKind.BRANCH if entry.type is not EntryType.BRANCH_SUMMARY:
            return "the entry is no branch summary"
        case _:
            return None
