"""A tree of 200 entries with two compactions, and the contexts that the rules give at its places, written by hand.

Sixty turns on the main line: q1 a1 q2 a2 …; each fifth is an agent's, with two tool calls (q5 c5.1 r5.1 c5.2 r5.2 a5).
The first compaction, C1, stands after turn 30 and keeps the turns from 28 on; the second, C2, stands inside turn 45,
below its first tool result, and keeps what begins with turn 44. Turns 101 to 110 leave the main line after turn 20.
"""

from __future__ import annotations

from dataclasses import replace

from graph_session.domain.content import TextBlock, ToolCallBlock
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import (
    Body,
    Compaction,
    Entry,
    Message,
    Role,
    StopReason,
    Summary,
    SummaryKind,
    SummaryState,
)
from graph_session.domain.turns import write_under
from tests.domain.trees import NOON, answer, note, other_model, question, tool_result

SUMMARISED = (10, 29, 31, 33, 44, 46, 47)
KEEP_RAW = 3


def _turn(number: int) -> list[tuple[str, Body]]:
    if number % 5:
        return [(f"q{number}", question(f"q{number}")), (f"a{number}", answer(f"a{number}"))]
    made: list[tuple[str, Body]] = [(f"q{number}", question(f"q{number}"))]
    for step in (1, 2):
        call_id = f"{number}.{step}"
        block = ToolCallBlock(call_id, "read", {"path": f"{call_id}.txt"})
        text = TextBlock(f"c{call_id}")
        calls = Message(role=Role.ASSISTANT, content=(text, block), stop_reason=StopReason.TOOL_USE)
        made += [(f"c{call_id}", calls), (f"r{call_id}", tool_result(call_id, f"r{call_id}"))]
    return [*made, (f"a{number}", answer(f"a{number}"))]


def _main() -> list[tuple[str, Body]]:
    line: list[tuple[str, Body]] = []
    for number in range(1, 61):
        line += _turn(number)
        if number == 30:
            line.append(("C1", Compaction(summary="C1", first_kept_entry_id="q28", tokens_before=1)))
        if number == 32:
            line.append(("note", note("note")))
        if number == 39:
            line.append(("model", other_model()))
    below = next(index for index, (name, _) in enumerate(line) if name == "r45.1") + 1
    return [*line[:below], ("C2", Compaction(summary="C2", first_kept_entry_id="q44", tokens_before=1)), *line[below:]]


def long_tree(session_id: str = "s", prefix: str = "") -> dict[str, Entry]:
    """The entries by name, parents first; their ids are the prefix and the name."""
    tree: dict[str, Entry] = {}
    side = [made for number in range(101, 111) for made in _turn(number)]
    for names_and_bodies, at in ((_main(), None), (side, "a20")):
        parent = tree[at] if at else None
        for name, body in names_and_bodies:
            kept_depth = None
            if isinstance(body, Compaction):
                kept_depth = tree[body.first_kept_entry_id].place.depth
                body = replace(body, first_kept_entry_id=prefix + body.first_kept_entry_id)
            parent = write_under(parent, id=prefix + name, session_id=session_id, timestamp=NOON, body=body)
            parent = replace(parent, place=replace(parent.place, kept_depth=kept_depth))
            if name in {f"a{number}" for number in SUMMARISED}:
                done = Summary(state=SummaryState.DONE, kind=SummaryKind.NODE, node_summary=f"N{name[1:]}", model="m")
                parent = replace(parent, summary=done)
            tree[name] = parent
    return tree


def path_to(tree: dict[str, Entry], name: str) -> list[Entry]:
    """From the root to an entry."""
    by_id = {entry.id: entry for entry in tree.values()}
    path = [tree[name]]
    while path[-1].parent_id:
        path.append(by_id[path[-1].parent_id])
    return path[::-1]


def shown(context: AssembledContext) -> list[str]:
    """A context as the names of its messages; summaries by their text."""
    return [it.text.splitlines()[-2] if it.text.endswith("</summary>") else it.text for it in context.messages]


def raw(first: int, last: int | None = None) -> list[str]:
    """The messages of turns, as they were written."""
    return [name for number in range(first, (last or first) + 1) for name, _ in _turn(number)]


# name of an entry: what is sent when a user stands AT it
BY_HAND: dict[str, list[str]] = {
    # before the first compaction: everything, as it is; turn 10 condensed as soon as it is outside the raw window
    "q1": ["q1"],
    "a3": ["q1", "a1", "q2", "a2", "q3", "a3"],
    "a5": [*raw(1, 4), "q5", "c5.1", "r5.1", "c5.2", "r5.2", "a5"],
    "a12": [*raw(1, 12)],
    "a13": [*raw(1, 9), "N10", *raw(11, 13)],
    "a27": [*raw(1, 9), "N10", *raw(11, 27)],
    # inside the part that C1 keeps, which is above C1: C1 is not on the path
    "q28": [*raw(1, 9), "N10", *raw(11, 27), "q28"],
    "a28": [*raw(1, 9), "N10", *raw(11, 28)],
    "q29": [*raw(1, 9), "N10", *raw(11, 28), "q29"],
    "r30.1": [*raw(1, 9), "N10", *raw(11, 29), "q30", "c30.1", "r30.1"],
    # before C1, which is at a30; turn 29 is in the raw window
    "a30": [*raw(1, 9), "N10", *raw(11, 30)],
    # on the compaction itself: its summary, and what it keeps as it was written, whatever summaries there are
    "C1": ["C1", *raw(28, 30)],
    # below it
    "q31": ["C1", *raw(28, 30), "q31"],
    "a31": ["C1", *raw(28, 30), *raw(31)],
    "note": ["C1", *raw(28, 32), "note"],
    "a35": ["C1", *raw(28, 30), "N31", *raw(32), "note", *raw(33, 35)],
    "a36": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 36)],
    "a39": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 39)],
    # an entry that is never sent changes nothing
    "model": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 39)],
    # on a tool result, and between a call and its result: half a pair is left out
    "c40.1": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 39), "q40", "c40.1"],
    "r40.1": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 39), "q40", "c40.1", "r40.1"],
    # inside the part that C2 keeps: C1 holds
    "a44": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 44)],
    # before C2
    "r45.1": ["C1", *raw(28, 30), "N31", *raw(32), "note", "N33", *raw(34, 44), "q45", "c45.1", "r45.1"],
    # on C2: the newest holds alone
    "C2": ["C2", *raw(44), "q45", "c45.1", "r45.1"],
    "c45.2": ["C2", *raw(44), "q45", "c45.1", "r45.1", "c45.2"],
    "r45.2": ["C2", *raw(44), "q45", "c45.1", "r45.1", "c45.2", "r45.2"],
    "a45": ["C2", *raw(44), *raw(45)],
    "a47": ["C2", *raw(44), *raw(45), *raw(46, 47)],
    "a49": ["C2", *raw(44), *raw(45), "N46", *raw(47, 49)],
    "a50": ["C2", *raw(44), *raw(45), "N46", "N47", *raw(48, 50)],
    "a60": ["C2", *raw(44), *raw(45), "N46", "N47", *raw(48, 60)],
    # on the other branch, where no compaction was made
    "q101": [*raw(1, 9), "N10", *raw(11, 20), "q101"],
    "a110": [*raw(1, 9), "N10", *raw(11, 20), *raw(101, 110)],
}


def by_rule(tree: dict[str, Entry], name: str) -> list[str]:
    """The same for every entry, by the rules in their plainest form."""
    path = [(entry, entry.id.removeprefix(tree["q1"].id[:-2])) for entry in path_to(tree, name)]
    names = [it for _, it in path]
    marks = [(mark, kept) for mark, kept in (("C2", "q44"), ("C1", "q28")) if mark in names]
    start = names.index(marks[0][1]) if marks else 0
    questions = [it for it in names[start:] if it.startswith("q")]
    window = {it[1:] for it in questions[-KEEP_RAW:]}
    kept = {it[1:] for it in questions if marks and names.index(it) < names.index(marks[0][0])}
    sent = [marks[0][0]] if marks else []
    for it in names[start:]:
        turn = it[1:].partition(".")[0]
        ended = f"a{turn}" in names
        if it in ("C1", "C2", "model"):
            continue
        if it != "note" and ended and int(turn) in SUMMARISED and turn not in window | kept:
            sent += [f"N{turn}"] if it.startswith("a") else []
        else:
            sent.append(it)
    return sent
