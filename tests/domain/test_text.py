"""What text may be stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.errors import InvalidInput
from graph_session.domain.text import check_text, storable


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1).filter(str.strip))
def test_anything_a_person_can_write_is_taken_as_it_is(text: str) -> None:
    assert check_text(text, "question", max_chars=10_000) == text
    assert storable(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "question is empty"),
        (" \n\t", "question is empty"),
        ("x" * 11, "question has 11 characters; the limit here is 10"),
        ("ab\x00c", "NUL character at position 2"),
        ("ab\ud83d", "half a surrogate pair at position 2"),
        ("\udcff", "half a surrogate pair at position 0"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        check_text(text, "question", max_chars=10)
    assert caught.value.field == "question"
    assert caught.value.extensions == {"code": "INVALID_INPUT", "field": "question"}


def test_an_optional_text_may_be_empty() -> None:
    assert check_text("", "label", max_chars=10, required=False) == ""


def test_a_limit_counts_characters_and_not_bytes() -> None:
    assert check_text("🌳" * 10, "question", max_chars=10) == "🌳" * 10


@given(st.text(st.characters(), max_size=30))
def test_whatever_a_model_sends_can_be_stored(text: str) -> None:
    stored = storable(text)
    stored.encode()
    assert "\x00" not in stored
    assert storable(stored) == stored


def test_only_the_broken_characters_are_replaced() -> None:
    assert storable("a\x00b\ud83dc🌳") == "a\ufffdb\ufffdc🌳"
    assert storable("\ud83c\udf33") == "🌳", "two halves that a stream cut apart are one character again"
