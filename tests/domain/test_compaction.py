"""When a context no longer fits, where its path is cut, and which files are remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph_session.domain.compaction import Cut, file_lists, find_cut, is_due, used_tokens
from graph_session.domain.content import TextBlock, ToolCallBlock, Usage
from graph_session.domain.context import AssembledContext, assemble
from graph_session.domain.entries import (
    Body,
    BranchSummary,
    Compaction,
    Entry,
    Message,
    Role,
    StopReason,
    Summary,
    SummaryScope,
)
from graph_session.domain.tokens import script_estimate
from tests.domain.trees import (
    answer,
    branch,
    condensed,
    failed,
    note,
    other_model,
    path_of,
    question,
    tool_result,
    tool_use,
    turns,
)


def words(tokens: int) -> str:
    """A text that makes a message of so many tokens."""
    return "word" * (tokens - 4)


def asked(tokens: int = 10) -> Message:
    return question(words(tokens))


def said(tokens: int = 10, used: Usage | None = None, stop_reason: StopReason = StopReason.STOP) -> Message:
    return replace(answer(words(tokens), stop_reason), usage=used)


def seen(call_id: str, tokens: int = 10) -> Message:
    return tool_result(call_id, words(tokens))


def compaction(first_kept: str, summary: str = "s", **details: list[str]) -> Compaction:
    return Compaction(summary=summary, first_kept_entry_id=first_kept, tokens_before=9, details=details or None)


def context(path: list[Entry], asking: str | None = None) -> AssembledContext:
    return assemble(path, keep_raw=3, model="echo", question=asking)


@pytest.mark.parametrize(
    ("used", "window", "reserve", "due"),
    [(83_616, 100_000, 16_384, False), (83_617, 100_000, 16_384, True), (1, 1_000, 16_384, True), (0, 10, 99, False)],
)
def test_a_context_is_too_large_when_it_leaves_less_than_the_reserve(
    used: int, window: int, reserve: int, due: bool
) -> None:
    assert is_due(used, window, reserve) is due


def test_without_a_usage_the_estimate_counts() -> None:
    path = path_of([asked(), said(), asked(), said()])
    assert used_tokens(path, context(path)) == 40
    assert used_tokens([], context([], words(10))) == 10


def test_the_last_usage_counts_and_what_came_after_it() -> None:
    path = path_of([asked(), said(used=Usage(11, 1)), asked(), said(20, Usage(30, 5, 2, 3)), note(words(7))])
    assert used_tokens(path[:4], context(path[:4])) == 40
    assert used_tokens(path, context(path)) == 47
    assert used_tokens(path, context(path, words(9))) == 56
    assert used_tokens(path[:3], context(path[:3])) == 12 + 10


def test_a_summary_of_another_branch_counts_once_its_text_is_there() -> None:
    path = path_of([asked(), said(used=Usage(11, 1)), branch("", SummaryScope.BRANCH), asked()])
    assert used_tokens(path, context(path)) == 12 + path[2].place.tokens + 10
    path[2] = replace(path[2], summary=Summary(branch_summary=words(7)))
    assert used_tokens(path, context(path)) == 12 + path[2].place.tokens + script_estimate(words(7)) + 10
    # One of the history makes a context smaller, which the estimate says.
    history = path_of([asked(), said(used=Usage(11, 1)), branch("", SummaryScope.HISTORY), asked()])
    history[2] = replace(history[2], summary=Summary(branch_summary=words(7)))
    assert used_tokens(history, context(history)) == 12 + history[2].place.tokens + 10


@pytest.mark.parametrize("reason", [StopReason.ERROR, StopReason.ABORTED, StopReason.INTERRUPTED])
def test_the_usage_of_an_answer_that_failed_says_nothing(reason: StopReason) -> None:
    path = path_of([asked(), said(used=Usage(25, 5)), asked(), said(10, Usage(1, 1), reason)])
    assert used_tokens(path, context(path)) == 30 + 10 + 10


def test_a_usage_from_before_a_compaction_says_nothing() -> None:
    path = path_of([asked(), said(used=Usage(90_000, 5)), asked(), said(), compaction("e2"), asked()])
    assert used_tokens(path, context(path)) == context(path).total_tokens


def test_a_usage_from_before_a_summary_is_bounded_by_the_estimate() -> None:
    path = path_of([asked(), said(), *[body for _ in range(3) for body in (asked(), said(used=Usage(90_000, 1)))]])
    path[1] = condensed(path[1], anchor="short")
    assert used_tokens(path, context(path)) == 2 * context(path).total_tokens


def cut_ids(cut: Cut | None) -> tuple[list[str], str] | None:
    return None if cut is None else ([entry.id for entry in cut.before], cut.first_kept.id)


def ids(first: int, until: int) -> list[str]:
    return [f"e{number}" for number in range(first, until)]


FOUR = [body for _ in range(4) for body in (asked(), said())]
AGENT: list[Body] = [asked(), *(body for n in "abcd" for body in (tool_use(n, text=words(6)), seen(n))), said()]


@pytest.mark.parametrize(
    ("case", "bodies", "keep_recent", "kept"),
    [
        ("as many whole turns as fit", FOUR, 40, 4),
        ("a turn that does not fit whole is not kept", FOUR, 39, 6),
        ("a budget between question and answer cuts below the answer", FOUR, 30, 6),
        ("exactly one turn", FOUR, 20, 6),
        ("all fits: still one turn is summarised", FOUR, 10_000, 2),
        ("the last turn is too long: cut inside it, before its last assistant message", AGENT, 25, 9),
        ("more of it fits", AGENT, 60, 5),
        ("never on a tool result", AGENT, 15, 9),
        ("nothing fits: the last message that may begin", AGENT, 0, 9),
        ("nothing is kept on purpose: no less than the answer", FOUR, 0, 7),
        ("the answer alone is too long, its question is short", [*FOUR, asked(), said(500)], 100, 8),
        ("the question alone is too long", [asked(500), said()], 100, 1),
        ("a huge result stays with its call", [*FOUR, asked(), tool_use("a"), seen("a", 900)], 100, 8),
        (
            "calls at the same time stay together",
            [asked(), said(), asked(), tool_use("a"), tool_use("b"), seen("a"), seen("b", 300)],
            60,
            2,
        ),
        (
            "a question between a call and its result is no place to cut",
            [*FOUR, asked(), tool_use("a"), asked(), seen("a"), said(), asked(), said()],
            45,
            13,
        ),
        (
            "the same call id in every turn",
            [body for _ in range(3) for body in (asked(), tool_use("1"), seen("1"), said())],
            60,
            8,
        ),
        ("what is no message is no place to cut", [*FOUR[:4], note(words(10)), other_model(), *FOUR[4:]], 45, 6),
        ("a failed answer is a message", [*FOUR, asked(), failed(words(10))], 20, 8),
    ],
)
def test_where_a_path_is_cut(case: str, bodies: list[Body], keep_recent: int, kept: int) -> None:
    assert cut_ids(find_cut(path_of(bodies), keep_recent)) == (ids(0, kept), f"e{kept}"), case


@pytest.mark.parametrize(
    ("case", "bodies"),
    [
        ("nothing", []),
        ("a question", [asked()]),
        ("one turn", [asked(), said()]),
        ("one turn whose answer is long", [asked(), said(900)]),
        ("notes only", [note(), note(), other_model()]),
        ("one turn between notes", [asked(), said(), note()]),
    ],
)
def test_nothing_to_cut(case: str, bodies: list[Body]) -> None:
    assert find_cut(path_of(bodies), 50) is None, case


def test_a_cut_says_what_the_boundary_above_says_and_begins_below_it() -> None:
    path = path_of([*FOUR, *FOUR])
    path[3] = condensed(path[3], anchor="up to here")
    cut = find_cut(path, 40)
    assert cut is not None
    assert (cut.previous, cut_ids(cut)) == ("up to here", (ids(4, 12), "e12"))

    history = path_of([*FOUR, branch("before the fork", SummaryScope.HISTORY), *FOUR])
    cut = find_cut(history, 40)
    assert cut is not None
    assert (cut.previous, cut_ids(cut)) == ("before the fork", (ids(9, 13), "e13"))


def test_a_history_summary_is_a_boundary_when_its_text_has_come() -> None:
    path = path_of([*FOUR, branch("", SummaryScope.HISTORY), *FOUR])
    waiting = find_cut(path, 40)
    assert waiting is not None
    assert (waiting.previous, cut_ids(waiting)) == (None, (ids(0, 13), "e13"))
    path[8] = replace(path[8], summary=Summary(branch_summary="it has come"))
    come = find_cut(path, 40)
    assert come is not None
    assert (come.previous, cut_ids(come)) == ("it has come", (ids(9, 13), "e13"))


def test_a_second_compaction_goes_on_from_the_first_and_summarises_what_that_kept() -> None:
    path = path_of([*FOUR, compaction("e4", "first"), *FOUR])
    cut = find_cut(path, 40)
    assert cut is not None
    assert cut.previous == "first"
    assert cut_ids(cut) == ([*ids(4, 8), *ids(9, 13)], "e13")
    third = find_cut([*path, *path_of([compaction("e13", "second"), *turns(2)], parent=path[-1], prefix="f")], 30)
    assert third is not None
    assert (third.previous, third.before[0].id) == ("second", "e13")


def test_a_compaction_that_kept_nothing_or_whose_first_is_gone_is_gone_on_from_below() -> None:
    for first_kept in ("e8", "lost"):
        path = path_of([*FOUR, compaction(first_kept), *FOUR])
        assert cut_ids(find_cut(path, 40)) == (ids(9, 13), "e13")


def test_nothing_lies_between_a_boundary_and_the_end() -> None:
    path = path_of(FOUR)
    path[-1] = condensed(path[-1], anchor="all of it")
    assert find_cut(path, 10) is None
    assert find_cut([*path[:-1], *path_of([compaction("x")], parent=path[-1], prefix="f")], 0) is None


def call(name: str, arguments: dict[str, Any]) -> Message:
    block = ToolCallBlock(f"call {name} {arguments}", name, arguments)
    return Message(role=Role.ASSISTANT, content=(TextBlock("so"), block), stop_reason=StopReason.TOOL_USE)


def test_files_are_those_that_tool_calls_name() -> None:
    path = path_of(
        [
            question("read everything"),
            call("read", {"path": "b.txt"}),
            call("read", {"path": "a.txt"}),
            call("read", {"path": "a.txt", "offset": 3}),
            call("write", {"path": "new.py"}),
            call("edit", {"path": "b.txt"}),
            call("bash", {"path": "not.this", "command": "rm x"}),
            call("read", {"file": "nor.this"}),
            call("edit", {"path": 5}),
        ]
    )
    assert file_lists(path, []) == {"readFiles": ["a.txt"], "modifiedFiles": ["b.txt", "new.py"]}


def test_files_are_carried_over_from_every_earlier_summary() -> None:
    told = BranchSummary(
        from_id="x", summary="s", scope=SummaryScope.BRANCH, details={"readFiles": ["r2"], "modifiedFiles": ["m2"]}
    )
    odd = replace(told, details={"readFiles": "r3", "modifiedFiles": [None, "m3"], "mood": "good"})
    carried = path_of(
        [compaction("x", readFiles=["r1", "m2"]), told, odd, replace(told, details=None), compaction("y")]
    )
    assert file_lists(path_of([call("write", {"path": "r1"})]), carried) == {
        "readFiles": ["r2"],
        "modifiedFiles": ["m2", "m3", "r1"],
    }
    assert file_lists([], []) == {"readFiles": [], "modifiedFiles": []}
