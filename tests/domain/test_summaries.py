"""Summaries: nothing is lost on the way to a model, and texts stay within their budgets."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.content import TextBlock, ToolCallBlock
from graph_session.domain.entries import (
    BranchSummary,
    CustomMessage,
    Entry,
    Label,
    Message,
    Role,
    SummaryKind,
    SummaryScope,
)
from graph_session.domain.summaries import (
    PARAGRAPH,
    TOOL_RESULT_CHARS,
    Line,
    SummaryRequest,
    chunks,
    clip,
    extend,
    lines_of,
    prompt,
    split_overflow,
)
from graph_session.domain.tokens import script_estimate
from graph_session.domain.turns import write_under

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200) | st.text("ab 字。🙂.\n؟", max_size=200)
lines = st.lists(st.builds(Line, st.sampled_from(["user", "assistant"]), texts), max_size=8)
budgets = st.integers(2, 60)


def entries(*bodies: Message | CustomMessage | BranchSummary | Label) -> list[Entry]:
    path: list[Entry] = []
    for number, body in enumerate(bodies):
        parent = path[-1] if path else None
        path.append(write_under(parent, id=f"e{number}", session_id="s", timestamp="2026-01-01T00:00:00Z", body=body))
    return path


@given(lines, budgets)
def test_chunks_hold_every_line_in_order_and_keep_the_limit(all_lines: list[Line], limit: int) -> None:
    groups = list(chunks(all_lines, limit))
    for role in ("user", "assistant"):
        before = "".join(line.text for line in all_lines if line.role == role)
        assert "".join(line.text for group in groups for line in group if line.role == role) == before
    assert all(groups)
    assert all(sum(script_estimate(line.text) for line in group) <= limit for group in groups)


def test_a_line_of_mixed_scripts_is_split_by_what_its_parts_take() -> None:
    line = Line("user", "a" * 5000 + "🙂" * 200)
    groups = list(chunks([line], 100))
    assert "".join(piece.text for group in groups for piece in group) == line.text
    assert max(script_estimate(piece.text) for group in groups for piece in group) <= 100


def test_short_lines_share_a_chunk() -> None:
    assert list(chunks([Line("user", "abcd")] * 5, 2)) == [(Line("user", "abcd"),) * 2] * 2 + [(Line("user", "abcd"),)]


@given(texts, budgets)
def test_a_clipped_text_is_a_beginning_within_the_budget(text: str, budget: int) -> None:
    clipped = clip(text, budget)
    assert script_estimate(clipped) <= budget
    assert text.strip().startswith(clipped)
    assert clipped == text.strip() or script_estimate(text.strip()) > budget


@pytest.mark.parametrize(
    ("text", "budget", "clipped"),
    [
        ("One is first. Two is second. Three is third.", 9, "One is first. Two is second."),
        ("第一句很短。第二句也很短。第三句也许长了一点。", 10, "第一句很短。"),
        ("ما هذا الشيء؟ وما ذاك الشيء؟ لا أدري ما هو", 10, "ما هذا الشيء؟"),
        ("यह एक है। यह दो है। यह तीन है। यह चार है।", 12, "यह एक है। यह दो है।"),
        ("no sentence ends here at all whatever", 9, "no sentence ends here at all"),
        ("字字字字字字字字字字字字字字字", 10, "字字字字字字字字字"),
    ],
)
def test_a_text_is_clipped_at_the_end_of_a_sentence(text: str, budget: int, clipped: str) -> None:
    assert clip(text, budget) == clipped


@given(st.none() | texts, texts)
def test_extending_keeps_what_was_there(previous: str | None, addition: str) -> None:
    extended = extend(previous, addition)
    assert extended.startswith(previous or "")
    assert extended.endswith(addition)


paragraphs = st.lists(st.text("ab 字.", min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=8)


@given(paragraphs, st.integers(2, 80))
def test_of_an_overflow_the_newest_paragraphs_stay_as_they_are(parts: list[str], budget: int) -> None:
    text = PARAGRAPH.join(parts)
    split = split_overflow(text, budget)
    if split is None:
        assert script_estimate(text) <= budget
        return
    assert script_estimate(text) > budget
    old, new = split
    assert old
    assert text == (f"{old}{PARAGRAPH}{new}" if new else old)
    assert script_estimate(new) <= budget // 2


@given(paragraphs, st.integers(10, 80), st.text("ab字", min_size=1, max_size=400))
def test_an_anchor_never_grows_beyond_its_budget(parts: list[str], budget: int, condensed: str) -> None:
    anchor: str | None = None
    for part in parts:
        anchor = extend(anchor, part)
        split = split_overflow(anchor, budget)
        if split is not None:
            _, new = split
            shorter = clip(condensed, budget // 2 - 1) or condensed[0]
            anchor = extend(shorter, new) if new else shorter
            assert anchor.endswith(new)
            assert script_estimate(anchor) <= budget


@given(lines, st.none() | texts.filter(bool))
def test_nothing_that_is_quoted_can_end_the_quotation(all_lines: list[Line], before: str | None) -> None:
    request = SummaryRequest(kind=SummaryKind.ANCHOR, lines=tuple(all_lines), budget_tokens=100, before=before)
    plain = SummaryRequest(kind=SummaryKind.ANCHOR, lines=(), budget_tokens=100)
    system, question = prompt(request)
    assert system == prompt(plain)[0]
    head, _, quoted = question.rpartition("The conversation to condense:\n")
    sent = [orjson.loads(line) for line in quoted.split("\n")] if quoted else []
    assert [Line(line["role"], line["text"]) for line in sent] == all_lines
    assert not before or orjson.loads(head.rstrip("\n").split("\n")[1]) == before


def test_the_prompt_says_how_long_and_in_which_language() -> None:
    system, _ = prompt(SummaryRequest(kind=SummaryKind.NODE, lines=(), budget_tokens=200))
    assert "at most 120 words" in system
    assert "language of the conversation" in system


def test_lines_say_what_a_model_would_have_read() -> None:
    tool = ToolCallBlock("c1", "read", {"path": "a.py"})
    path = entries(
        Message(role=Role.USER, content=(TextBlock("q"),)),
        Message(role=Role.ASSISTANT, content=(TextBlock("look"), tool)),
        Message(role=Role.TOOL_RESULT, content=(TextBlock("x" * 3000),), tool_call_id="c1"),
        Label(target_id="e0", label="here"),
        Message(role=Role.ASSISTANT, content=(TextBlock(" "),)),
        CustomMessage(custom_type="t", content=(TextBlock("note"),)),
        BranchSummary(from_id="e0", summary="elsewhere", scope=SummaryScope.BRANCH),
    )
    assert list(lines_of(path)) == [
        Line("user", "q"),
        Line("assistant", 'look\n[calls read {"path":"a.py"}]'),
        Line("tool", "x" * TOOL_RESULT_CHARS),
        Line("note", "note"),
        Line("summary", "elsewhere"),
    ]
