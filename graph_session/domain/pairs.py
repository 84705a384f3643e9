"""Tool calls and their results, which are sent to a model together or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.content import ToolCallBlock
from graph_session.domain.entries import Entry, Message, Role


def tool_pairs(parts: Sequence[Sequence[Entry]]) -> set[tuple[str, int]]:
    """The tool calls, by entry id and block index, and the results, by entry id and 0, that have each other.

    In a part, the n-th result of an id belongs to the n-th call of that id, and stands after it. A result whose call is
    not there belongs to the nearest above that has none: a question may have come between, or no question at all.
    """
    left: dict[str, list[tuple[str, int]]] = {}
    paired: set[tuple[str, int]] = set()
    for entries in parts:
        waiting: dict[str, list[tuple[str, int]]] = {}
        for entry in entries:
            body = entry.body
            if not isinstance(body, Message):
                continue
            if body.role is Role.TOOL_RESULT:
                call_id = body.tool_call_id or ""
                if waiting.get(call_id):
                    paired |= {waiting[call_id].pop(0), (entry.id, 0)}
                elif left.get(call_id):
                    paired |= {left[call_id].pop(), (entry.id, 0)}
            for index, block in enumerate(body.content):
                if isinstance(block, ToolCallBlock):
                    waiting.setdefault(block.id, []).append((entry.id, index))
        for call_id, calls in waiting.items():
            left.setdefault(call_id, []).extend(calls)
    return paired
