"""Domain values as properties of graph nodes: what is read back is what was written, and its hash still holds."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.content import ImageBlock, TextBlock, ToolCallBlock, Usage
from graph_session.domain.entries import Body, Message, Role, Summary, SummaryKind, SummaryState
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.turns import entry_hash, write_under
from graph_session.storage.graph.records import (
    answer_from,
    answer_properties,
    entry_from,
    entry_properties,
    path_from,
    position,
    sequence_of,
    session_from,
    session_properties,
)
from tests.domain.strategies import bodies, extras, names, texts
from tests.domain.trees import NOON, note, path_of, question, tool_use, turns

_summaries = st.just(Summary()) | st.builds(
    Summary,
    state=st.sampled_from(SummaryState),
    kind=st.sampled_from([SummaryKind.NODE, SummaryKind.ANCHOR]),
    is_anchor=st.booleans(),
    node_summary=st.none() | texts,
    anchor_summary=st.none() | texts,
    model=st.none() | names,
    attempts=st.integers(0, 9),
    error=st.none() | texts,
)


@given(bodies, extras, _summaries, st.integers(0, 10**11))
def test_an_entry_survives_a_round_trip(body: Body, extra: dict[str, object], summary: Summary, sequence: int) -> None:
    parent = path_of([*turns(1), question()])[-1]
    entry = write_under(parent, id="e", session_id="s", timestamp=NOON, body=body, extra=extra)
    entry = replace(entry, summary=summary, sequence=sequence)
    stored: dict[str, Any] = {**entry_properties(entry), "position": position("s", sequence)}
    assert entry_from(stored, parent.id) == entry
    assert entry_hash(parent.hash, entry_from(stored, parent.id)) == entry.hash


@given(bodies, extras)
def test_properties_are_what_a_graph_can_hold(body: Body, extra: dict[str, object]) -> None:
    entry = write_under(None, id="e", session_id="s", timestamp=NOON, body=body, extra=extra)
    assert {type(value) for value in entry_properties(entry).values()} <= {str, int, bool}


def test_a_plain_message_is_stored_once_as_readable_text() -> None:
    stored = entry_properties(path_of([question("Why?")])[0])
    assert stored["text"] == "Why?"
    assert "data" not in stored


@pytest.mark.parametrize(
    "message",
    [
        replace(question(), content=()),
        replace(question(), content=(TextBlock(""),)),
        replace(question(), content=(TextBlock("a"), TextBlock("b"))),
        replace(question(), content=(TextBlock("a", {"cache": True}),)),
        replace(question(), content=(TextBlock("see"), ImageBlock("aGk=", "image/png"))),
        replace(tool_use("1"), content=(ToolCallBlock("1", "look", {"deep": [{"er": None}]}, {"x": 1}),)),
        Message(role=Role.ASSISTANT, content=(TextBlock("a"),), usage=Usage(1, 2, 3, 4, {"iterations": [1]})),
        Message(role=Role.ASSISTANT, content=(TextBlock("a"),), usage=Usage()),
        Message(role=Role.ASSISTANT, content=(TextBlock("a"),)),
    ],
)
def test_contents_that_are_more_than_one_text(message: Message) -> None:
    entry = path_of([message])[0]
    stored = {**entry_properties(entry), "position": position("s", 0)}
    assert entry_from(orjson.loads(orjson.dumps(stored)), None) == entry


@pytest.mark.parametrize("state", [SummaryState.PENDING, SummaryState.RUNNING])
def test_summaries_that_an_entry_brings_along_unfinished_are_due(state: SummaryState) -> None:
    entry = replace(path_of([note()])[0], summary=Summary(state=state, kind=SummaryKind.NODE))
    assert entry_properties(entry)["summary_due"] > 0
    done = replace(entry, summary=replace(entry.summary, state=SummaryState.DONE))
    assert "summary_due" not in entry_properties(done)


def test_a_walk_upwards_reads_as_a_path_with_its_parents() -> None:
    path = path_of(turns(2))
    nodes = [{**entry_properties(entry), "position": position("s", 0)} for entry in reversed(path)]
    assert path_from(nodes, None) == path
    assert path_from(nodes[:2], path[1].id) == path[2:]
    assert path_from([], None) == []


@given(st.lists(st.integers(0, 10**11), min_size=2, max_size=2))
def test_positions_of_a_session_sort_as_their_numbers(pair: list[int]) -> None:
    one, other = pair
    assert (position("s", one) < position("s", other)) is (one < other)
    assert sequence_of(position("a:b", one)) == one


@given(st.lists(st.builds(Piece, texts, st.booleans()), max_size=4).map(tuple), st.none() | names)
def test_a_running_answer_survives_a_round_trip(partial: tuple[Piece, ...], node_above: str | None) -> None:
    answer = RunningAnswer(
        id="a",
        session_id="s",
        question_id="q",
        node_above=node_above,
        owner="process",
        model="echo",
        started=NOON,
        sequence=5,
        partial=partial,
    )
    assert answer_from({**answer_properties(answer), "position": position("s", 5)}) == answer


@given(st.none() | texts, st.none() | texts, st.none() | names, st.integers(1, 10_000))
def test_a_session_survives_a_round_trip(
    name: str | None, system_prompt: str | None, model: str | None, threshold: int
) -> None:
    session = Session(
        id="s",
        owner="o",
        created_at=NOON,
        updated_at=NOON,
        name=name,
        system_prompt=system_prompt,
        model=model,
        config=SessionConfig(linear_threshold=threshold),
    )
    counters = {"revision": 0, "node_count": 0, "entry_count": 0, "next_sequence": 0}
    assert session_from(session_properties(session) | counters) == session
    assert asdict(session.config).items() <= session_properties(session).items()
