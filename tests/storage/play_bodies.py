"""What is written while storages are compared: messages, and entries of every other type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_session.domain.content import ImageBlock, TextBlock, ThinkingBlock, Usage
from graph_session.domain.entries import (
    ActiveToolsChange,
    Body,
    BranchSummary,
    Compaction,
    Custom,
    Entry,
    Label,
    LeafMove,
    Message,
    ModelChange,
    SessionInfo,
    SummaryScope,
    ThinkingLevelChange,
)
from tests.domain.trees import answer, branch, failed, note, question, tool_result, tool_use

_NAMES = ("tree renamed", "", "another name", None)
_LABELS = ("start", "end", "", None)
_TOOLS: tuple[tuple[str, ...], ...] = (("read", "write"), (), ("look",))
_DATA: tuple[object, ...] = ({"seen": [1, 2.5, None, True]}, None, "text", [])

BODIES: tuple[Body, ...] = (
    question("Why 🌳?"),
    answer(),
    question(""),
    answer("Also so."),
    note(),
    tool_use("1", text="let me look"),
    tool_result("1"),
    failed("half"),
    replace(answer("From another model."), model="other", usage=Usage(1, 2, 3, 4)),
    branch("what came before", SummaryScope.HISTORY),
    branch("elsewhere"),
    replace(answer(""), content=(ThinkingBlock("hm", "signed"), TextBlock("So.")), usage=None),
    replace(question(""), content=(TextBlock("See this:"), ImageBlock("aGk=", "image/png"))),
)


def change_body(what: int, number: int, own: Sequence[Entry], path: Sequence[Entry]) -> Body:
    """An entry that is no message. `own`: the entries of its session, `path`: those above it."""
    target = own[-1 - number % len(own)].id if own else ""
    match what % 12:
        case 0:
            return ModelChange(provider="offline", model_id=("other", "echo")[number % 2])
        case 1:
            return ThinkingLevelChange(level=("high", "off")[number % 2])
        case 2:
            return ActiveToolsChange(tool_names=_TOOLS[number % 3])
        case 3:
            return SessionInfo(name=_NAMES[number % 4])
        case 4 | 5 if target:
            return Label(target_id=target, label=_LABELS[number % 4])
        case 6:
            return Custom(custom_type="app", data=_DATA[number % 4])
        case 7:
            return LeafMove(target_id=target or None)
        case 8 | 9:
            return _compaction(number, path)
        case 10:
            return BranchSummary(from_id=target, summary="", scope=SummaryScope.HISTORY)
        case _:
            return BranchSummary(from_id=target, summary="", scope=SummaryScope.BRANCH, details={"readFiles": ["a.py"]})


def _compaction(number: int, path: Sequence[Entry]) -> Compaction:
    """One that keeps some of the path, or ('') nothing."""
    kept = [entry for entry in path if not (isinstance(entry.body, Message) and entry.body.tool_call_id)]
    first = kept[-1 - number % len(kept)].id if kept and number != 3 else ""
    return Compaction(summary="all in short", first_kept_entry_id=first, tokens_before=100, details={"readFiles": []})
