"""Entries: the nodes of a session's tree, one body class per type (SPEC §2).

An entry has a *content* (id, parent, type, timestamp, body) that never changes once it is written, a *place* that
follows from the path above it and never changes either, and *summary fields* beside it that are derived and may.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from graph_session.domain.content import Block, JsonObject, Usage, text_of, tool_calls


class EntryType(StrEnum):
    MESSAGE = "message"
    CUSTOM_MESSAGE = "custom_message"
    MODEL_CHANGE = "model_change"
    THINKING_LEVEL_CHANGE = "thinking_level_change"
    ACTIVE_TOOLS_CHANGE = "active_tools_change"
    SESSION_INFO = "session_info"
    LABEL = "label"
    COMPACTION = "compaction"
    BRANCH_SUMMARY = "branch_summary"
    CUSTOM = "custom"
    LEAF = "leaf"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL_RESULT = "toolResult"


class StopReason(StrEnum):
    """Why an assistant message ended; ERROR, ABORTED and INTERRUPTED (a crash) leave what text had come."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_USE = "toolUse"
    REFUSAL = "refusal"
    ERROR = "error"
    ABORTED = "aborted"
    INTERRUPTED = "interrupted"


class SummaryScope(StrEnum):
    HISTORY = "HISTORY"
    BRANCH = "BRANCH"


class SummaryState(StrEnum):
    NONE = "NONE"
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"


class SummaryKind(StrEnum):
    NODE = "NODE"
    ANCHOR = "ANCHOR"
    COMPACTION = "COMPACTION"
    BRANCH = "BRANCH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message; `provider`, `model`, `usage`, `stop_reason` and `error` an assistant's, `tool_*` a tool result's."""

    role: Role
    content: tuple[Block, ...]
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: StopReason | None = None
    error: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool = False
    extra: JsonObject = field(default_factory=dict)
    type = EntryType.MESSAGE

    @property
    def text(self) -> str:
        return text_of(self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomMessage:
    """An application's own message; in context as a user message."""

    custom_type: str
    content: tuple[Block, ...]
    display: bool = True
    details: JsonObject | None = None
    type = EntryType.CUSTOM_MESSAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    provider: str
    model_id: str
    type = EntryType.MODEL_CHANGE


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingLevelChange:
    level: str
    type = EntryType.THINKING_LEVEL_CHANGE


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveToolsChange:
    tool_names: tuple[str, ...]
    type = EntryType.ACTIVE_TOOLS_CHANGE


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    name: str | None
    type = EntryType.SESSION_INFO


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    target_id: str
    label: str | None
    type = EntryType.LABEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """A summary of all before `first_kept_entry_id`; `tokens_before` is what the context took before it."""

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    details: JsonObject | None = None
    type = EntryType.COMPACTION


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchSummary:
    from_id: str
    summary: str
    scope: SummaryScope
    details: JsonObject | None = None
    type = EntryType.BRANCH_SUMMARY


@dataclass(frozen=True, slots=True, kw_only=True)
class Custom:
    """An application's own data (any JSON); never in context."""

    custom_type: str
    data: object
    type = EntryType.CUSTOM


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafMove:
    target_id: str | None
    type = EntryType.LEAF


Body = (
    Message
    | CustomMessage
    | ModelChange
    | ThinkingLevelChange
    | ActiveToolsChange
    | SessionInfo
    | Label
    | Compaction
    | BranchSummary
    | Custom
    | LeafMove
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an entry stands, each field following from the parent's (`turns.place_under`).

    `turns_above`: dialogue nodes above the entry's own turn; `node_above`: the nearest of them; `question_id`: the user
    message that opened the turn the entry is in, None between turns; `path_hash`: over the ids of the dialogue nodes
    above; `tokens`: of the entry in a context; `path_tokens`: of all entries from the root to here.
    `model_from`, `thinking_from`, `tools_from`: the changes that hold here, the nearest at or above; `kept_depth`: of a
    compaction, the depth of the first entry it keeps.
    """

    depth: int
    turns_above: int
    node_above: str | None
    question_id: str | None
    path_hash: str
    tokens: int
    path_tokens: int
    model_from: str | None = None
    thinking_from: str | None = None
    tools_from: str | None = None
    kept_depth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The derived fields of an entry: `node_summary` condenses its turn, `anchor_summary` all from the root to it,
    `branch_summary` is the text of a branch summary that was written before its text was there."""

    state: SummaryState = SummaryState.NONE
    kind: SummaryKind | None = None
    is_anchor: bool = False
    node_summary: str | None = None
    anchor_summary: str | None = None
    branch_summary: str | None = None
    model: str | None = None
    attempts: int = 0
    error: str | None = None

    @property
    def waits(self) -> bool:
        """Whether it is due or being made."""
        return self.state in (SummaryState.PENDING, SummaryState.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One node of the tree. `sequence` is its place in the session's order of creation, `is_node` whether it stands for
    a dialogue node; `extra` holds the fields of its JSON form that this version does not know."""

    id: str
    session_id: str
    parent_id: str | None
    timestamp: str
    body: Body
    place: Place
    hash: str
    sequence: int = 0
    is_node: bool = False
    summary: Summary = field(default_factory=Summary)
    label: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def type(self) -> EntryType:
        return self.body.type

    @property
    def ends_turn(self) -> bool:
        return ends_turn(self.body)

    @property
    def is_question(self) -> bool:
        return isinstance(self.body, Message) and self.body.role is Role.USER


def ends_turn(body: Body) -> bool:
    """Whether an entry ends a turn: an assistant message that asks for no tool. Decided from the entry alone."""
    return isinstance(body, Message) and body.role is Role.ASSISTANT and not tool_calls(body.content)


def text_of_body(body: Body) -> str:
    """The text a person reads in an entry (for search, captions and full-text index); empty where there is none."""
    match body:
        case Message():
            return body.text
        case CustomMessage():
            return text_of(body.content)
        case Compaction() | BranchSummary():
            return body.summary
        case Label():
            return body.label or ""
        case SessionInfo():
            return body.name or ""
        case _:
            return ""


def is_history(entry: Entry) -> bool:
    """Whether the entry is a summary of what came before a fork, which acts as an anchor for the branch below it."""
    return isinstance(entry.body, BranchSummary) and entry.body.scope is SummaryScope.HISTORY


def summary_text(entry: Entry) -> str:
    """The text of a compaction or branch summary: its own, or the one that was made for it since; empty while there is
    none."""
    match entry.body:
        case Compaction(summary=summary):
            return summary
        case BranchSummary(summary=summary):
            return summary if summary.strip() else entry.summary.branch_summary or ""
        case _:
            return ""
