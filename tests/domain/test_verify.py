"""A whole session has no problem; each way to change, lose or add something is one, with its code and its entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.entries import (
    Compaction,
    Entry,
    Label,
    LeafMove,
    Summary,
    SummaryKind,
    SummaryState,
)
from graph_session.domain.sessions import Session
from graph_session.domain.turns import write_under
from graph_session.domain.verify import Problem, Severity, StoredEntry, Verifier
from tests.domain.strategies import bodies
from tests.domain.trees import NOON, answer, condensed, note, path_of, question, tool_result, tool_use, turns


def stored(entries: Sequence[Entry]) -> list[StoredEntry]:
    """Entries as a storage would have them, marked as it marks them."""
    asked = {entry.id for entry in entries if entry.is_question}
    answered = {entry.place.question_id for entry in entries if entry.ends_turn}
    followed = {entry.place.node_above for entry in entries if entry.is_question}
    nodes = (asked - answered) | (asked & followed)
    children = Counter(entry.parent_id for entry in entries)
    return [
        StoredEntry(
            id=entry.id,
            sequence=number,
            entry=replace(entry, sequence=number, is_node=entry.ends_turn or entry.id in nodes),
            parent_ids=() if entry.parent_id is None else (entry.parent_id,),
            children=children[entry.id],
            is_root=entry.parent_id is None,
        )
        for number, entry in enumerate(entries)
    ]


def session_of(found: Sequence[StoredEntry], **fields: Any) -> Session:
    """The session that these are all entries of."""
    given: dict[str, Any] = {
        "entry_count": len(found),
        "next_sequence": len(found),
        "node_count": sum(bool(one.entry and one.entry.is_node) for one in found),
        "leaf_id": found[-1].id if found else None,
    }
    return Session(id="s", owner="o", created_at=NOON, updated_at=NOON, **given | fields)


def problems(found: Sequence[StoredEntry], session: Session | None = None, **options: Any) -> list[Problem]:
    counted = options.pop("counted", None)
    verifier = Verifier(session or session_of(found), **options)
    seen = [problem for one in found for problem in verifier.add(one)]
    return seen + list(verifier.finish(counted=counted))


def codes(found: Sequence[StoredEntry], session: Session | None = None, **options: Any) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.entry_id) for problem in problems(found, session, **options)]


@given(st.lists(st.tuples(st.integers(-1, 30), bodies), max_size=25))
def test_what_was_written_is_found_whole(shape: list[tuple[int, Any]]) -> None:
    entries: list[Entry] = []
    for number, (choice, body) in enumerate(shape):
        parent = entries[choice] if 0 <= choice < len(entries) else None
        entries.append(write_under(parent, id=f"e{number}", session_id="s", timestamp=NOON, body=body))
    found = problems(stored(entries))
    # Made-up bodies name entries that there are not; nothing else is wrong with them.
    dangling = {"TARGET_MISSING", "KEPT_ENTRY_OFF_PATH", "TOOL_RESULT_ALONE"}
    assert {problem.code for problem in found} <= dangling


def _line() -> list[Entry]:
    return path_of([*turns(2), question(), tool_use("c"), tool_result("c"), answer()])


Change = Callable[[list[StoredEntry]], list[StoredEntry]]


def _with(index: int, **fields: Any) -> Change:
    """The entry at an index with other fields."""

    def change(found: list[StoredEntry]) -> list[StoredEntry]:
        entry = found[index].entry
        assert entry is not None
        found[index] = replace(found[index], entry=replace(entry, **fields))
        return found

    return change


def _placed(index: int, **fields: Any) -> Change:
    def change(found: list[StoredEntry]) -> list[StoredEntry]:
        entry = found[index].entry
        assert entry is not None
        return _with(index, place=replace(entry.place, **fields))(found)

    return change


def _stored_with(index: int, **fields: Any) -> Change:
    def change(found: list[StoredEntry]) -> list[StoredEntry]:
        found[index] = replace(found[index], **fields)
        return found

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_with(2, body=question("another")), [("HASH_MISMATCH", "e2")]),
        (_with(2, timestamp="2026-01-01T00:00:00Z"), [("HASH_MISMATCH", "e2")]),
        (_with(2, extra={"x": 1}), [("HASH_MISMATCH", "e2")]),
        (_with(2, hash="0" * 64), [("HASH_MISMATCH", "e2"), ("HASH_MISMATCH", "e3")]),
        (_with(2, session_id="t"), [("WRONG_SESSION", "e2")]),
        (_with(3, is_node=False), [("NODE_MARK", "e3"), ("NODE_COUNT", None)]),
        (_with(2, is_node=True), [("NODE_MARK", "e2"), ("NODE_COUNT", None)]),
        (_placed(7, depth=3), [("WRONG_PLACE", "e7")]),
        (_placed(7, turns_above=9), [("WRONG_PLACE", "e7")]),
        (_placed(7, node_above=None), [("WRONG_PLACE", "e7")]),
        (_placed(7, question_id=None), [("WRONG_PLACE", "e7"), ("NODE_MARK", "e4")]),
        (_placed(7, path_hash="x"), [("WRONG_PLACE", "e7")]),
        (_placed(7, tokens=1, path_tokens=1), []),
        (
            _stored_with(3, entry=None, reason="no type"),
            [("UNREADABLE", "e3"), ("NODE_MARK", "e2"), ("NODE_COUNT", None)],
        ),
        (_stored_with(3, parent_ids=("e2", "e1")), [("SEVERAL_PARENTS", "e3")]),
        (_stored_with(3, children=2), [("STRAY_CHILD", "e3")]),
        (_stored_with(0, is_root=False), [("PARENT_LOST", "e0")]),
    ],
)
def test_a_change_is_found_where_it_is(change: Change, expected: list[tuple[str, str | None]]) -> None:
    whole = stored(_line())
    assert codes(change(list(whole)), session_of(whole)) == expected


@pytest.mark.parametrize("lost", range(8))
def test_a_lost_entry_is_found(lost: int) -> None:
    whole = stored(_line())
    rest = [one for one in whole if one.sequence != lost]
    found = {code for code, _ in codes(rest, session_of(whole))}
    assert "ENTRY_COUNT" in found
    assert ("PARENT_MISSING" in found) is (lost < 7)
    assert ("LEAF_MISSING" in found) is (lost == 7)


def test_a_lost_entry_whose_edges_went_with_it_is_found() -> None:
    whole = stored(_line())
    orphan = whole[5].entry
    assert orphan is not None
    rest = [one for one in whole if one.sequence != 4]
    rest[4] = replace(rest[4], entry=replace(orphan, parent_id=None), parent_ids=())
    rest[3] = replace(rest[3], children=0)
    assert ("PARENT_LOST", "e5") in codes(rest, session_of(whole))


def test_an_added_entry_is_found() -> None:
    line = _line()
    whole = stored(line)
    added = path_of([note()], parent=line[3], prefix="x")
    found = codes(stored([*line, *added]), session_of(whole))
    assert found == [("ENTRY_COUNT", None)]
    assert codes(whole, counted=9) == [("STRAY_ENTRIES", None)]
    assert codes([*whole, whole[-1]], session_of(whole))[0] == ("DUPLICATE_ID", "e7")


def test_cycles_and_parents_that_come_later() -> None:
    line = stored(_line())
    later = [*line[:3], line[4], line[3], *line[5:]]
    assert codes(later)[0] == ("PARENT_LATER", "e4")
    first, second = line[0].entry, line[1].entry
    assert first is not None
    assert second is not None
    first = replace(first, parent_id="e1")
    circle = [replace(line[0], entry=first, parent_ids=("e1",), children=1), replace(line[1], children=1)]
    circle[0] = replace(circle[0], is_root=False)
    found = codes([circle[0], *line[1:]])
    assert ("CYCLE", "e0") in found


def test_half_a_tool_pair_is_a_warning() -> None:
    line = path_of([question(), tool_use("a"), tool_result("a"), tool_result("b"), answer()])
    (found,) = problems(stored(line))
    assert (found.code, found.entry_id, found.severity) == ("TOOL_RESULT_ALONE", "e3", Severity.WARNING)
    elsewhere = path_of([tool_result("a")], parent=line[0], prefix="x")
    assert ("TOOL_RESULT_ALONE", "x0") in codes(stored([*line, *elsewhere]))


def test_what_a_compaction_keeps_lies_above_it() -> None:
    line = path_of([*turns(3)])
    branch = path_of([note()], parent=line[1], prefix="x")
    for kept, expected in (("e1", []), ("e5", []), ("x0", ["KEPT_ENTRY_OFF_PATH"]), ("zz", ["KEPT_ENTRY_OFF_PATH"])):
        body = Compaction(summary="all", first_kept_entry_id=kept, tokens_before=5)
        entries = [*line, *branch, *path_of([body], parent=line[-1], prefix="c")]
        assert [code for code, _ in codes(stored(entries))] == expected, kept


def test_labels_and_leaf_records_are_about_entries() -> None:
    bodies = [note(), Label(target_id="e0", label="x"), LeafMove(target_id="e9"), LeafMove(target_id=None)]
    (found,) = problems(stored(path_of(bodies)))
    assert (found.code, found.entry_id, found.severity) == ("TARGET_MISSING", "e2", Severity.WARNING)


DONE = SummaryState.DONE


@pytest.mark.parametrize(
    ("index", "summary", "fault"),
    [
        (1, condensed(path_of(turns(1))[1], node="short").summary, False),
        (1, condensed(path_of(turns(1))[1], node="short", anchor="all").summary, False),
        (1, Summary(kind=SummaryKind.NODE, state=SummaryState.PENDING), False),
        (1, Summary(kind=SummaryKind.NODE, state=SummaryState.FAILED, error="no", attempts=5), False),
        (0, condensed(path_of(turns(1))[1], node="short").summary, True),
        (1, Summary(kind=SummaryKind.NODE, state=DONE), True),
        (1, Summary(kind=SummaryKind.ANCHOR, state=DONE, is_anchor=True), True),
        (1, Summary(kind=SummaryKind.ANCHOR, state=DONE, anchor_summary="all"), True),
        (1, Summary(kind=SummaryKind.NODE, node_summary="short"), True),
        (1, Summary(state=DONE, node_summary="short"), True),
        (1, Summary(is_anchor=True), True),
        (1, Summary(kind=SummaryKind.COMPACTION, state=DONE), True),
        (1, Summary(kind=SummaryKind.BRANCH, state=DONE), True),
    ],
)
def test_summaries_are_in_order(index: int, summary: Summary, fault: bool) -> None:
    found = stored(path_of(turns(1)))
    assert codes(_with(index, summary=summary)(found)) == ([("SUMMARY", f"e{index}")] if fault else [])


def test_running_answers_have_their_place_reserved() -> None:
    line = stored(path_of([*turns(1), question()]))
    entry = line[2].entry
    assert entry is not None
    line[2] = replace(line[2], entry=replace(entry, is_node=False))
    session = session_of(line, node_count=2, next_sequence=4)
    assert codes(line, session, running={"later"}, asked={"e2"}) == []
    assert ("NODE_MARK", "e2") in codes(line, session)
