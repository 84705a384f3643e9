"""Answers that run in this process: their text as it comes, for as many readers as there are.

Readers read from the stream's record and not from queues, so a slow reader costs nothing and a late one misses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from graph_session.domain.answers import Piece, append_piece, pieces_after
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.sessions import Session


@dataclass(frozen=True, slots=True)
class Ended:
    """How an answer ended: its node, which says whether well, and the session after it."""

    node: DialogueNode
    session: Session


@dataclass(eq=False)
class LiveAnswer:
    """The stream of one answer. `outcome` is set when it is stored, or has the exception that kept it from being
    stored; `lost`: the answer is not this process's any more, so how it ended is to be read from the storage."""

    id: str
    pieces: list[Piece] = field(default_factory=list)
    length: int = 0
    outcome: asyncio.Future[Ended] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    ended: Ended | None = None
    lost: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, text: str, thinking: bool) -> None:
        """More of the answer has come."""
        append_piece(self.pieces, text, thinking)
        self.length += len(text)
        self._wake()

    def end(self, ended: Ended) -> None:
        """The answer is stored."""
        self.ended = ended
        if not self.outcome.done():
            self.outcome.set_result(ended)
        self._wake()

    def lose(self) -> None:
        """Another process has closed this answer, or will."""
        self.lost = True
        if not self.outcome.done():
            self.outcome.cancel()
        self._wake()

    def trouble(self, error: Exception) -> None:
        """The answer could not be stored (yet): whoever waits for the outcome hears of it, readers go on waiting."""
        if not self.outcome.done():
            self.outcome.set_exception(error)
            # Nobody may be waiting, which is not an error worth a warning.
            self.outcome.exception()

    async def read(self, after: int) -> AsyncIterator[tuple[int, Piece]]:
        """What comes after a sequence number, until the answer has ended."""
        while True:
            changed = self._changed
            for sequence, piece in pieces_after(self.pieces, after):
                after = sequence
                yield sequence, piece
            if after < self.length:
                # More has come while the reader was busy with what it got, the end of the answer perhaps.
                continue
            if self.ended is not None or self.lost:
                return
            await changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class LiveAnswers:
    """The answers that run in this process, by id."""

    def __init__(self) -> None:
        self._answers: dict[str, LiveAnswer] = {}

    def start(self, answer_id: str) -> LiveAnswer:
        """A new stream."""
        live = self._answers[answer_id] = LiveAnswer(answer_id)
        return live

    def get(self, answer_id: str) -> LiveAnswer | None:
        """The stream of an answer that runs here, if it does."""
        return self._answers.get(answer_id)

    def forget(self, answer_id: str) -> None:
        """The answer is over; what is stored says the rest."""
        self._answers.pop(answer_id, None)
