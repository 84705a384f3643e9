"""The trees that are measured, built as the program would leave them: anchors with their texts, node summaries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from graph_session.domain.content import TextBlock, Usage
from graph_session.domain.entries import Entry, Message, Role, StopReason, Summary, SummaryKind, SummaryState
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.principal import Principal
from graph_session.domain.turns import write_under
from graph_session.services import Services
from graph_session.storage.protocol import SessionStorage

WHO = Principal("benchmark")
BATCH_ENTRIES = 1000
# With the default settings an anchor stands at every ninth turn: when twelve have come since the last one, the newest
# outside the last three becomes one.
ANCHOR_EVERY = 9
KEEP_RAW = 3
# Of `build_tree`: how often a turn goes on from the one before, and else how far back it may look.
STRAIGHT_ON = 0.9
NEAR = 2000
LINE_TURNS = 50
FORK_TURN = 27

_SENTENCE = "The tram crosses the river twice before it reaches the market, and turn {} says where it stops. "
_QUESTION_CHARS, _ANSWER_CHARS, _NODE_CHARS, _ANCHOR_CHARS = 200, 1000, 250, 3000


@dataclass
class Tree:
    """A session to measure. `path`: the dialogue nodes to ask below, its last one where things are read; `tip`: the
    entry at the path's end. What is measured moves both on as the line grows."""

    session_id: str
    path: list[str]
    tip: Entry
    fork_places: tuple[str, str]


async def build_line(services: Services, entries: int) -> Tree:
    """One line of so many entries."""
    session = await services.sessions.create(WHO, name=f"line of {entries}")
    turns = entries // 2
    path, tip = await _write_line(services.storage, session.id, turns)
    return Tree(session.id, path, tip, (path[-1], path[-2]))


async def build_branches(services: Services, branches: int) -> tuple[Tree, Tree]:
    """A line of 50 turns in whose middle a node, an anchor, has so many child turns: the tree as it is read, from the
    first turn below that node, and as it is written to, at that node."""
    session = await services.sessions.create(WHO, name=f"{branches} branches")
    storage = services.storage
    path, _ = await _write_line(storage, session.id, LINE_TURNS)
    found = await storage.entries([path[FORK_TURN - 1], path[FORK_TURN]])
    at, below = found[path[FORK_TURN - 1]], found[path[FORK_TURN]]
    others = [entry for number in range(branches - 1) for entry in _turn(session.id, at, number, None)]
    for start in range(0, len(others), BATCH_ENTRIES):
        await storage.append(session.id, others[start : start + BATCH_ENTRIES])
    places = (at.id, below.id)
    return (
        Tree(session.id, path[: FORK_TURN + 1], below, places),
        Tree(session.id, path[:FORK_TURN], at, places),
    )


async def build_tree(services: Services, who: Principal, nodes: int) -> Tree:
    """So many turns, most below the one before and some below any other, as after a lot of forking; always the same."""
    session = await services.sessions.create(who, name=f"tree of {nodes}")
    random = Random(7)
    ends: list[Entry] = []
    parents: list[int] = []
    batch: list[Entry] = []
    for number in range(nodes):
        straight = number == 0 or random.random() < STRAIGHT_ON
        at = number - 1 if straight else random.randrange(max(0, number - NEAR), number)
        batch += _turn(session.id, ends[at] if ends else None, number, None)
        ends.append(batch[-1])
        parents.append(at)
        if len(batch) >= BATCH_ENTRIES or number == nodes - 1:
            await services.storage.append(session.id, batch)
            batch = []
    path: list[str] = []
    number = nodes - 1
    while number >= 0:
        path.append(ends[number].id)
        number = parents[number]
    return Tree(session.id, path[::-1], ends[-1], (ends[-1].id, ends[0].id))


async def _write_line(storage: SessionStorage, session_id: str, turns: int) -> tuple[list[str], Entry]:
    path: list[str] = []
    parent: Entry | None = None
    batch: list[Entry] = []
    for number in range(1, turns + 1):
        batch += _turn(session_id, parent, number, _summary(number, turns))
        parent = batch[-1]
        path.append(parent.id)
        if len(batch) >= BATCH_ENTRIES or number == turns:
            await storage.append(session_id, batch)
            batch = []
    assert parent is not None
    return path, parent


def _turn(session_id: str, parent: Entry | None, number: int, summary: Summary | None) -> Iterator[Entry]:
    question = _message(session_id, parent, Message(role=Role.USER, content=(_text(number, _QUESTION_CHARS),)))
    answer = Message(
        role=Role.ASSISTANT,
        content=(_text(number, _ANSWER_CHARS),),
        provider="benchmark",
        model="benchmark",
        usage=Usage(1000, 250),
        stop_reason=StopReason.STOP,
    )
    yield question
    yield replace(_message(session_id, question, answer), summary=summary or Summary())


def _message(session_id: str, parent: Entry | None, body: Message) -> Entry:
    return write_under(parent, id=new_id(), session_id=session_id, timestamp=timestamp_now(), body=body)


def _summary(number: int, turns: int) -> Summary | None:
    """What a turn of a finished line carries: nothing in the raw window, else an anchor's text or its own summary."""
    if number > turns - KEEP_RAW:
        return None
    if number % ANCHOR_EVERY == 0:
        text = _text(number, _ANCHOR_CHARS).text
        return Summary(state=SummaryState.DONE, kind=SummaryKind.ANCHOR, is_anchor=True, anchor_summary=text)
    text = _text(number, _NODE_CHARS).text
    return Summary(state=SummaryState.DONE, kind=SummaryKind.NODE, node_summary=text)


def _text(number: int, chars: int) -> TextBlock:
    sentence = _SENTENCE.format(number)
    return TextBlock((sentence * (chars // len(sentence) + 1))[:chars].strip())
