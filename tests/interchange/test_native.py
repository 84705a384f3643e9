"""Our own format: what is written is read again, in the same bytes, whatever is in a session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.entries import Entry, Summary, SummaryKind, SummaryState
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.turns import write_under
from graph_session.interchange.base import ORIGINAL_ID, Fault, Head
from graph_session.interchange.native import entry_lines, head_line
from tests.domain.strategies import bodies, extras, names, texts
from tests.domain.trees import NOON, condensed, path_of, turns
from tests.interchange.files import HEAD, built, lines, read, said, uid

OURS = {**HEAD, "formatVersion": 1}
SUMMARIES = st.just(Summary()) | st.builds(
    Summary,
    state=st.sampled_from([SummaryState.PENDING, SummaryState.DONE, SummaryState.FAILED]),
    kind=st.sampled_from(SummaryKind),
    is_anchor=st.booleans(),
    node_summary=st.none() | texts,
    anchor_summary=st.none() | texts,
    model=st.none() | names,
    attempts=st.integers(0, 9),
    error=st.none() | texts,
)


@given(st.lists(st.tuples(st.integers(-1, 20), bodies, extras, SUMMARIES), max_size=12))
def test_entries_are_read_as_they_were_written(shape: list[tuple[int, Any, Any, Summary]]) -> None:
    written: list[Entry] = []
    for number, (choice, body, extra, summary) in enumerate(shape):
        parent = written[choice] if 0 <= choice < len(written) else None
        entry = write_under(parent, id=uid(number), session_id="s", timestamp=NOON, body=body, extra=extra)
        written.append(replace(entry, summary=summary))
    data = lines(OURS, *(line for entry in written for line in entry_lines(entry)))
    entries, faults, _, _ = built(data)
    assert entries == written
    assert {fault.code for fault in faults} <= {"KEPT_ENTRY_OFF_PATH"}
    assert lines(OURS, *(line for entry in entries for line in entry_lines(entry))) == data


def test_the_head_says_what_the_session_is() -> None:
    config = SessionConfig(linear_threshold=5)
    session = Session(
        id=uid(1), owner="o", created_at=NOON, updated_at="later", name="n", system_prompt="p", model="m", config=config
    )
    line = head_line(replace(session, leaf_id=uid(2), revision=9))
    assert list(orjson.loads(line))[:5] == ["type", "version", "formatVersion", "id", "timestamp"]
    (head,) = read(line)
    assert head == Head(
        line=1,
        id=uid(1),
        timestamp=NOON,
        name="n",
        has_name=True,
        system_prompt="p",
        model="m",
        config={
            "linear_threshold": 5,
            "keep_raw_count": 3,
            "anchor_budget_tokens": 2000,
            "reserve_tokens": 16384,
            "keep_recent_tokens": 20000,
        },
        has_leaf=True,
        leaf_id=uid(2),
    )


def test_a_summary_that_is_being_made_waits_in_the_file() -> None:
    entry = replace(path_of(turns(1))[1], summary=Summary(kind=SummaryKind.NODE, state=SummaryState.RUNNING))
    _, line = entry_lines(entry)
    assert orjson.loads(line) == {"type": "summary", "entryId": "e1", "kind": "NODE", "state": "PENDING"}


@pytest.mark.parametrize(
    "raw",
    [
        {"entryId": uid(9), "kind": "NODE", "state": "DONE"},
        {"entryId": uid(1), "kind": "NONSENSE"},
        {"entryId": uid(1)},
        {"entryId": uid(1), "kind": "NODE", "state": "DONE", "nodeSummary": 5},
        {"entryId": uid(1), "kind": "NODE", "attempts": "many"},
    ],
)
def test_summaries_that_do_not_fit_are_told(raw: dict[str, object]) -> None:
    entries, faults, _, _ = built(lines(OURS, said(uid(1), None), {"type": "summary", **raw}))
    assert [entry.summary for entry in entries] == [Summary()]
    assert [(fault.line, fault.code, fault.lost) for fault in faults] == [(3, "SUMMARY_ALONE", True)]


def test_an_entry_without_an_id_is_told() -> None:
    entries, faults, _, _ = built(lines(OURS, {"type": "custom", "customType": "x"}, said(uid(1), None)))
    assert [entry.id for entry in entries] == [uid(1)]
    assert [(fault.line, fault.code) for fault in faults] == [(2, "NO_ID")]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({"type": "hologram", "depth": 3}, "there is no type 'hologram'"),
        ({"type": "model_change", "provider": "p"}, "'modelId' is missing"),
        ({"type": "model_change", "provider": 5, "modelId": "m"}, "provider is not of type str"),
        ({"type": "message", "message": "hello"}, "it is no message"),
        ({"type": "message", "message": {"role": "chorus", "content": []}}, "it is no message"),
        ({"type": "message", "message": {"role": "user", "content": 5}}, "it is no message"),
        ({"type": "compaction", "summary": "s", "firstKeptEntryId": "x", "tokensBefore": True}, "tokens_before"),
    ],
)
def test_what_cannot_be_read_is_kept_and_holds_the_path_together(raw: dict[str, Any], why: str) -> None:
    odd = {**raw, "id": uid(2), "parentId": uid(1), "timestamp": NOON}
    entries, faults, _, _ = built(lines(OURS, said(uid(1), None), odd, said(uid(3), uid(2))))
    assert [entry.parent_id for entry in entries] == [None, uid(1), uid(2)]
    (fault,) = faults
    assert (fault.line, fault.code, fault.lost) == (3, "UNREAD_ENTRY", False)
    assert why in fault.message
    kept = entries[1].body
    assert kept.type == "custom"
    assert kept.data == {name: value for name, value in raw.items() if name != "type"}  # type: ignore[union-attr]


def test_duplicates_cycles_and_parents_that_are_not_there() -> None:
    data = lines(
        OURS,
        said(uid(1), None),
        said(uid(1), None, "again"),
        said(uid(2), uid(99)),
        said(uid(3), uid(4)),
        said(uid(4), uid(3)),
        said(uid(5), uid(5)),
        said(uid(6), uid(4), "below a cycle"),
        said(uid(7), uid(2)),
    )
    entries, faults, _, _ = built(data)
    assert [(entry.id, entry.parent_id) for entry in entries] == [
        (uid(1), None),
        (uid(2), None),
        (uid(6), None),
        (uid(7), uid(2)),
    ]
    assert [(fault.line, fault.code, fault.lost) for fault in faults] == [
        (3, "DUPLICATE_ID", True),
        (4, "MISSING_PARENT", False),
        (5, "CYCLE", True),
        (6, "CYCLE", True),
        (7, "CYCLE", True),
        (8, "MISSING_PARENT", False),
    ]


@given(st.permutations(range(8)))
def test_children_wait_for_parents_that_come_later(order: list[int]) -> None:
    parents = {0: None, 1: 0, 2: 1, 3: 1, 4: 3, 5: None, 6: 5, 7: 6}
    forms = [said(uid(n), None if parents[n] is None else uid(parents[n] or 0)) for n in order]
    entries, faults, _, _ = built(lines(OURS, *forms))
    assert not faults
    assert {entry.id for entry in entries} == {uid(n) for n in range(8)}
    written: set[str] = set()
    for entry in entries:
        assert entry.parent_id is None or entry.parent_id in written
        written.add(entry.id)


def test_ids_that_are_taken_are_new_wherever_they_are_named() -> None:
    forms = [
        said(uid(1), None),
        {"type": "label", "id": uid(2), "parentId": uid(1), "timestamp": NOON, "targetId": uid(1), "label": "x"},
        {"type": "leaf", "id": uid(3), "parentId": uid(2), "timestamp": NOON, "targetId": uid(1)},
        {"type": "leaf", "id": uid(4), "parentId": uid(3), "timestamp": NOON, "targetId": None},
    ]
    entries, faults, builder, planned = built(lines(OURS, *forms), taken=[uid(1)])
    assert not faults
    new = planned.renamed[uid(1)]
    assert [entry.id for entry in entries] == [new, uid(2), uid(3), uid(4)]
    assert entries[0].extra == {ORIGINAL_ID: uid(1)}
    assert entries[1].parent_id == new
    assert {entry.body.target_id for entry in entries[1:3]} == {new}  # type: ignore[union-attr]
    assert builder.leaf_id is None
    again, _, _, _ = built(lines(OURS, *forms), all_new=True)
    assert not {entry.id for entry in again} & {uid(n) for n in range(1, 5)}


def test_times_that_cannot_be_read_are_those_before() -> None:
    early, bad = {**said(uid(1), None), "timestamp": "2026-01-01T00:00:00Z"}, {**said(uid(2), uid(1)), "timestamp": "?"}
    entries, faults, _, _ = built(lines(OURS, early, bad))
    assert [entry.timestamp for entry in entries] == ["2026-01-01T00:00:00Z"] * 2
    assert [fault.code for fault in faults] == ["NO_TIMESTAMP"]


def test_a_finished_summary_survives() -> None:
    entry = condensed(path_of(turns(1))[1], node="short", anchor="all of it")
    data = lines(OURS, said("e0", None), *entry_lines(entry))
    items = [item for item in read(data) if not isinstance(item, (Head, Fault))]
    assert items[1].summary == entry.summary
