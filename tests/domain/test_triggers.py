"""When turns become due for a summary."""

from __future__ import annotations

import pytest

from graph_session.domain.entries import Entry, SummaryScope
from graph_session.domain.triggers import Marks, marks_after
from tests.domain.trees import answer, branch, condensed, failed, path_of, pending_anchor, question, turns


def _turn_ids(path: list[Entry]) -> dict[int, str]:
    """The node id of turn 1, 2 …"""
    return dict(enumerate((entry.id for entry in path if entry.ends_turn), 1))


def test_a_line_of_fourteen_turns_with_the_defaults() -> None:
    path = path_of(turns(14))
    node = _turn_ids(path)
    for last in range(1, 15):
        upto = path[: 2 * last]
        marks = marks_after(upto, linear_threshold=12, keep_raw=3)
        if last <= 3:
            assert marks == Marks(None, ()), f"turn {last} left nothing outside the raw window"
        elif last < 12:
            assert marks == Marks(None, (node[last - 3],)), f"after turn {last} one more turn has left the raw window"
        elif last == 12:
            assert marks == Marks(node[9], ())
        else:
            assert marks == Marks(None, (node[last - 3],)), "the anchor counts while its text is still being written"
        for number, node_id in node.items():
            index = next(i for i, entry in enumerate(path) if entry.id == node_id)
            if node_id == marks.anchor:
                path[index] = pending_anchor(path[index])
            elif node_id in marks.turns:
                path[index] = condensed(path[index], node=f"summary {number}")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_turns_inside_the_raw_window_need_no_summary(count: int) -> None:
    assert marks_after(path_of(turns(count)), linear_threshold=12, keep_raw=3) == Marks(None, ())


def test_turns_that_were_never_marked_are_caught_up_with() -> None:
    path = path_of(turns(6))
    node = _turn_ids(path)
    path[3] = condensed(path[3], node="done before")
    assert marks_after(path, linear_threshold=12, keep_raw=3) == Marks(None, (node[1], node[3]))


@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_threshold_below_the_raw_window_waits_for_a_turn_outside_it(last: int) -> None:
    assert marks_after(path_of(turns(last)), linear_threshold=1, keep_raw=3).anchor is None


def test_a_threshold_below_the_raw_window_then_anchors_each_turn_that_leaves_it() -> None:
    path = path_of(turns(4))
    assert marks_after(path, linear_threshold=1, keep_raw=3) == Marks(_turn_ids(path)[1], ())


def test_without_a_raw_window_the_newest_turn_itself_becomes_the_anchor() -> None:
    path = path_of(turns(12))
    assert marks_after(path, linear_threshold=12, keep_raw=0).anchor == path[-1].id


def test_the_next_anchor_counts_from_the_last_one() -> None:
    path = path_of(turns(21))
    node = _turn_ids(path)
    path[17] = condensed(path[17], anchor="turns 1 to 9")
    assert marks_after(path[:40], linear_threshold=12, keep_raw=3).anchor is None
    assert marks_after(path, linear_threshold=12, keep_raw=3).anchor == node[18]


def test_a_summary_of_the_history_counts_like_an_anchor() -> None:
    path = path_of([*turns(11), branch("all before", SummaryScope.HISTORY), *turns(11, first=12)])
    assert marks_after(path, linear_threshold=12, keep_raw=3).anchor is None


def test_a_failed_turn_is_neither_an_anchor_nor_summarised() -> None:
    path = path_of([*turns(8), question("q9"), failed("half an"), *turns(3, first=10)])
    node = _turn_ids(path)
    marks = marks_after(path, linear_threshold=12, keep_raw=3)
    assert marks.anchor == node[8]
    assert node[9] not in marks.turns
    assert marks_after(path[:-2], linear_threshold=12, keep_raw=2).anchor is None


def test_an_unanswered_question_is_never_marked() -> None:
    path = path_of([question("nobody answers"), question("q2"), answer("a2"), *turns(4, first=3)])
    marks = marks_after(path, linear_threshold=12, keep_raw=3)
    assert marks == Marks(None, ("e2", "e4"))


def test_no_finished_turn_outside_the_window_means_no_anchor() -> None:
    bodies = [body for _ in range(10) for body in (question(), failed())]
    assert marks_after(path_of([*bodies, *turns(3)]), linear_threshold=12, keep_raw=3) == Marks(None, ())
