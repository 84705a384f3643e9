"""Small trees for tests: bodies by what they mean, and paths of entries made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_session.domain.content import Block, TextBlock, ToolCallBlock, Usage
from graph_session.domain.entries import (
    Body,
    BranchSummary,
    CustomMessage,
    Entry,
    Message,
    ModelChange,
    Role,
    StopReason,
    Summary,
    SummaryKind,
    SummaryScope,
    SummaryState,
)
from graph_session.domain.turns import write_under

NOON = "2026-11-30T12:00:00.000Z"


def question(text: str = "Why?") -> Message:
    return Message(role=Role.USER, content=(TextBlock(text),))


def answer(text: str = "Because.", stop_reason: StopReason = StopReason.STOP) -> Message:
    blocks: tuple[Block, ...] = (TextBlock(text),) if text else ()
    return Message(
        role=Role.ASSISTANT,
        content=blocks,
        provider="offline",
        model="echo",
        usage=Usage(10, 5),
        stop_reason=stop_reason,
    )


def failed(text: str = "") -> Message:
    return replace(answer(text, StopReason.ERROR), error="the model is overloaded")


def tool_use(*call_ids: str, text: str = "") -> Message:
    blocks: list[Block] = [TextBlock(text)] if text else []
    blocks += [ToolCallBlock(call_id, "look", {"at": call_id}) for call_id in call_ids]
    return Message(role=Role.ASSISTANT, content=tuple(blocks), stop_reason=StopReason.TOOL_USE)


def tool_result(call_id: str, text: str = "seen") -> Message:
    return Message(role=Role.TOOL_RESULT, content=(TextBlock(text),), tool_call_id=call_id, tool_name="look")


def note(text: str = "a note") -> CustomMessage:
    return CustomMessage(custom_type="note", content=(TextBlock(text),))


def other_model() -> ModelChange:
    return ModelChange(provider="offline", model_id="other")


def branch(summary: str, scope: SummaryScope = SummaryScope.BRANCH) -> BranchSummary:
    return BranchSummary(from_id="elsewhere", summary=summary, scope=scope)


def turns(count: int, first: int = 1) -> list[Body]:
    """Questions q1, q2 … and their answers a1, a2 …"""
    numbers = range(first, first + count)
    return [body for number in numbers for body in (question(f"q{number}"), answer(f"a{number}"))]


def path_of(
    bodies: Iterable[Body], *, parent: Entry | None = None, session_id: str = "s", prefix: str = "e"
) -> list[Entry]:
    """A path of entries below the parent, without it; their ids are e0, e1 …"""
    path: list[Entry] = []
    for number, body in enumerate(bodies):
        parent = write_under(parent, id=f"{prefix}{number}", session_id=session_id, timestamp=NOON, body=body)
        path.append(parent)
    return path


def condensed(entry: Entry, *, node: str | None = None, anchor: str | None = None) -> Entry:
    """The entry with finished summaries."""
    summary = Summary(
        state=SummaryState.DONE,
        kind=SummaryKind.NODE if anchor is None else SummaryKind.ANCHOR,
        is_anchor=anchor is not None,
        node_summary=node,
        anchor_summary=anchor,
        model="echo",
    )
    return replace(entry, summary=summary)


def pending_anchor(entry: Entry) -> Entry:
    """The entry as an anchor whose text is still being written."""
    return replace(entry, summary=Summary(state=SummaryState.PENDING, kind=SummaryKind.ANCHOR, is_anchor=True))
