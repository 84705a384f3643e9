"""Context assembly: what the model is sent for a place in the tree (SPEC §6).

A pure function over the path segment that ends at that place. It reads nothing but the entries of the path and the
summaries beside them, so nothing that happens on another branch can change a context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graph_session.domain.content import Block, TextBlock, ThinkingBlock, ToolCallBlock, text_of
from graph_session.domain.entries import (
    BranchSummary,
    CustomMessage,
    Entry,
    Message,
    Role,
    SummaryScope,
)
from graph_session.domain.tokens import message_tokens, script_estimate
from graph_session.domain.turns import Turn, split_turns


class ContextSource(StrEnum):
    RAW = "RAW"
    NODE_SUMMARY = "NODE_SUMMARY"
    ANCHOR_SUMMARY = "ANCHOR_SUMMARY"
    COMPACTION = "COMPACTION"
    BRANCH_SUMMARY = "BRANCH_SUMMARY"
    CUSTOM = "CUSTOM"
    QUESTION = "QUESTION"


FRAMES = {
    ContextSource.ANCHOR_SUMMARY: "Everything said in this conversation before the turns below, condensed:",
    ContextSource.NODE_SUMMARY: "One earlier turn of this conversation, condensed:",
    ContextSource.BRANCH_SUMMARY: "What happened on another branch of this conversation, condensed:",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMessage:
    """One message of a context: `entry_ids` are the entries it stands for, `node_id` their dialogue node.

    `cache_breakpoint`: what comes up to and including this message stays the same from one question to the next.
    """

    role: str
    content: tuple[Block, ...]
    source: ContextSource
    entry_ids: tuple[str, ...] = ()
    node_id: str | None = None
    tokens: int = 0
    cache_breakpoint: bool = False
    tool_call_id: str | None = None
    is_error: bool = False

    @property
    def text(self) -> str:
        return text_of(self.content)


@dataclass(frozen=True, slots=True)
class Omitted:
    """An entry (or a part of it) of the path that is not in the context, and why."""

    entry_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledContext:
    """A context, ready for a model adapter. `boundary_id`: the entry at which the walk up stopped, None for the root.

    `total_tokens`: estimated, system prompt included; `full_history_tokens`: what sending the whole path would take.
    """

    system: str | None
    model: str
    messages: tuple[ContextMessage, ...]
    boundary_id: str | None
    total_tokens: int
    full_history_tokens: int
    omitted: tuple[Omitted, ...]


def is_boundary(entry: Entry) -> bool:
    """Whether reading a context upwards stops at this entry: it carries a summary of all that lies above."""
    if entry.summary.is_anchor and entry.summary.anchor_summary is not None:
        return True
    return isinstance(entry.body, BranchSummary) and entry.body.scope is SummaryScope.HISTORY


def assemble(
    path: Sequence[Entry], *, keep_raw: int, model: str, system: str | None = None, question: str | None = None
) -> AssembledContext:
    """The context at the end of a path.

    `path`: consecutive entries, oldest first, ending where the user stands, and reaching up at least to the nearest
    boundary (or the root) and to the beginning of the `keep_raw`-th turn from the end. More does no harm.
    """
    boundary = max((index for index, entry in enumerate(path) if is_boundary(entry)), default=-1)
    parts = split_turns(path)
    raw_turns = [part for part in parts if isinstance(part, Turn)][-keep_raw:] if keep_raw else []
    raw_ids = {turn.node_id for turn in raw_turns}
    index_of = {entry.id: index for index, entry in enumerate(path)}
    shown_from = min([boundary, *(index_of[turn.entries[0].id] - 1 for turn in raw_turns)])

    messages: list[ContextMessage] = []
    omitted: list[Omitted] = []
    if boundary >= 0:
        messages.append(_boundary_message(path[boundary]))
    for part in parts:
        if isinstance(part, Entry):
            if index_of[part.id] > shown_from and index_of[part.id] != boundary:
                _add_loose(part, messages, omitted)
        elif part.node_id in raw_ids:
            # The boundary may be a branch summary inside the turn: it has been said already, at the beginning.
            shown = [
                entry for entry in part.entries if index_of[entry.id] != boundary or isinstance(entry.body, Message)
            ]
            _add_raw(part, shown, messages, omitted)
        elif index_of[part.last.id] > boundary:
            summary = part.last.summary.node_summary
            if summary is None:
                _add_raw(part, [entry for entry in part.entries if index_of[entry.id] > boundary], messages, omitted)
            else:
                ids = tuple(entry.id for entry in part.entries)
                messages.append(summary_message(ContextSource.NODE_SUMMARY, summary, ids, part.node_id))
    if question is not None:
        content = (TextBlock(question),)
        tokens = message_tokens(content)
        asked = ContextMessage(role=Role.USER, content=content, source=ContextSource.QUESTION, tokens=tokens)
        messages.append(asked)

    fixed = (script_estimate(system) if system else 0) + (messages[-1].tokens if question is not None else 0)
    system_tokens = script_estimate(system) if system else 0
    return AssembledContext(
        system=system,
        model=model,
        messages=_with_breakpoints(messages),
        boundary_id=path[boundary].id if boundary >= 0 else None,
        total_tokens=system_tokens + sum(message.tokens for message in messages),
        full_history_tokens=fixed + (path[-1].place.path_tokens if path else 0),
        omitted=tuple(omitted),
    )


def summary_message(
    source: ContextSource, summary: str, entry_ids: tuple[str, ...], node_id: str | None
) -> ContextMessage:
    """A summary as the model sees it: a user message that says what it is."""
    content = (TextBlock(f"{FRAMES[source]}\n<summary>\n{summary}\n</summary>"),)
    return ContextMessage(
        role=Role.USER,
        content=content,
        source=source,
        entry_ids=entry_ids,
        node_id=node_id,
        tokens=message_tokens(content),
    )


def _boundary_message(entry: Entry) -> ContextMessage:
    if isinstance(entry.body, BranchSummary):
        return summary_message(ContextSource.ANCHOR_SUMMARY, entry.body.summary, (entry.id,), None)
    return summary_message(ContextSource.ANCHOR_SUMMARY, entry.summary.anchor_summary or "", (entry.id,), entry.id)


def _add_loose(entry: Entry, messages: list[ContextMessage], omitted: list[Omitted]) -> None:
    """An entry between turns: custom messages and summaries of other branches where they stand, the rest left out."""
    match entry.body:
        case CustomMessage(content=content):
            messages.append(_message(Role.USER, content, ContextSource.CUSTOM, entry, None))
        case BranchSummary(scope=SummaryScope.HISTORY):
            omitted.append(Omitted(entry.id, "an older summary of what came before it; the newest one covers it"))
        case BranchSummary(summary=summary) if summary.strip():
            messages.append(summary_message(ContextSource.BRANCH_SUMMARY, summary, (entry.id,), None))
        case _:
            omitted.append(Omitted(entry.id, f"entries of type {entry.type} are never sent to a model"))


def _add_raw(turn: Turn, entries: Sequence[Entry], messages: list[ContextMessage], omitted: list[Omitted]) -> None:
    """Entries of a turn as they were written, each tool call with its result or not at all."""
    calls = {b.id for entry in entries for b in _blocks(entry) if isinstance(b, ToolCallBlock)}
    results = {entry.body.tool_call_id for entry in entries if isinstance(entry.body, Message)}
    for entry in entries:
        if not isinstance(entry.body, Message):
            _add_loose(entry, messages, omitted)
            continue
        if entry.body.role is Role.TOOL_RESULT and entry.body.tool_call_id not in calls:
            omitted.append(Omitted(entry.id, "a tool result whose call is not on this path"))
            continue
        content: list[Block] = []
        for block in entry.body.content:
            if isinstance(block, ToolCallBlock) and block.id not in results:
                omitted.append(Omitted(entry.id, f"the call of tool {block.name} has no result on this path"))
            elif not (isinstance(block, ThinkingBlock) and turn.ended):
                content.append(block)
        if any(not isinstance(block, TextBlock) or block.text.strip() for block in content):
            messages.append(_message(entry.body.role, content, ContextSource.RAW, entry, turn.node_id))
        else:
            omitted.append(Omitted(entry.id, "it has no content"))


def _blocks(entry: Entry) -> tuple[Block, ...]:
    return entry.body.content if isinstance(entry.body, Message) else ()


def _message(
    role: Role, content: Sequence[Block], source: ContextSource, entry: Entry, node_id: str | None
) -> ContextMessage:
    result = entry.body if isinstance(entry.body, Message) and entry.body.role is Role.TOOL_RESULT else None
    return ContextMessage(
        role=role,
        content=tuple(content),
        source=source,
        entry_ids=(entry.id,),
        node_id=node_id,
        tokens=message_tokens(content),
        tool_call_id=None if result is None else result.tool_call_id,
        is_error=bool(result and result.is_error),
    )


def _with_breakpoints(messages: list[ContextMessage]) -> tuple[ContextMessage, ...]:
    """Cache breakpoints: after the last leading summary, since summaries stay while the raw window slides over them,
    and on the message before the question, which a second answer to the same question shares."""
    raw_kinds = (ContextSource.RAW, ContextSource.QUESTION, ContextSource.CUSTOM)
    first_raw = next((i for i, message in enumerate(messages) if message.source in raw_kinds), len(messages))
    last_stable = len(messages) - 1 - (bool(messages) and messages[-1].source is ContextSource.QUESTION)
    marked = {first_raw - 1, last_stable}
    return tuple(
        replace(message, cache_breakpoint=True) if index in marked else message
        for index, message in enumerate(messages)
    )
