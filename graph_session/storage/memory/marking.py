"""What new entries make due: summaries of the turns that were decided from their path, and of the node that forks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph_session.domain.entries import Entry, SummaryKind, SummaryState
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import finished
from graph_session.storage.memory.records import Record, SummaryChanged, Work
from graph_session.storage.memory.tree import Tree


def marked(tree: Tree, new: Sequence[Entry], marks: Marks, now: int) -> Iterator[Record]:
    """The records that follow those of new entries: a node with two or more finished turns below it becomes an anchor,
    and so does the one that `marks` names; `now` in milliseconds since 1970."""
    written = {entry.id: entry for entry in new}
    forks = dict.fromkeys(entry.place.node_above for entry in new if finished(entry))
    wanted = dict.fromkeys([fork for fork in forks if fork and _forks(tree, new, fork)] + [marks.anchor or ""])
    found = [written.get(entry_id) or tree.entries.get(entry_id) for entry_id in wanted]
    anchors = [anchor for anchor in found if anchor and anchor.ends_turn and not anchor.summary.is_anchor]
    for anchor in anchors:
        yield _pending(anchor, SummaryKind.ANCHOR, now)
    for turn_id in marks.turns:
        turn = written.get(turn_id) or tree.entries.get(turn_id)
        if turn is not None and turn.summary.kind is None and turn not in anchors:
            yield _pending(turn, SummaryKind.NODE, now)


def _forks(tree: Tree, new: Sequence[Entry], node_id: str) -> bool:
    old = sum(finished(tree.entries[entry_id]) for entry_id in tree.below.get(node_id, ()))
    return old + sum(finished(entry) and entry.place.node_above == node_id for entry in new) > 1


def _pending(entry: Entry, kind: SummaryKind, now: int) -> SummaryChanged:
    is_anchor = entry.summary.is_anchor or kind is SummaryKind.ANCHOR
    summary = replace(entry.summary, state=SummaryState.PENDING, kind=kind, is_anchor=is_anchor, attempts=0)
    return SummaryChanged(entry.id, summary, Work(due=now))
