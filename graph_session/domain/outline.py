"""The tree for drawing: nodes as short rows, and the marks between them."""

from __future__ import annotations

from graph_session.domain.entries import BranchSummary, Entry, EntryType, SummaryScope
from graph_session.domain.nodes import DialogueNode

COLUMNS = ("nodeId", "parentNodeId", "status", "isSummaryAnchor", "summaryState", "question", "label")
MARK_COLUMNS = ("entryId", "nodeId", "type", "scope")
MARK_TYPES = (EntryType.COMPACTION, EntryType.BRANCH_SUMMARY)
TEXT_CHARS = 80

Row = list[object]


def row_of(node: DialogueNode) -> Row:
    """A node by `COLUMNS`, with the beginning of its question."""
    summary = node.summary
    begins = node.user_content[:TEXT_CHARS]
    return [
        node.node_id,
        node.parent_node_id,
        node.status.value,
        summary.is_anchor,
        summary.state.value,
        begins,
        node.label,
    ]


def mark_of(entry: Entry) -> Row:
    """A compaction or branch summary by `MARK_COLUMNS`."""
    scope = entry.body.scope if isinstance(entry.body, BranchSummary) else None
    return mark_row(entry.id, entry.place.node_above, entry.type, scope)


def mark_row(entry_id: str, node_above: str | None, type: EntryType, scope: SummaryScope | None) -> Row:
    """A mark by `MARK_COLUMNS`. One inside a turn stands below the node above that turn, which stays so when the turn
    ends."""
    return [entry_id, node_above, type.name, None if scope is None else scope.value]
