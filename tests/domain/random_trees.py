"""Random trees in memory, of all that a session can hold: the reference that folds, contexts and the graph are held to.

A tree is described by steps, each at a place among the entries that are there; the same steps make the same tree here
and in a storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from graph_session.domain.entries import (
    ActiveToolsChange,
    Body,
    Compaction,
    Custom,
    Entry,
    Label,
    LeafMove,
    Message,
    ModelChange,
    Role,
    SessionInfo,
    Summary,
    SummaryKind,
    SummaryScope,
    SummaryState,
    ThinkingLevelChange,
)
from graph_session.domain.state import SessionState
from graph_session.domain.turns import write_under
from tests.domain.trees import NOON, answer, branch, failed, note, question, tool_result, tool_use

KINDS = (
    *("turn", "turn", "turn", "agent turn", "parallel calls", "question", "failed", "interjection"),
    *("note", "model", "thinking", "tools", "name", "label", "custom", "leaf", "compaction", "compaction"),
    *("branch summary", "history summary", "pending summary", "node summary", "anchor summary"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done below an entry (or beside it): `place` and `other` choose entries among those there are."""

    kind: str
    place: int
    other: int


class Tree:
    """Entries by id, parents before children."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.count = 0

    def path(self, entry_id: str | None) -> list[Entry]:
        """From the root to an entry."""
        path: list[Entry] = []
        while entry_id is not None:
            path.append(self.entries[entry_id])
            entry_id = path[-1].parent_id
        return path[::-1]

    def add(self, parent: Entry | None, body: Body, **fields: Any) -> Entry:
        self.count += 1
        entry = write_under(parent, id=f"n{self.count}", session_id="s", timestamp=NOON, body=body)
        self.entries[entry.id] = replace(entry, **fields)
        return self.entries[entry.id]

    def line(self, parent: Entry | None, bodies: Sequence[Body]) -> Entry:
        for body in bodies:
            parent = self.add(parent, body)
        assert parent is not None
        return parent

    def place(self, number: int) -> Entry | None:
        """The entry that a number chooses; below no entry for every twelfth."""
        ids = list(self.entries)
        return None if not ids or number % 12 == 0 else self.entries[ids[-1 - number % len(ids)]]

    def run(self, step: Step) -> list[Entry]:
        """Do a step: the entries that are new or have another summary."""
        before = dict(self.entries)
        self._run(step, self.place(step.place))
        return [entry for entry in self.entries.values() if before.get(entry.id) is not entry]

    def _run(self, step: Step, at: Entry | None) -> None:
        number = self.count
        call = f"c{number % 3}"
        match step.kind:
            case "turn":
                self.line(at, [question(f"q{number}"), answer(f"a{number}")])
            case "agent turn":
                called = [tool_use(call, text="look"), tool_result(call), tool_use("again"), tool_result("again")]
                self.line(at, [question(f"q{number}"), *called, answer(f"a{number}")])
            case "parallel calls":
                results = [tool_result("c1"), tool_result("c0")]
                self.line(at, [question(f"q{number}"), tool_use("c0"), tool_use("c1"), *results, answer("done")])
            case "interjection":
                asked = [question(f"q{number}"), tool_use(call), question("wait!"), tool_result(call), answer("ok")]
                self.line(at, asked)
            case "question":
                self.add(at, question(f"q{number}"))
            case "failed":
                self.line(at, [question(f"q{number}"), failed("half" if step.other % 2 else "")])
            case "compaction" | "node summary" | "anchor summary":
                self._summarise(step, at)
            case kind:
                self.add(at, self._plain(kind, step.other), **self._pending(kind))

    def _summarise(self, step: Step, at: Entry | None) -> None:
        path = self.path(at.id if at else None)
        if step.kind == "compaction":
            kept = [entry for entry in path if not is_result(entry)]
            if kept:
                first = kept[-1 - step.other % len(kept)]
                body = Compaction(summary=f"all before {first.id}", first_kept_entry_id=first.id, tokens_before=9)
                made = self.add(at, body)
                self.entries[made.id] = replace(made, place=replace(made.place, kept_depth=first.place.depth))
            return
        ends = [entry for entry in path if entry.ends_turn]
        if ends:
            end = ends[-1 - step.other % len(ends)]
            is_anchor = step.kind == "anchor summary"
            made_summary = replace(
                end.summary,
                state=SummaryState.DONE,
                kind=SummaryKind.ANCHOR if is_anchor or end.summary.is_anchor else SummaryKind.NODE,
                is_anchor=is_anchor or end.summary.is_anchor,
                anchor_summary=f"up to {end.id}" if is_anchor else end.summary.anchor_summary,
                node_summary=end.summary.node_summary if is_anchor else f"turn {end.id}",
                model="echo",
            )
            self.entries[end.id] = replace(end, summary=made_summary)

    def _plain(self, kind: str, other: int) -> Body:
        target = self.place(other)
        names = ["", "one", "two"]
        bodies: dict[str, Body] = {
            "note": note(f"note {other}"),
            "model": ModelChange(provider="offline", model_id=f"m{other % 5}"),
            "thinking": ThinkingLevelChange(level=f"l{other % 3}"),
            "tools": ActiveToolsChange(tool_names=("read", "edit", "run")[: other % 4]),
            "name": SessionInfo(name=names[other % 3] or None),
            "custom": Custom(custom_type="c", data=other),
            "leaf": LeafMove(target_id=target.id if target else None),
            "branch summary": branch(f"elsewhere {other}"),
            "history summary": branch(f"before {other}", SummaryScope.HISTORY),
            "pending summary": branch("", SummaryScope.HISTORY if other % 2 else SummaryScope.BRANCH),
            "label": Label(target_id=target.id, label=names[other % 3] or None) if target else note("no target"),
        }
        return bodies[kind]

    def _pending(self, kind: str) -> dict[str, Any]:
        pending = Summary(state=SummaryState.PENDING, kind=SummaryKind.BRANCH)
        return {"summary": pending} if kind == "pending summary" else {}


def is_result(entry: Entry) -> bool:
    return isinstance(entry.body, Message) and entry.body.role is Role.TOOL_RESULT


steps = st.builds(Step, st.sampled_from(KINDS), st.integers(0, 60), st.integers(0, 60))
step_lists = st.lists(steps, min_size=1, max_size=14)


def tree_of(done: Sequence[Step]) -> Tree:
    """The tree that steps make."""
    tree = Tree()
    for step in done:
        tree.run(step)
    return tree


def trees() -> st.SearchStrategy[Tree]:
    """Random trees."""
    return step_lists.map(tree_of)


def replayed(tree: Tree, entry_id: str) -> SessionState:
    """The state at an entry by the plainest means: look for the latest of each from the entry upwards."""
    path = tree.path(entry_id)[::-1]
    models = [it.body for it in path if isinstance(it.body, ModelChange)]
    levels = [it.body.level for it in path if isinstance(it.body, ThinkingLevelChange)]
    tools = [it.body.tool_names for it in path if isinstance(it.body, ActiveToolsChange)]
    names = [it.body.name for it in path if isinstance(it.body, SessionInfo)]
    labels: dict[str, str | None] = {}
    for entry in path:
        if isinstance(entry.body, Label):
            labels.setdefault(entry.body.target_id, entry.body.label)
    return SessionState(
        provider=models[0].provider if models else None,
        model_id=models[0].model_id if models else None,
        thinking_level=levels[0] if levels else None,
        active_tools=tools[0] if tools else None,
        name=names[0] or None if names else None,
        labels={target: label for target, label in labels.items() if label},
    )
