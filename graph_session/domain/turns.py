"""Turns and dialogue nodes: how a path of entries reads as a conversation, and where a new entry stands on it.

A turn opens with a user message and ends with an assistant message that asks for no tool; the id of its dialogue node
is the id of that ending entry. A question that another question follows before anything has answered it is a node of
its own. Everything here is inductive: an entry's place is computed from its parent alone, so no path has to be read to
write one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph_session.domain.content import JsonObject, TextBlock, ThinkingBlock, tool_calls
from graph_session.domain.entries import (
    ActiveToolsChange,
    Body,
    BranchSummary,
    CustomMessage,
    Entry,
    Message,
    ModelChange,
    Place,
    Role,
    StopReason,
    SummaryScope,
    ThinkingLevelChange,
    ends_turn,
)
from graph_session.domain.jsonform import canonical, entry_to_json
from graph_session.domain.tokens import message_tokens

ROOT_PATH_HASH = ""
PENDING_HASH = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a path: its entries, oldest first. `ended` is False for a question nothing has answered (yet)."""

    node_id: str
    entries: tuple[Entry, ...]
    ended: bool

    @property
    def question(self) -> Entry | None:
        return self.entries[0] if self.entries[0].is_question else None

    @property
    def last(self) -> Entry:
        return self.entries[-1]


def extend_path_hash(path_hash: str, node_id: str) -> str:
    """The path hash after one more dialogue node: a hash chain over node ids, so that an active path of any length is
    compared with one stored value (the idea of a Merkle list)."""
    return hashlib.blake2b(f"{path_hash}/{node_id}".encode(), digest_size=16).hexdigest()


def hash_path(node_ids: Iterable[str]) -> str:
    """The path hash of a whole active path."""
    path_hash = ROOT_PATH_HASH
    for node_id in node_ids:
        path_hash = extend_path_hash(path_hash, node_id)
    return path_hash


def standing_node(entry: Entry | None) -> str | None:
    """The dialogue node a user stands at when the leaf is this entry: its own turn's if that has ended or is open on
    this path, else the one above."""
    if entry is None:
        return None
    return entry.id if entry.ends_turn else entry.place.question_id or entry.place.node_above


def standing_path_hash(entry: Entry | None) -> str:
    """The path hash of the active path that ends at the entry's standing node."""
    if entry is None:
        return ROOT_PATH_HASH
    if entry.ends_turn:
        return extend_path_hash(entry.place.path_hash, entry.id)
    if entry.place.question_id is not None:
        return extend_path_hash(entry.place.path_hash, entry.place.question_id)
    return entry.place.path_hash


def entry_tokens(body: Body) -> int:
    """Estimated tokens of an entry in a context that has the whole path: without thinking, which is not sent once its
    turn has ended; 0 for summaries of what stands above them, as for types that never are in one."""
    match body:
        case Message():
            return message_tokens([block for block in body.content if not isinstance(block, ThinkingBlock)])
        case CustomMessage():
            return message_tokens(body.content)
        case BranchSummary(scope=SummaryScope.BRANCH):
            return message_tokens([TextBlock(body.summary)])
        case _:
            return 0


def place_under(parent: Entry | None, id: str, body: Body) -> Place:
    """Where an entry with this id and body stands when written below the parent (None: at the root)."""
    tokens = entry_tokens(body)
    if parent is None:
        depth, above, node, question, path_hash, path_tokens = 0, 0, None, None, ROOT_PATH_HASH, tokens
        model, thinking, tools = None, None, None
    else:
        place = parent.place
        model, thinking, tools = place.model_from, place.thinking_from, place.tools_from
        depth, path_tokens = place.depth + 1, place.path_tokens + tokens
        if parent.ends_turn:
            above, node, question = place.turns_above + 1, parent.id, None
            path_hash = extend_path_hash(place.path_hash, parent.id)
        else:
            above, node, question = place.turns_above, place.node_above, place.question_id
            path_hash = place.path_hash
    if isinstance(body, Message) and body.role is Role.USER:
        if question is not None:
            above, node, path_hash = above + 1, question, extend_path_hash(path_hash, question)
        question = id
    return Place(
        depth=depth,
        turns_above=above,
        node_above=node,
        question_id=question,
        path_hash=path_hash,
        tokens=tokens,
        path_tokens=path_tokens,
        model_from=id if isinstance(body, ModelChange) else model,
        thinking_from=id if isinstance(body, ThinkingLevelChange) else thinking,
        tools_from=id if isinstance(body, ActiveToolsChange) else tools,
    )


def write_under(
    parent: Entry | None, *, id: str, session_id: str, timestamp: str, body: Body, extra: JsonObject | None = None
) -> Entry:
    """A new entry below the parent, with its place and its hash over the parent's hash and its own content."""
    entry = Entry(
        id=id,
        session_id=session_id,
        parent_id=None if parent is None else parent.id,
        timestamp=timestamp,
        body=body,
        place=place_under(parent, id, body),
        hash=PENDING_HASH,
        is_node=ends_turn(body),
        extra=extra or {},
    )
    return replace(entry, hash=entry_hash("" if parent is None else parent.hash, entry))


def entry_hash(parent_hash: str, entry: Entry) -> str:
    """SHA-256 over the parent's hash and the entry's canonical content (as simonw/llm's log store does)."""
    return hashlib.sha256(parent_hash.encode() + b"\n" + canonical(entry_to_json(entry))).hexdigest()


def split_turns(path: Sequence[Entry]) -> list[Turn | Entry]:
    """A path (oldest first) as turns and the entries between turns, in order.

    The path may begin inside a turn; that turn then lacks its beginning. Entries before any question that belong to no
    turn (a model change at the root) stand alone.
    """
    parts: list[Turn | Entry] = []
    open_turn: list[Entry] = []

    def close(ended: bool) -> None:
        if open_turn:
            node_id = open_turn[-1].id if ended else (open_turn[-1].place.question_id or open_turn[-1].id)
            parts.append(Turn(node_id, tuple(open_turn), ended))
            open_turn.clear()

    for entry in path:
        if entry.is_question:
            close(ended=False)
            open_turn.append(entry)
        elif entry.ends_turn:
            open_turn.append(entry)
            close(ended=True)
        elif entry.place.question_id is not None:
            open_turn.append(entry)
        else:
            parts.append(entry)
    close(ended=False)
    return parts


def open_calls(path: Sequence[Entry]) -> set[str]:
    """The ids of the tool calls of the turn at the end of a path whose results are not on it."""
    waiting: set[str] = set()
    for entry in path:
        if not isinstance(entry.body, Message):
            continue
        if entry.is_question or entry.ends_turn:
            waiting.clear()
        elif entry.body.role is Role.TOOL_RESULT:
            waiting.discard(entry.body.tool_call_id or "")
        else:
            waiting.update(call.id for call in tool_calls(entry.body.content))
    return waiting


def active_path(path: Sequence[Entry]) -> list[str]:
    """The dialogue node ids of a whole path, root first."""
    return [part.node_id for part in split_turns(path) if isinstance(part, Turn)]


def finished(entry: Entry) -> bool:
    """Whether the entry ends a turn that came to its own end: neither an error, a cancel nor a crash ended it."""
    if not (isinstance(entry.body, Message) and entry.ends_turn):
        return False
    return entry.body.stop_reason not in (StopReason.ERROR, StopReason.ABORTED, StopReason.INTERRUPTED)
