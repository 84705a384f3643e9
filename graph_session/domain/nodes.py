"""Dialogue nodes: a turn seen as one node of the conversation tree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, Message, StopReason, Summary
from graph_session.domain.ids import parse_timestamp

# Fields of a failed answer's message beyond those of the format.
ERROR_CODE = "errorCode"
RETRYABLE = "retryable"


class NodeStatus(StrEnum):
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    INTERRUPTED = "INTERRUPTED"
    UNANSWERED = "UNANSWERED"


_STOPPED = {
    StopReason.ERROR: NodeStatus.FAILED,
    StopReason.ABORTED: NodeStatus.CANCELLED,
    StopReason.INTERRUPTED: NodeStatus.INTERRUPTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What of a turn's question its node shows."""

    id: str
    text: str
    timestamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueNode:
    """`created_ms`: when it was asked, milliseconds since 1970; `sequence`: its place in the session's order of
    creation; `entry_id`: the last entry of the turn that is written (for a running node, its question)."""

    node_id: str
    session_id: str
    parent_node_id: str | None
    user_content: str
    ai_content: str
    created_ms: float
    sequence: int
    status: NodeStatus
    entry_id: str
    question_id: str | None
    summary: Summary
    label: str | None = None
    model: str | None = None
    usage: Usage | None = None
    error: str | None = None
    error_code: str | None = None
    retryable: bool = False


def status_of(stop_reason: StopReason | None) -> NodeStatus:
    """The status of a node whose answer ended for this reason."""
    return _STOPPED.get(stop_reason, NodeStatus.DONE) if stop_reason else NodeStatus.DONE


def node_of_entry(entry: Entry, question: Question | None) -> DialogueNode:
    """The node that an entry stands for: a turn by its last entry, or an open question by itself."""
    body = entry.body
    answer = body if isinstance(body, Message) and entry.ends_turn else None
    asked_at = question.timestamp if question else entry.timestamp
    return DialogueNode(
        node_id=entry.id,
        session_id=entry.session_id,
        parent_node_id=entry.place.node_above,
        user_content=question.text if question else "",
        ai_content=answer.text if answer else "",
        created_ms=parse_timestamp(asked_at).timestamp() * 1000,
        sequence=entry.sequence,
        status=status_of(answer.stop_reason) if answer else NodeStatus.UNANSWERED,
        entry_id=entry.id,
        question_id=question.id if question else None,
        summary=entry.summary,
        label=entry.label,
        model=answer.model if answer else None,
        usage=answer.usage if answer else None,
        error=answer.error if answer else None,
        error_code=_text_or_none(answer.extra.get(ERROR_CODE)) if answer else None,
        retryable=bool(answer and answer.extra.get(RETRYABLE)),
    )


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
