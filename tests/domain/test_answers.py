"""Streams of answers: whatever the pieces they come in, a client can join late and go on."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.answers import (
    Piece,
    RunningAnswer,
    append_piece,
    blocks_of,
    decode_pieces,
    encode_pieces,
    node_of_answer,
    pieces_after,
    pieces_of,
)
from graph_session.domain.content import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from graph_session.domain.nodes import NodeStatus, Question
from tests.domain.strategies import texts
from tests.domain.trees import NOON

_streams = st.lists(st.builds(Piece, texts, st.booleans()), max_size=8)


def _by_character(pieces: list[Piece]) -> list[tuple[str, bool]]:
    return [(character, piece.thinking) for piece in pieces for character in piece.text]


@given(_streams, st.integers(0, 400))
def test_resuming_at_any_point_gives_exactly_the_rest(stream: list[Piece], sequence: int) -> None:
    rest = pieces_after(stream, sequence)
    assert _by_character([piece for _, piece in rest]) == _by_character(stream)[sequence:]
    assert all(piece.text for _, piece in rest)


@given(_streams, st.data())
def test_a_client_that_comes_back_at_each_number_it_was_given_misses_and_repeats_nothing(
    stream: list[Piece], data: st.DataObject
) -> None:
    got: list[Piece] = []
    at = 0
    while rest := pieces_after(stream, at):
        at, piece = rest[0]
        got.append(piece)
        at -= data.draw(st.integers(0, len(piece.text) - 1))
        got[-1] = Piece(piece.text[: len(piece.text) - (rest[0][0] - at)], piece.thinking)
    assert _by_character(got) == _by_character(stream)


@given(_streams)
def test_joined_pieces_are_the_same_stream_and_alternate(stream: list[Piece]) -> None:
    joined: list[Piece] = []
    for piece in stream:
        append_piece(joined, piece.text, piece.thinking)
    assert _by_character(joined) == _by_character(stream)
    assert all(one.thinking != other.thinking for one, other in pairwise(joined))


@given(_streams)
def test_what_was_written_down_is_read_back(stream: list[Piece]) -> None:
    assert decode_pieces(encode_pieces(stream)) == tuple(stream)


@given(_streams)
def test_a_broken_off_answer_is_stored_with_all_its_text(stream: list[Piece]) -> None:
    assert _by_character(pieces_of(blocks_of(stream))) == _by_character(stream)


def test_tool_calls_and_images_are_no_text() -> None:
    blocks = [
        ThinkingBlock("hm"),
        ToolCallBlock("1", "look", {}),
        TextBlock("a"),
        ImageBlock("", "image/png"),
        TextBlock("b"),
    ]
    assert pieces_of(blocks) == [Piece("hm", True), Piece("ab", False)]


def test_a_running_node_shows_its_question_and_the_text_so_far() -> None:
    answer = RunningAnswer(
        id="a",
        session_id="s",
        question_id="q",
        node_above="n",
        owner="process",
        model="echo",
        started=NOON,
        sequence=7,
        partial=(Piece("hm", True), Piece("Be", False)),
    )
    node = node_of_answer(answer, Question(id="q", text="Why?", timestamp=NOON))
    assert (node.node_id, node.parent_node_id, node.entry_id, node.question_id) == ("a", "n", "q", "q")
    assert (node.user_content, node.ai_content) == ("Why?", "Be")
    assert (node.status, node.sequence, node.model) == (NodeStatus.RUNNING, 7, "echo")
