"""One session as plain values, and the one function that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from graph_session.domain.answers import Piece, RunningAnswer, append_piece, pieces_after
from graph_session.domain.entries import Entry, Label, SessionInfo
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.storage.memory.records import (
    AnswerRenewed,
    AnswerStarted,
    CancelRequested,
    Change,
    EntryWritten,
    Record,
    SessionChanged,
    SummaryChanged,
    Work,
)

_CONFIG = {item.name for item in fields(SessionConfig)}


@dataclass(frozen=True, slots=True)
class Running:
    """A running answer, with its lease (milliseconds since 1970)."""

    answer: RunningAnswer
    lease_until: int
    cancel: bool = False


@dataclass(slots=True)
class Tree:
    """`entries` and `running` by id; `order`: the id at each place in the order of creation, an answer's id being that
    of the entry it becomes; `below`: by node, the entries whose nearest node above it is; `requests`: the answer that
    each client request got; `work`: by entry, where there is or was a summary to make."""

    session: Session
    entries: dict[str, Entry] = field(default_factory=dict)
    running: dict[str, Running] = field(default_factory=dict)
    order: dict[int, str] = field(default_factory=dict)
    below: dict[str, list[str]] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    work: dict[str, Work] = field(default_factory=dict)
    due: set[str] = field(default_factory=set)

    def up(self, entry_id: str | None) -> Iterator[Entry]:
        """An entry and those above it, nearest first."""
        while entry_id is not None and (entry := self.entries.get(entry_id)) is not None:
            yield entry
            entry_id = entry.parent_id


def new_tree(session: Session) -> Tree:
    """A session in which nothing has happened."""
    return Tree(replace(session, leaf_id=None, revision=0, node_count=0, entry_count=0, next_sequence=0))


def apply(tree: Tree, change: Change) -> None:
    """Carry out a change. What its records refer to must be there."""
    for record in change.records:
        apply_record(tree, record)
    tree.session = replace(tree.session, revision=change.revision, leaf_id=change.leaf_id, updated_at=change.updated_at)


def apply_record(tree: Tree, record: Record) -> None:
    """Carry out one record of a change."""
    match record:
        case SessionChanged(changes):
            tree.session = changed_session(tree.session, changes)
        case EntryWritten(entry):
            _write(tree, entry)
        case SummaryChanged(entry_id, summary, work):
            tree.entries[entry_id] = replace(tree.entries[entry_id], summary=summary)
            tree.work[entry_id] = work
            tree.due = tree.due - {entry_id} if work.due is None else tree.due | {entry_id}
        case AnswerStarted():
            _start(tree, record)
        case AnswerRenewed(answer_id, lease_until, after, pieces):
            running = tree.running[answer_id]
            partial = extended(running.answer.partial, after, pieces)
            answer = replace(running.answer, partial=partial)
            tree.running[answer_id] = replace(running, answer=answer, lease_until=lease_until)
        case CancelRequested(answer_id):
            tree.running[answer_id] = replace(tree.running[answer_id], cancel=True)


def changed_session(session: Session, changes: Mapping[str, object]) -> Session:
    """The session with other values. Raises TypeError for a name that it does not have."""
    own: dict[str, Any] = {name: value for name, value in changes.items() if name not in _CONFIG}
    config: dict[str, Any] = {name: value for name, value in changes.items() if name in _CONFIG}
    return replace(session, config=SessionConfig(**asdict(session.config) | config), **own)


def extended(kept: Sequence[Piece], after: int, more: Sequence[Piece]) -> tuple[Piece, ...]:
    """The first `after` characters of a stream, and then more of it."""
    pieces = _first(kept, after)
    for index, piece in enumerate(more):
        if index == 0:
            append_piece(pieces, piece.text, piece.thinking)
        else:
            pieces.append(piece)
    return tuple(pieces)


def growth(kept: Sequence[Piece], pieces: Sequence[Piece]) -> tuple[int, tuple[Piece, ...]]:
    """What `extended` takes to make these pieces of those that are kept: little, since a stream only grows."""
    length = sum(len(piece.text) for piece in kept)
    more = tuple(piece for _, piece in pieces_after(pieces, length))
    return (length, more) if extended(kept, length, more) == tuple(pieces) else (0, tuple(pieces))


def _first(pieces: Sequence[Piece], count: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        if count <= 0:
            break
        kept.append(replace(piece, text=piece.text[:count]))
        count -= len(piece.text)
    return kept


def _write(tree: Tree, entry: Entry) -> None:
    session, place = tree.session, entry.place
    ended = tree.running.pop(entry.id, None)
    # An answer below a compaction that came after its question takes a place behind that one: parents come first.
    in_place = ended is not None and entry.parent_id == ended.answer.question_id
    sequence = ended.answer.sequence if ended is not None and in_place else session.next_sequence
    if ended is not None and not in_place:
        del tree.order[ended.answer.sequence]
    is_node = entry.is_question or entry.ends_turn
    tree.entries[entry.id] = replace(entry, sequence=sequence, is_node=is_node)
    tree.order[sequence] = entry.id
    nodes = int(is_node and ended is None)
    if entry.is_question:
        nodes += _set_node(tree, place.node_above, True)
    elif entry.ends_turn and not tree.below.get(place.question_id or ""):
        nodes -= _set_node(tree, place.question_id, False)
    match entry.body:
        case SessionInfo(name=name):
            session = replace(session, name=name or None)
        case Label(target_id=target, label=label) if target in tree.entries:
            tree.entries[target] = replace(tree.entries[target], label=label or None)
        case _:
            pass
    if place.node_above is not None:
        tree.below.setdefault(place.node_above, []).append(entry.id)
    tree.session = replace(
        session,
        entry_count=session.entry_count + 1,
        node_count=session.node_count + nodes,
        next_sequence=session.next_sequence + (not in_place),
    )


def _start(tree: Tree, started: AnswerStarted) -> None:
    session, answer = tree.session, started.answer
    # A question that was a node because nothing had answered it stops being one, unless another question follows it.
    replaces = not tree.below.get(answer.question_id) and _set_node(tree, answer.question_id, False)
    tree.running[answer.id] = Running(replace(answer, sequence=session.next_sequence), started.lease_until)
    tree.order[session.next_sequence] = answer.id
    if started.request_id is not None:
        tree.requests[started.request_id] = answer.id
    tree.session = replace(
        session, node_count=session.node_count + (not replaces), next_sequence=session.next_sequence + 1
    )


def _set_node(tree: Tree, entry_id: str | None, is_node: bool) -> bool:
    """Let an entry be a dialogue node of its own, or no longer be one; whether that is a change."""
    entry = tree.entries.get(entry_id or "")
    if entry is None or entry.is_node == is_node:
        return False
    tree.entries[entry.id] = replace(entry, is_node=is_node)
    return True
