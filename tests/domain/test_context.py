"""What the model is sent for a place in the tree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.content import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, UnknownBlock
from graph_session.domain.context import AssembledContext, assemble, is_boundary
from graph_session.domain.entries import Compaction, Entry, Message, SummaryScope
from graph_session.domain.tokens import script_estimate
from graph_session.domain.turns import Turn, split_turns
from tests.domain.trees import (
    answer,
    branch,
    condensed,
    failed,
    note,
    other_model,
    path_of,
    pending_anchor,
    question,
    tool_result,
    tool_use,
    turns,
)


def _with(path: list[Entry], **summaries: str) -> list[Entry]:
    """The path with summaries of turns: `n3` the node summary of turn 3, `a3` the anchor summary up to it."""
    ends = [index for index, entry in enumerate(path) if entry.ends_turn]
    changed = list(path)
    for name, text in summaries.items():
        index = ends[int(name[1:]) - 1]
        kind = {"node": text} if name[0] == "n" else {"anchor": text}
        changed[index] = condensed(changed[index], **kind)
    return changed


def _shown(context: AssembledContext) -> list[str]:
    """Each message as text, with its source where it is a summary."""
    return [
        message.text
        if not message.text.endswith("</summary>")
        else f"{message.source}: {message.text.splitlines()[-2]}"
        for message in context.messages
    ]


def _assembled(path: list[Entry], keep_raw: int = 3, **options: str) -> AssembledContext:
    return assemble(path, keep_raw=keep_raw, model="echo", **options)


_SIX = path_of(turns(6))
_RAW = {number: [f"q{number}", f"a{number}"] for number in range(1, 7)}
_ALL = [text for turn in _RAW.values() for text in turn]


@pytest.mark.parametrize(
    ("case", "path", "keep_raw", "shown"),
    [
        ("nothing yet", [], 3, []),
        ("no boundary: all raw", _SIX, 3, _ALL),
        (
            "node summaries outside the raw window only, raw where one is missing",
            _with(_SIX, n1="one", n3="three", n4="four"),
            3,
            ["NODE_SUMMARY: one", *_RAW[2], "NODE_SUMMARY: three", *_RAW[4], *_RAW[5], *_RAW[6]],
        ),
        ("an anchor", _with(_SIX, a2="1-2"), 3, ["ANCHOR_SUMMARY: 1-2", *_RAW[3], *_RAW[4], *_RAW[5], *_RAW[6]]),
        (
            "the nearest of two anchors",
            _with(_SIX, a1="1", a3="1-3"),
            3,
            ["ANCHOR_SUMMARY: 1-3", *_RAW[4], *_RAW[5], *_RAW[6]],
        ),
        (
            "an anchor inside the raw window",
            _with(_SIX, a5="1-5"),
            3,
            ["ANCHOR_SUMMARY: 1-5", *_RAW[4], *_RAW[5], *_RAW[6]],
        ),
        ("an anchor at the very end", _with(_SIX, a6="1-6"), 1, ["ANCHOR_SUMMARY: 1-6", *_RAW[6]]),
        ("an anchor at the very end and no raw window", _with(_SIX, a6="1-6"), 0, ["ANCHOR_SUMMARY: 1-6"]),
        (
            "no raw window",
            _with(_SIX, a4="1-4", n5="five", n6="six"),
            0,
            ["ANCHOR_SUMMARY: 1-4", "NODE_SUMMARY: five", "NODE_SUMMARY: six"],
        ),
        ("a raw window beyond the path", _with(_SIX, n1="one"), 50, _ALL),
        ("an anchor whose text is not there yet", [*_SIX[:3], pending_anchor(_SIX[3]), *_SIX[4:]], 3, _ALL),
    ],
)
def test_what_is_condensed_and_what_is_raw(case: str, path: list[Entry], keep_raw: int, shown: list[str]) -> None:
    assert _shown(_assembled(path, keep_raw)) == shown, case


def test_the_question_comes_last_and_the_boundary_is_named() -> None:
    context = _assembled(_with(_SIX, a2="1-2"), question="and now?")
    assert _shown(context)[-1] == "and now?"
    assert context.boundary_id == _SIX[3].id
    assert _assembled(_SIX).boundary_id is None


def test_each_message_says_which_entries_it_stands_for() -> None:
    path = path_of([question(), tool_use("1"), tool_result("1"), answer(), *turns(4)])
    path[3] = condensed(path[3], node="looked it up")
    context = _assembled(path, keep_raw=4)
    assert context.messages[0].entry_ids == ("e0", "e1", "e2", "e3")
    assert context.messages[0].node_id == "e3"
    assert [message.entry_ids for message in context.messages[1:]] == [(entry.id,) for entry in path[4:]]
    assert [message.node_id for message in context.messages[1:3]] == ["e5", "e5"]


def test_a_summary_of_the_history_is_a_boundary_and_older_ones_are_ignored() -> None:
    first = branch("up to q1", SummaryScope.HISTORY)
    second = branch("up to q3", SummaryScope.HISTORY)
    path = path_of([*turns(1), first, *turns(2, first=2), second, *turns(2, first=4)])
    context = _assembled(path, keep_raw=1)
    assert _shown(context) == ["ANCHOR_SUMMARY: up to q3", *_RAW[4], *_RAW[5]]
    assert context.boundary_id == path[7].id
    window = _assembled(path, keep_raw=4)
    assert _shown(window) == ["ANCHOR_SUMMARY: up to q3", *_RAW[2], *_RAW[3], *_RAW[4], *_RAW[5]]


def test_an_older_history_summary_inside_the_raw_window_is_left_out_and_said_so() -> None:
    path = path_of(
        [*turns(1), branch("older", SummaryScope.HISTORY), *turns(1, 2), branch("new", SummaryScope.HISTORY)]
    )
    context = _assembled(path)
    assert _shown(context) == ["ANCHOR_SUMMARY: new", *_RAW[1], *_RAW[2]]
    assert [omitted.entry_id for omitted in context.omitted] == [path[2].id]


def test_a_boundary_below_an_open_question_is_said_once_and_covers_the_question() -> None:
    path = path_of([question("fork me"), branch("before the fork", SummaryScope.HISTORY), note("n"), *turns(2)])
    assert _shown(_assembled(path, keep_raw=2)) == ["ANCHOR_SUMMARY: before the fork", "n", *_RAW[1], *_RAW[2]]
    assert _shown(_assembled(path, keep_raw=9)) == [
        "ANCHOR_SUMMARY: before the fork",
        "fork me",
        "n",
        *_RAW[1],
        *_RAW[2],
    ]


def test_custom_messages_and_summaries_of_other_branches_stay_where_they_stand() -> None:
    path = path_of([note("first"), *turns(1), branch("tried it"), note("second"), other_model(), *turns(1, first=2)])
    context = _assembled(path)
    assert _shown(context) == ["first", *_RAW[1], "BRANCH_SUMMARY: tried it", "second", *_RAW[2]]
    assert [(o.entry_id, o.reason) for o in context.omitted] == [
        (path[5].id, "entries of type model_change are never sent to a model")
    ]
    anchored = [*path[:2], condensed(path[2], anchor="1"), *path[3:]]
    assert _shown(_assembled(anchored, keep_raw=1)) == [
        "ANCHOR_SUMMARY: 1",
        "BRANCH_SUMMARY: tried it",
        "second",
        *_RAW[2],
    ]


def test_an_unanswered_question_stays_in_its_place() -> None:
    path = path_of([question("anybody?"), *turns(1)])
    context = _assembled(path)
    assert _shown(context) == ["anybody?", *_RAW[1]]
    assert context.messages[0].node_id == path[0].id


def test_a_failed_answer_keeps_the_text_that_came_and_is_left_out_when_none_did() -> None:
    path = path_of([question("q1"), failed("half an ans"), question("q2"), failed(), *turns(1, first=3)])
    context = _assembled(path)
    assert _shown(context) == ["q1", "half an ans", "q2", *_RAW[3]]
    assert [(o.entry_id, o.reason) for o in context.omitted] == [(path[3].id, "it has no content")]


def test_half_a_tool_pair_is_left_out_and_said_so() -> None:
    bodies = [question("q1"), tool_use("1", "2", text="let me look"), tool_result("2"), tool_result("3"), answer("a1")]
    path = path_of(bodies)
    context = _assembled(path)
    assert [message.text for message in context.messages] == ["q1", "let me look", "seen", "a1"]
    assert [message.tool_call_id for message in context.messages] == [None, None, "2", None]
    assert [(o.entry_id, o.reason) for o in context.omitted] == [
        (path[1].id, "the call of tool look has no result on this path"),
        (path[3].id, "a tool result whose call is not on this path"),
    ]


def test_a_result_that_says_nothing_goes_with_its_call() -> None:
    silent = replace(tool_result("2"), content=())
    path = path_of([question("q1"), tool_use("1", "2"), tool_result("1", "  "), silent, answer("a1")])
    context = _assembled(path)
    assert [message.entry_ids for message in context.messages] == [(entry.id,) for entry in path]
    assert [message.tool_call_id for message in context.messages] == [None, None, "1", "2", None]
    assert context.omitted == ()


def test_an_agent_that_goes_on_without_a_question_is_read() -> None:
    thinking = ThinkingBlock("hm", "signature")
    call = replace(tool_use("1", text="I look"), content=(thinking, *tool_use("1", text="I look").content))
    path = path_of([*turns(1), note("the build failed"), call, tool_result("1"), answer("fixed"), *turns(1, 2)])
    context = _assembled(path)
    assert [message.text for message in context.messages] == [
        *_RAW[1],
        *("the build failed", "I look", "seen", "fixed"),
        *_RAW[2],
    ]
    assert [message.source.value for message in context.messages[3:5]] == ["RAW", "RAW"]
    assert context.omitted == ()
    # While it goes on, its thinking is sent; half a pair is not.
    assert thinking in _assembled(path[:5]).messages[3].content
    assert thinking not in context.messages[3].content
    half = _assembled([*path[:4], *path_of(turns(1, 2), parent=path[3], prefix="f")])
    assert half.omitted[-1].reason == "the call of tool look has no result on this path"
    above = [condensed(path[1], anchor="1"), *path[2:]]
    assert _shown(_assembled(above, keep_raw=1))[:4] == ["ANCHOR_SUMMARY: 1", "the build failed", "I look", "seen"]


def test_a_question_between_a_call_and_its_result_does_not_part_them() -> None:
    path = path_of([question("go"), tool_use("1", text="I look"), question("hurry"), tool_result("1"), answer("done")])
    context = _assembled(path)
    assert [message.entry_ids for message in context.messages] == [(entry.id,) for entry in path]
    assert context.omitted == ()


def test_a_call_that_was_given_up_does_not_take_the_result_of_a_later_one() -> None:
    path = path_of([question("q1"), tool_use("1", text="I look"), question("q2"), tool_use("1"), tool_result("1")])
    context = _assembled(path)
    assert [message.entry_ids for message in context.messages] == [(entry.id,) for entry in path]
    assert [omitted.entry_id for omitted in context.omitted] == [path[1].id]
    calls = [len([it for it in message.content if isinstance(it, ToolCallBlock)]) for message in context.messages]
    assert calls == [0, 0, 0, 1, 0]


def test_whole_tool_pairs_are_kept_together() -> None:
    path = path_of([question("q1"), tool_use("1", "2"), tool_result("1"), tool_result("2"), answer("a1")])
    context = _assembled(path)
    assert [message.entry_ids for message in context.messages] == [(entry.id,) for entry in path]
    assert context.omitted == ()


def test_thinking_is_sent_back_only_while_its_turn_is_open() -> None:
    thinking = ThinkingBlock("hm", "signature")
    call = tool_use("1", text="looking")
    opened = replace(call, content=(thinking, *call.content))
    path = path_of([question("q1"), opened, tool_result("1"), answer("a1")])
    assert thinking in _assembled(path[:3]).messages[1].content
    assert thinking not in _assembled(path).messages[1].content


def test_an_image_alone_is_content_and_blank_text_is_not() -> None:
    image = replace(question(), content=(ImageBlock("aGk=", "image/png"),))
    blank = replace(question(), content=(TextBlock("  \n"),))
    path = path_of([image, answer("a picture"), blank, answer("a2")])
    context = _assembled(path)
    assert [message.entry_ids for message in context.messages] == [("e0",), ("e1",), ("e3",)]
    assert [omitted.entry_id for omitted in context.omitted] == ["e2"]


def test_what_no_model_gets_is_said_to_be_left_out() -> None:
    unknown = replace(question(), content=(UnknownBlock({"type": "video"}), TextBlock(" ")))
    path = path_of([note(" "), unknown, answer("a1"), note("n")])
    context = _assembled(path)
    assert _shown(context) == ["a1", "n"]
    assert [(it.entry_id, it.reason) for it in context.omitted] == [
        (entry.id, "it has no content") for entry in path[:2]
    ]


def test_token_counts_add_up_and_show_what_was_saved() -> None:
    path = path_of([body for number in range(40) for body in (question(f"q{number} " * 50), answer("a " * 200))])
    path[71] = condensed(path[71], anchor="short")
    context = _assembled(path, system="Be brief.", question="why?")
    system = script_estimate("Be brief.")
    assert context.total_tokens == system + sum(message.tokens for message in context.messages)
    asked = context.messages[-1].tokens
    assert context.full_history_tokens == system + asked + sum(entry.place.tokens for entry in path)
    assert context.total_tokens < context.full_history_tokens / 4
    whole = _assembled(path[:10])
    assert whole.total_tokens == whole.full_history_tokens


def test_the_whole_history_is_what_would_be_sent_without_summaries() -> None:
    thought = replace(answer("a1"), content=(ThinkingBlock("word " * 400, "signature"), TextBlock("a1")))
    path = path_of([question("q1"), thought, *turns(2, first=2)])
    told = branch("tried it")
    marks = [
        branch("all before", SummaryScope.HISTORY),
        Compaction(summary="all", first_kept_entry_id="e0", tokens_before=9),
    ]
    whole = _assembled(path)
    assert whole.total_tokens == whole.full_history_tokens
    for mark in marks:
        marked = path_of([mark], parent=path[-1], prefix="f")
        assert _assembled([*path, *marked]).full_history_tokens == whole.full_history_tokens
    beside = path_of([told], parent=path[-1], prefix="f")
    assert _assembled([*path, *beside]).full_history_tokens > whole.full_history_tokens


@pytest.mark.parametrize(
    ("case", "path", "asked", "marked"),
    [
        ("after the summaries, and before the question", _with(_SIX, a2="1-2", n3="three"), "q", [1, 7]),
        ("after the summaries, and at the end", _with(_SIX, a2="1-2", n3="three"), None, [1, 7]),
        ("no summaries: only before the question", _SIX, "q", [11]),
        ("summaries alone", _with(_SIX, a6="all"), "q", [0, 6]),
        ("a first question has nothing before it", [], "q", []),
        ("nothing at all", [], None, []),
    ],
)
def test_the_cache_is_told_where_the_stable_part_ends(
    case: str, path: list[Entry], asked: str | None, marked: list[int]
) -> None:
    context = assemble(path, keep_raw=3, model="echo", question=asked)
    assert [i for i, message in enumerate(context.messages) if message.cache_breakpoint] == marked, case


_STEPS = st.sampled_from(
    [
        [question("q"), answer("a")],
        [question("q"), tool_use("1"), tool_result("1"), answer("a")],
        [question("q"), failed("h")],
        [note()],
        [other_model()],
        [branch("b")],
        [question("open")],
        [branch("all before", SummaryScope.HISTORY)],
    ]
)


@st.composite
def _paths(draw: st.DrawFn) -> list[Entry]:
    path = path_of(body for step in draw(st.lists(_STEPS, min_size=1, max_size=14)) for body in step)
    for index, entry in enumerate(path):
        if entry.ends_turn:
            kind = draw(st.sampled_from(["", "", "node", "anchor"]))
            path[index] = condensed(entry, **{kind: f"{kind} {index}"}) if kind else entry
    return path


@given(_paths(), st.integers(0, 5), st.data())
def test_what_lies_above_the_boundary_and_the_raw_window_makes_no_difference(
    path: list[Entry], keep_raw: int, data: st.DataObject
) -> None:
    boundary = max((index for index, entry in enumerate(path) if is_boundary(entry)), default=-1)
    parts = [part for part in split_turns(path) if isinstance(part, Turn)]
    window = [path.index(part.entries[0]) for part in parts[len(parts) - min(keep_raw, len(parts)) :]]
    needed = min([max(boundary, 0), *window])
    if boundary < 0:
        return
    cut = data.draw(st.integers(0, needed))
    assert assemble(path[cut:], keep_raw=keep_raw, model="echo") == assemble(path, keep_raw=keep_raw, model="echo")


@given(_paths(), st.integers(0, 5))
def test_every_message_below_the_boundary_is_sent_or_said_to_be_left_out(path: list[Entry], keep_raw: int) -> None:
    context = assemble(path, keep_raw=keep_raw, model="echo")
    accounted = {entry_id for message in context.messages for entry_id in message.entry_ids}
    accounted |= {omitted.entry_id for omitted in context.omitted}
    boundary = max((index for index, entry in enumerate(path) if is_boundary(entry)), default=-1)
    assert {entry.id for entry in path[max(boundary, 0) :]} <= accounted
    raw = [message.entry_ids[0] for message in context.messages if message.source == "RAW"]
    order = [entry.id for entry in path if isinstance(entry.body, Message)]
    assert raw == [entry_id for entry_id in order if entry_id in set(raw)]


def test_a_result_before_its_call_is_left_out_with_it() -> None:
    path = path_of([question("q"), tool_result("1"), tool_use("1", text="look"), answer("a")])
    context = _assembled(path)
    assert _shown(context) == ["q", "look", "a"]
    assert [(it.entry_id, "tool" in it.reason) for it in context.omitted] == [("e1", True), ("e2", True)]


def test_two_calls_of_one_id_with_one_result_leave_one_call_and_say_so() -> None:
    path = path_of([question("q"), tool_use("1"), tool_use("1", text="again"), tool_result("1"), answer("a")])
    context = _assembled(path)
    assert [message.role.value for message in context.messages] == [
        "user",
        "assistant",
        "assistant",
        "toolResult",
        "assistant",
    ]
    calls = [block for message in context.messages for block in message.content if isinstance(block, ToolCallBlock)]
    assert len(calls) == 1
    assert "has no result" in context.omitted[0].reason


def test_calls_of_one_id_that_each_have_their_result_are_all_sent() -> None:
    bodies = [
        question("q"),
        tool_use("1"),
        tool_result("1", "one"),
        tool_use("1"),
        tool_result("1", "two"),
        answer("a"),
    ]
    context = _assembled(path_of(bodies))
    assert len(context.messages) == 6
    assert context.omitted == ()
