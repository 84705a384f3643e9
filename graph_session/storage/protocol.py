"""What every storage of sessions does. The docstrings are the contract; one test suite runs on all storages.

Every method may raise StorageUnavailable. Ids that do not exist give None, an empty list or False, not an error.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, EntryType, SummaryKind
from graph_session.domain.nodes import DialogueNode, Question
from graph_session.domain.outline import Row
from graph_session.domain.search import Search
from graph_session.domain.sessions import Session
from graph_session.domain.state import SessionState
from graph_session.domain.triggers import Marks
from graph_session.domain.verify import StoredEntry

T = TypeVar("T")


class Duplicate(Exception):
    """A unique value is already there."""


@dataclass(frozen=True, slots=True)
class Anywhere:
    """The caller does not mind where the leaf stands."""


ANYWHERE = Anywhere()
ExpectedLeaf = str | None | Anywhere


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a growing list; `cursors` are as many as `items`, each the place just after its item."""

    items: list[T]
    cursors: list[str]
    has_next: bool
    total: int | None = None


@dataclass(frozen=True, slots=True)
class OutlinePage(Page[Row]):
    """Nodes as rows of `domain.outline`, and the marks up to the last of them, on the last page to the end of the list,
    in the order of creation."""

    marks: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one question needs to know. `path`: oldest first, ending at the entry that the question stands below (empty:
    at the root), reaching up to the nearest boundary and over the raw window. `tip`: the entry of the path's last node.
    The parent ids of `leaf` and `tip` are not read. `state`: what holds at the end of the path, names
    and labels aside. `earlier`: the id of the answer that the same request got before.
    """

    session: Session
    leaf: Entry | None
    tip: Entry | None
    path: tuple[Entry, ...]
    earlier: str | None
    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCheck:
    """What an id of an active path is: whether a dialogue node, of which session, below which node, still running."""

    session_id: str | None
    node_above: str | None
    is_node: bool
    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryJob:
    """A summary that a worker has leased under `claim`."""

    entry: Entry
    session: Session
    kind: SummaryKind
    claim: str
    attempts: int


@dataclass(frozen=True, slots=True)
class SummaryEvent:
    """A summary that ended at this revision of its session."""

    entry_id: str
    kind: SummaryKind
    revision: int


@dataclass(frozen=True, slots=True)
class ExpiredAnswer:
    """A running answer whose process is gone, and its question."""

    answer: RunningAnswer
    question: Entry


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that a search has found."""

    entry: Entry
    session: Session


class SessionStorage(Protocol):
    """Sessions, entries and what is derived from them."""

    exclusive: bool  # no other process can use this storage at the same time

    async def ping(self) -> None: ...
    async def close(self) -> None: ...

    async def create_session(self, session: Session) -> Session: ...
    async def session(self, session_id: str) -> Session | None: ...
    async def sessions(self, owner: str, query: str, after: str | None, first: int) -> Page[Session]:
        """An owner's sessions whose names contain the query, the one used last first."""
        ...

    async def update_session(self, session_id: str, changes: dict[str, object]) -> Session | None:
        """Change name, system_prompt, model or config values; None removes a value."""
        ...

    async def delete_session(self, session_id: str) -> bool:
        """Hide the session at once, then remove all of it."""
        ...

    async def finish_deletions(self) -> None:
        """Go on with deletions that a crash cut short."""
        ...

    async def view(self, session_id: str, *, tip_id: str | None, request_id: str | None = None) -> View | None:
        """The view for a question below a dialogue node (None: at the root). It stands under the leaf if only entries
        without turns lie between the two. None: no such session."""
        ...

    async def view_at(self, session_id: str, entry_id: str | None) -> View | None:
        """The view at an entry, or (None) at the leaf. None: no such session."""
        ...

    async def begin_answer(
        self,
        question: Entry,
        answer: RunningAnswer,
        *,
        lease_seconds: float,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        request_id: str | None = None,
        superseded: str | None = None,
        compaction: Entry | None = None,
    ) -> Session:
        """Write a question and the answer that begins, and move the leaf to the question; with them a compaction that
        the question stands below. Raises LeafConflict, NotFound, and Duplicate if the request id was used before."""
        ...

    async def begin_again(self, answer: RunningAnswer, *, lease_seconds: float) -> Session:
        """Begin one more answer to a written question, and move the leaf to the question. Raises NotFound."""
        ...

    async def renew_answer(
        self, answer_id: str, owner: str, pieces: Sequence[Piece], lease_seconds: float
    ) -> bool | None:
        """Keep what has come, and the lease: whether a cancel was asked for; None: it is no longer the owner's."""
        ...

    async def finish_answer(self, entry: Entry, *, owner: str, marks: Marks, expired: bool = False) -> Session | None:
        """Turn a running answer into an entry, move the leaf if it stands at the question, mark what needs summarising.
        `expired`: not the owner, but somebody who found the lease run out. None: the answer is no longer ours."""
        ...

    async def cancel_answer(self, answer_id: str) -> bool:
        """Ask the process that runs an answer to stop it."""
        ...

    async def running_answer(self, answer_id: str) -> RunningAnswer | None: ...
    async def expired_answers(self, owner: str) -> list[ExpiredAnswer]: ...
    async def forget_ended_answers(self) -> None:
        """Remove what is kept of answers for a while after they ended, for reads that were under way."""
        ...

    async def move_leaf(
        self, session_id: str, entry_id: str | None, expected_leaf: ExpectedLeaf, record: Entry | None = None
    ) -> Session:
        """Move the leaf, and write the record of it, which stands below the old leaf and so takes an expected one.
        Raises NotFound for a session or entry, LeafConflict."""
        ...

    async def append(
        self,
        session_id: str,
        entries: Sequence[Entry],
        *,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        move_leaf: bool = True,
        marks: Marks | None = None,
    ) -> Session:
        """Write entries, parents first, in one transaction; the leaf moves to the last. `marks`: what needs summarising
        since; nodes that have a second finished turn below them by now become anchors then. NotFound, LeafConflict."""
        ...

    async def entries(self, ids: Sequence[str]) -> dict[str, Entry]: ...
    async def nodes(self, ids: Sequence[str]) -> dict[str, DialogueNode]: ...
    async def node_page(self, session: Session, after: str | None, first: int) -> Page[DialogueNode]:
        """A session's nodes in the order of creation."""
        ...

    async def outline_page(self, session: Session, after: str | None, first: int) -> OutlinePage:
        """The same, as short rows, with the marks between them."""
        ...

    async def marks_below(self, ids: Sequence[str]) -> list[Row]:
        """The marks directly below dialogue nodes, in the order of creation."""
        ...

    async def entries_between(self, session_id: str, types: Sequence[EntryType], after: int, until: int) -> list[Entry]:
        """The entries of these types after a place in the order of creation, up to another, without their parents'
        ids."""
        ...

    async def children(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The ids of the nodes below each node, in the order of creation."""
        ...

    async def running(self, session_id: str) -> list[tuple[RunningAnswer, Question]]:
        """A session's running answers."""
        ...

    async def turn_entries(self, ids: Sequence[str]) -> dict[str, list[Entry]]:
        """The entries of turns, by the id of their last entry, oldest first."""
        ...

    async def path_page(self, entry_id: str, limit: int) -> list[Entry]:
        """An entry and those above it, nearest first, at most `limit`."""
        ...

    async def active_path(self, entry_id: str) -> list[str]:
        """The dialogue node ids from the root to where a user stands at an entry."""
        ...

    async def path_of_types(self, entry_id: str, types: Sequence[EntryType]) -> list[Entry]:
        """The entries of these types from the root to an entry, oldest first, without their parents' ids."""
        ...

    async def common_ancestor(self, a: str, b: str) -> str | None:
        """The nearest entry that lies on both entries' paths; None where they have different roots."""
        ...

    async def path_usage(self, entry_id: str) -> dict[str | None, Usage]:
        """The tokens of the model calls from the root to an entry, by model."""
        ...

    async def session_usage(self, session: Session) -> dict[str | None, Usage]:
        """The tokens of all model calls of a session, by model."""
        ...

    async def check_nodes(self, ids: Sequence[str]) -> dict[str, NodeCheck]: ...
    async def nearest_anchor(self, entry_id: str) -> DialogueNode | None:
        """The nearest summary anchor at or above an entry that has its text."""
        ...

    async def claim_summary(self, claim: str, lease_seconds: float) -> SummaryJob | None: ...
    async def renew_summary(self, job: SummaryJob, lease_seconds: float) -> bool: ...
    async def finish_summary(self, job: SummaryJob, text: str, model: str) -> bool:
        """A summary lands on the entry it was made from. False: it was no longer this worker's."""
        ...

    async def fail_summary(self, job: SummaryJob, error: str, retry_seconds: float | None) -> bool:
        """`retry_seconds` None: for good."""
        ...

    async def release_summary(self, job: SummaryJob) -> None: ...
    async def retry_summary(self, session_id: str, entry_id: str) -> bool: ...
    async def waiting_summaries(self, session_id: str) -> dict[str, SummaryKind]:
        """The entries of a session whose summaries are due or being made."""
        ...

    async def reclaim_orphans(self) -> None:
        """On an exclusive storage, at start: whatever was being summarised is due again."""
        ...

    async def revisions(self, session_ids: Sequence[str]) -> dict[str, int]: ...
    async def summaries_between(self, session_id: str, after: int, until: int) -> list[SummaryEvent]: ...

    def stored_entries(self, session_id: str, after: int = -1) -> AsyncIterator[StoredEntry]:
        """All that is stored as a session's entries after a place in the order of creation, in that order, what cannot
        be read or does not belong included; read in pages, so that memory is bounded."""
        ...

    async def entry_counts(self) -> dict[str, int]:
        """How many entries say that they are of each session, by a look at everything."""
        ...

    async def search(self, owner: str, search: Search, session_id: str | None, skip: int, limit: int) -> list[Hit]:
        """Messages with every term in them, of an owner and perhaps of one session, the best first. What counts as a
        word is the index's own; `domain.search` says what all of them find."""
        ...

    async def nodes_with(self, ids: Sequence[str]) -> dict[str, str]:
        """The dialogue nodes that entries are part of, by the entries' ids; see `entry_nodes.cypher` for which."""
        ...

    async def tips(self, ids: Sequence[str], limit: int) -> dict[str, list[str]]:
        """The ids of the dialogue nodes at the ends of the branches that entries lie on, at most `limit` of each entry,
        in the order of creation. A branch that goes on for more than 1,000 entries is named by a node on it."""
        ...
