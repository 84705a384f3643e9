"""The token estimator: what holds for every text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.content import Block, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, UnknownBlock
from graph_session.domain.tokens import IMAGE_TOKENS, MESSAGE_OVERHEAD, block_tokens, message_tokens, script_estimate

texts = st.text(max_size=80) | st.text("abc 你好🙂дя\n", max_size=80)


@given(texts)
def test_an_estimate_is_never_negative_and_zero_only_for_nothing(text: str) -> None:
    assert (script_estimate(text) > 0) == bool(text)


@given(texts, texts)
def test_more_text_never_takes_fewer_tokens(text: str, more: str) -> None:
    assert script_estimate(text + more) >= script_estimate(text)


@given(st.lists(texts, max_size=6))
def test_parts_add_up_within_one_token_each(parts: list[str]) -> None:
    whole, summed = script_estimate("".join(parts)), sum(map(script_estimate, parts))
    assert whole <= summed <= whole + len(parts)


@given(texts)
def test_the_order_of_characters_does_not_matter(text: str) -> None:
    assert script_estimate(text[::-1]) == script_estimate(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four" * 10, 10),
        ("你好世界", 4),
        ("こんにちは", 5),
        ("안녕하세요", 5),
        ("привет", 3),
        ("🙂🙂", 4),
        ("你好 hi", 3),
        ("𠀀", 1),
    ],
)
def test_what_scripts_take(text: str, tokens: int) -> None:
    assert script_estimate(text) == tokens


def test_a_chinese_text_takes_more_than_latin_of_the_same_length() -> None:
    assert script_estimate("树" * 100) == 4 * script_estimate("t" * 100)


@pytest.mark.parametrize(
    ("block", "tokens"),
    [
        (TextBlock("four" * 3), 3),
        (ThinkingBlock("four" * 2, "signature"), 2),
        (ImageBlock("a" * 9000, "image/png"), IMAGE_TOKENS),
        (UnknownBlock({"type": "new", "text": "long" * 100}), 0),
    ],
)
def test_what_blocks_take(block: Block, tokens: int) -> None:
    assert block_tokens(block) == tokens
    assert message_tokens([block]) == tokens + MESSAGE_OVERHEAD


def test_a_tool_call_takes_its_name_and_its_arguments() -> None:
    small, large = (block_tokens(ToolCallBlock("id", "read", {"path": "a" * size})) for size in (4, 400))
    assert 0 < small < large
    assert large - small == 99
