"""Context assembly: what the model is sent for a place in the tree (SPEC §6).

A pure function over the path segment that ends at that place. It reads nothing but the entries of the path and the
summaries beside them, so nothing that happens on another branch can change a context.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graph_session.domain.content import Block, TextBlock, ThinkingBlock, ToolCallBlock, says_something, text_of
from graph_session.domain.entries import (
    BranchSummary,
    Compaction,
    CustomMessage,
    Entry,
    Message,
    Role,
    SummaryScope,
    summary_text,
)
from graph_session.domain.pairs import tool_pairs
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
    ContextSource.COMPACTION: "Everything said in this conversation before the messages below, condensed:",
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
    thinking_level: str | None = None
    active_tools: tuple[str, ...] | None = None


def is_boundary(entry: Entry) -> bool:
    """Whether reading a context upwards stops at this entry: it carries a summary of what lies above."""
    match entry.body:
        case Compaction():
            return True
        case BranchSummary(scope=SummaryScope.HISTORY):
            return bool(summary_text(entry).strip())
        case _:
            return entry.summary.is_anchor and entry.summary.anchor_summary is not None


def assemble(
    path: Sequence[Entry],
    *,
    keep_raw: int,
    model: str,
    system: str | None = None,
    question: str | tuple[Block, ...] | None = None,
    thinking_level: str | None = None,
    active_tools: tuple[str, ...] | None = None,
) -> AssembledContext:
    """The context at the end of a path. `question`: its text, or its blocks where it is more than text.

    `path`: consecutive entries, oldest first, ending where the user stands, and reaching up at least to the nearest
    boundary (or the root), to the first entry that a compaction there keeps, and to the beginning of the `keep_raw`-th
    turn from the end. More does no harm.
    """
    boundary = max((index for index, entry in enumerate(path) if is_boundary(entry)), default=-1)
    messages: list[ContextMessage] = []
    omitted: list[Omitted] = []
    if boundary >= 0:
        messages.append(_boundary_message(path[boundary]))
    parts = list(_parts(path, boundary, keep_raw))
    paired = tool_pairs([_as_written(part) for part in parts])
    last_turn = max((index for index, part in enumerate(parts) if isinstance(part, _TurnPart)), default=-1)
    for index, part in enumerate(parts):
        if isinstance(part, _TurnPart) and part.summary is not None:
            ids = tuple(entry.id for entry in part.turn.entries)
            messages.append(summary_message(ContextSource.NODE_SUMMARY, part.summary, ids, part.turn.node_id))
            continue
        turn = part.turn if isinstance(part, _TurnPart) else None
        ended = turn.ended if turn is not None else index < last_turn
        for entry in _as_written(part):
            if isinstance(entry.body, Message):
                node_id = None if turn is None else turn.node_id
                _add_message(entry, entry.body, paired, messages, omitted, ended=ended, node_id=node_id)
            else:
                _add_other(entry, messages, omitted)
    asked_tokens = 0
    if question is not None:
        content = (TextBlock(question),) if isinstance(question, str) else question
        asked_tokens = message_tokens(content)
        asked = ContextMessage(role=Role.USER, content=content, source=ContextSource.QUESTION, tokens=asked_tokens)
        messages.append(asked)
    system_tokens = script_estimate(system) if system else 0
    return AssembledContext(
        system=system,
        model=model,
        messages=_with_breakpoints(messages),
        boundary_id=path[boundary].id if boundary >= 0 else None,
        total_tokens=system_tokens + sum(message.tokens for message in messages),
        full_history_tokens=system_tokens + asked_tokens + (path[-1].place.path_tokens if path else 0),
        omitted=tuple(omitted),
        thinking_level=thinking_level,
        active_tools=active_tools,
    )


@dataclass(frozen=True, slots=True)
class _TurnPart:
    """A turn that is shown: those of its entries that are, and whether as written whatever summaries there are."""

    turn: Turn
    entries: Sequence[Entry]
    raw: bool

    @property
    def summary(self) -> str | None:
        """What stands for the turn; None: its entries."""
        return None if self.raw else self.turn.last.summary.node_summary


def _as_written(part: _TurnPart | Entry) -> Sequence[Entry]:
    if isinstance(part, Entry):
        return (part,)
    return part.entries if part.summary is None else ()


def _parts(path: Sequence[Entry], boundary: int, keep_raw: int) -> Iterator[_TurnPart | Entry]:
    """What of a path is shown besides the boundary's summary, oldest first.

    After a compaction, the entries from the first kept one on, those above it as written. After another boundary, what
    follows it, and the raw window even above it.
    """
    if boundary >= 0 and isinstance(path[boundary].body, Compaction):
        kept = _kept(path, boundary)
        parts = split_turns([*kept, *path[boundary + 1 :]])
        kept_ids = {entry.id for entry in kept}
        shown_ids = {entry.id for entry in path}
        shown_from = -1
    else:
        parts = split_turns(path)
        kept_ids = set()
        shown_ids = {entry.id for entry in path[boundary + 1 :]}
        shown_from = boundary
    window = [part for part in parts if isinstance(part, Turn)][-keep_raw:] if keep_raw else []
    window_ids = {turn.node_id for turn in window}
    index_of = {entry.id: index for index, entry in enumerate(path)}
    shown_from = min([shown_from, *(index_of[turn.entries[0].id] - 1 for turn in window)])
    for part in parts:
        if isinstance(part, Entry):
            if index_of[part.id] > shown_from and index_of[part.id] != boundary:
                yield part
        elif part.node_id in window_ids:
            # The boundary may be a branch summary inside the turn: it has been said already, at the beginning.
            shown = [e for e in part.entries if index_of[e.id] != boundary or isinstance(e.body, Message)]
            yield _TurnPart(part, shown, True)
        elif part.last.id in shown_ids:
            shown = [entry for entry in part.entries if entry.id in shown_ids]
            yield _TurnPart(part, shown, part.entries[0].id in kept_ids)


def _kept(path: Sequence[Entry], boundary: int) -> Sequence[Entry]:
    body = path[boundary].body
    first_kept = body.first_kept_entry_id if isinstance(body, Compaction) else ""
    start = next((index for index in range(boundary) if path[index].id == first_kept), boundary)
    return path[start:boundary]


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
    if isinstance(entry.body, Compaction):
        return summary_message(ContextSource.COMPACTION, entry.body.summary, (entry.id,), None)
    if isinstance(entry.body, BranchSummary):
        return summary_message(ContextSource.ANCHOR_SUMMARY, summary_text(entry), (entry.id,), None)
    return summary_message(ContextSource.ANCHOR_SUMMARY, entry.summary.anchor_summary or "", (entry.id,), entry.id)


def _add_other(entry: Entry, messages: list[ContextMessage], omitted: list[Omitted]) -> None:
    """An entry that is no message: custom messages and summaries of other branches where they stand, the rest left
    out."""
    match entry.body:
        case CustomMessage(content=content) if says_something(content):
            messages.append(_message(Role.USER, content, ContextSource.CUSTOM, entry, None))
        case BranchSummary() | Compaction() if not summary_text(entry).strip():
            omitted.append(Omitted(entry.id, "a summary whose text is not there yet"))
        case BranchSummary(scope=SummaryScope.HISTORY) | Compaction():
            omitted.append(Omitted(entry.id, "an older summary of what came before it; the newest one covers it"))
        case BranchSummary():
            messages.append(summary_message(ContextSource.BRANCH_SUMMARY, summary_text(entry), (entry.id,), None))
        case CustomMessage():
            omitted.append(Omitted(entry.id, "it has no content"))
        case _:
            omitted.append(Omitted(entry.id, f"entries of type {entry.type} are never sent to a model"))


def _add_message(
    entry: Entry,
    body: Message,
    paired: set[tuple[str, int]],
    messages: list[ContextMessage],
    omitted: list[Omitted],
    *,
    ended: bool,
    node_id: str | None,
) -> None:
    """A message as it was written, each tool call with its result or not at all; a result that says nothing is one too.

    `ended`: thinking is of no use any more. `node_id`: None where an agent went on without a question.
    """
    is_result = body.role is Role.TOOL_RESULT
    if is_result and (entry.id, 0) not in paired:
        omitted.append(Omitted(entry.id, "a tool result whose call is not on this path"))
        return
    content: list[Block] = []
    for index, block in enumerate(body.content):
        if isinstance(block, ToolCallBlock) and (entry.id, index) not in paired:
            omitted.append(Omitted(entry.id, f"the call of tool {block.name} has no result on this path"))
        elif not (isinstance(block, ThinkingBlock) and ended):
            content.append(block)
    if is_result or says_something(content):
        messages.append(_message(body.role, content, ContextSource.RAW, entry, node_id))
    else:
        omitted.append(Omitted(entry.id, "it has no content"))


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
