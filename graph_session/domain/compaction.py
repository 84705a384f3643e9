"""Compaction: when a context no longer fits its window, where to cut, and what is carried over (SPEC §6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from graph_session.domain.content import JsonObject, tool_calls
from graph_session.domain.context import AssembledContext, is_boundary
from graph_session.domain.entries import (
    BranchSummary,
    Compaction,
    Entry,
    Message,
    Role,
    StopReason,
    SummaryScope,
    summary_text,
)
from graph_session.domain.tokens import script_estimate

# Estimates are on the high side, but never by this much.
_ESTIMATE_SLACK = 2
_FAILED = (StopReason.ERROR, StopReason.ABORTED, StopReason.INTERRUPTED)
_READS = frozenset({"read"})
_WRITES = frozenset({"write", "edit"})


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a path is cut: `before` is to be summarised, `first_kept` and all after it stay raw.

    `previous`: the text of the boundary above, which the new summary goes on from.
    """

    previous: str | None
    before: tuple[Entry, ...]
    first_kept: Entry


def used_tokens(path: Sequence[Entry], context: AssembledContext) -> int:
    """Tokens a context takes: the last real usage on the path and an estimate of what came after it.

    A usage counts only if no compaction came after it. Summaries may have shrunk the context since, so the estimate of
    the context as it is now bounds it.
    """
    after = context.messages[-1].tokens if context.messages and not context.messages[-1].entry_ids else 0
    for entry in reversed(path):
        if isinstance(entry.body, Compaction):
            break
        usage = _usage(entry)
        if usage:
            return min(usage + after, _ESTIMATE_SLACK * context.total_tokens)
        # Another branch's summary that was made in the background is beside the entry, and its place does not count it.
        late = None if is_boundary(entry) else entry.summary.branch_summary
        after += entry.place.tokens + script_estimate(late or "")
    return context.total_tokens


def is_due(used: int, window: int, reserve: int) -> bool:
    """Whether a context is too large for a window of which `reserve` tokens are to stay free for the answer."""
    return used > max(0, window - reserve)


def find_cut(path: Sequence[Entry], keep_recent: int) -> Cut | None:
    """The cut that keeps about the last `keep_recent` tokens of a path raw; None where nothing lies before one.

    `path` reaches up to the nearest boundary and, for a compaction there, to its first kept entry; what that one kept
    is summarised again with what came after it. A cut falls between turns where it can; inside a turn that alone is
    longer than what is kept, before an assistant message. It never parts a tool call from its result, nor an answer
    from its question, unless that question alone is longer than what is kept; and none lies below a summary of another
    branch that is being made.
    """
    previous, entries = _since_boundary(path)
    # What would be summarised without the text that another branch's summary is about to have would never tell of it.
    due = next((index for index, entry in enumerate(entries) if _is_being_told(entry)), len(entries))
    starts = [index for index in _whole(entries) if index <= due and _may_begin(entries, index, keep_recent)]
    if not starts:
        return None
    wanted = _budget_index(entries, keep_recent)
    between_turns = [index for index in starts if entries[index].is_question and index >= wanted]
    inside = [index for index in starts if index >= wanted]
    at = (between_turns or inside or starts[-1:])[0]
    return Cut(previous, tuple(entries[:at]), entries[at])


def file_lists(entries: Iterable[Entry], carried: Iterable[Entry]) -> dict[str, list[str]]:
    """`readFiles` and `modifiedFiles` of a summary over entries: those their tool calls name, and those of the earlier
    compactions and branch summaries in `carried`. A file that was modified is not listed as read."""
    read: set[str] = set()
    modified: set[str] = set()
    for entry in carried:
        details = entry.body.details if isinstance(entry.body, Compaction | BranchSummary) else None
        read.update(_names(details, "readFiles"))
        modified.update(_names(details, "modifiedFiles"))
    for entry in entries:
        for call in tool_calls(entry.body.content) if isinstance(entry.body, Message) else ():
            path = call.arguments.get("path")
            if isinstance(path, str) and call.name in _READS:
                read.add(path)
            elif isinstance(path, str) and call.name in _WRITES:
                modified.add(path)
    return {"readFiles": sorted(read - modified), "modifiedFiles": sorted(modified)}


def boundary_text(entry: Entry) -> str:
    """The summary that a boundary carries."""
    return summary_text(entry) or entry.summary.anchor_summary or ""


def _since_boundary(path: Sequence[Entry]) -> tuple[str | None, list[Entry]]:
    for index in range(len(path) - 1, -1, -1):
        if is_boundary(path[index]):
            start = index + 1
            body = path[index].body
            if isinstance(body, Compaction):
                kept = [at for at in range(index) if path[at].id == body.first_kept_entry_id]
                start = kept[0] if kept else start
            return boundary_text(path[index]), [e for e in path[start:] if e.id != path[index].id]
    return None, list(path)


def _is_being_told(entry: Entry) -> bool:
    body = entry.body
    return entry.summary.waits and isinstance(body, BranchSummary) and body.scope is SummaryScope.BRANCH


def _whole(entries: Sequence[Entry]) -> list[int]:
    """The indices, but for the first, at which a cut would leave each tool call on the side of its result."""
    result_of: dict[str, int] = {}
    reaches = [0] * len(entries)
    for index in range(len(entries) - 1, -1, -1):
        body = entries[index].body
        if isinstance(body, Message) and body.role is Role.TOOL_RESULT:
            result_of[body.tool_call_id or ""] = index
        elif isinstance(body, Message):
            # Call ids are unique within a request only, so a result belongs to the nearest call above it.
            reaches[index] = max((result_of.pop(call.id, 0) for call in tool_calls(body.content)), default=0)
    furthest = list(accumulate(reaches, max))
    return [index for index in range(1, len(entries)) if index > furthest[index - 1]]


def _may_begin(entries: Sequence[Entry], index: int, keep_recent: int) -> bool:
    """Whether what is kept may begin at an entry: a question, or an assistant message inside a longer turn."""
    body = entries[index].body
    if not isinstance(body, Message) or body.role is Role.TOOL_RESULT:
        return False
    above = next((entries[at] for at in range(index - 1, -1, -1) if isinstance(entries[at].body, Message)), None)
    return entries[index].is_question or not (above and above.is_question and above.place.tokens <= keep_recent)


def _budget_index(entries: Sequence[Entry], keep_recent: int) -> int:
    kept = 0
    for index in range(len(entries) - 1, -1, -1):
        kept += entries[index].place.tokens
        if kept > keep_recent:
            return index + 1
    return 0


def _usage(entry: Entry) -> int:
    body = entry.body
    if not isinstance(body, Message) or body.usage is None or body.stop_reason in _FAILED:
        return 0
    return body.usage.total


def _names(details: JsonObject | None, key: str) -> list[str]:
    names = (details or {}).get(key)
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
