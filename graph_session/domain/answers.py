"""Running answers: what is known of an answer before it is an entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson

from graph_session.domain.content import Block, TextBlock, ThinkingBlock
from graph_session.domain.entries import Summary
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.nodes import DialogueNode, NodeStatus, Question


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer's stream of one kind: text, or thinking."""

    text: str
    thinking: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningAnswer:
    """An answer that a process (`owner`) is working on, with what of it was last written down (`partial`).

    `id` is the id that its entry and so its dialogue node will have.
    """

    id: str
    session_id: str
    question_id: str
    node_above: str | None
    owner: str
    model: str
    started: str
    sequence: int = 0
    partial: tuple[Piece, ...] = ()


def append_piece(pieces: list[Piece], text: str, thinking: bool) -> None:
    """Adds text to a stream, joining it to the last piece if that is of the same kind."""
    if pieces and pieces[-1].thinking == thinking:
        pieces[-1] = Piece(pieces[-1].text + text, thinking)
    else:
        pieces.append(Piece(text, thinking))


def pieces_after(pieces: Sequence[Piece], sequence: int) -> list[tuple[int, Piece]]:
    """What of a stream comes after a sequence number, each piece with the number at its end.

    Sequence numbers count characters of the whole stream, so a client resumes at any point, whatever the pieces were
    that it got them in, and from whichever process.
    """
    rest: list[tuple[int, Piece]] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece.text)
        if end > max(start, sequence):
            rest.append((end, Piece(piece.text[max(0, sequence - start) :], piece.thinking)))
    return rest


def pieces_of(blocks: Iterable[Block]) -> list[Piece]:
    """The stream that gave these blocks."""
    pieces: list[Piece] = []
    for block in blocks:
        match block:
            case TextBlock(text=text) if text:
                append_piece(pieces, text, False)
            case ThinkingBlock(thinking=text) if text:
                append_piece(pieces, text, True)
            case _:
                pass
    return pieces


def blocks_of(pieces: Iterable[Piece]) -> tuple[Block, ...]:
    """What is stored of an answer that did not end well: its text and thinking so far (without a signature)."""
    return tuple(ThinkingBlock(piece.text) if piece.thinking else TextBlock(piece.text) for piece in pieces)


def encode_pieces(pieces: Iterable[Piece]) -> str:
    """Pieces as JSON: a list of [text, thinking]."""
    return orjson.dumps([[piece.text, piece.thinking] for piece in pieces]).decode()


def decode_pieces(text: str) -> tuple[Piece, ...]:
    """Pieces from `encode_pieces`'s form."""
    return tuple(Piece(piece, thinking) for piece, thinking in orjson.loads(text))


def node_of_answer(answer: RunningAnswer, question: Question) -> DialogueNode:
    """The node of an answer that is still running, with what is known of its text."""
    return DialogueNode(
        node_id=answer.id,
        session_id=answer.session_id,
        parent_node_id=answer.node_above,
        user_content=question.text,
        ai_content="".join(piece.text for piece in answer.partial if not piece.thinking),
        created_ms=parse_timestamp(answer.started).timestamp() * 1000,
        sequence=answer.sequence,
        status=NodeStatus.RUNNING,
        entry_id=question.id,
        question_id=question.id,
        summary=Summary(),
        model=answer.model,
    )
