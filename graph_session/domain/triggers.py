"""When a turn needs a summary (SPEC §5): the linear and the turn trigger, as a pure function over the path.

The third trigger, a fork, depends on what other clients wrote a moment ago, so it is decided inside the transaction
that writes the answer (`cypher/finish_answer.cypher`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_session.domain.context import is_boundary
from graph_session.domain.entries import Entry
from graph_session.domain.turns import Turn, finished, split_turns


@dataclass(frozen=True, slots=True)
class Marks:
    """The nodes to summarise: `anchor` becomes a summary anchor, `turns` get a node summary."""

    anchor: str | None
    turns: tuple[str, ...]


def marks_after(path: Sequence[Entry], *, linear_threshold: int, keep_raw: int) -> Marks:
    """What to summarise after the turn that ends the path (oldest first, the new answer included) has finished.

    A turn counts as outside the raw window when at least `keep_raw` turns of the path come after it. Anchors that are
    still waiting for their text count like finished ones, so that a slow summary does not make a second one due.
    """
    turns = [part for part in split_turns(_since_last_anchor(path)) if isinstance(part, Turn)]
    outside = turns[: max(0, len(turns) - keep_raw)]
    anchor = None
    if len(turns) >= linear_threshold:
        anchor = next((turn for turn in reversed(outside) if finished(turn.last)), None)
    if anchor is not None:
        outside = outside[outside.index(anchor) + 1 :]
    missing = [turn for turn in outside if finished(turn.last) and turn.last.summary.kind is None]
    return Marks(anchor.node_id if anchor else None, tuple(turn.node_id for turn in missing))


def _since_last_anchor(path: Sequence[Entry]) -> Sequence[Entry]:
    for index in range(len(path) - 1, -1, -1):
        if path[index].summary.is_anchor or is_boundary(path[index]):
            return path[index + 1 :]
    return path
