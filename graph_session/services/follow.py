"""Following: an answer as it comes, and summaries as they land, from whichever process they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from graph_session.domain.answers import Piece, pieces_after
from graph_session.domain.entries import Entry, SummaryKind
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.nodes import DialogueNode, NodeStatus
from graph_session.domain.principal import Principal
from graph_session.services.access import owned_node, owned_session
from graph_session.services.feed import ChangeFeed
from graph_session.services.live import LiveAnswers
from graph_session.services.runner import stream_of
from graph_session.storage.protocol import SessionStorage

_POLL_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """More of an answer; `sequence` is the number to resume after."""

    sequence: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """The answer has ended, as its node says."""

    sequence: int
    node: DialogueNode


@dataclass(frozen=True, slots=True)
class SummaryLanded:
    """A summary has ended, well or not, at this revision of the session."""

    revision: int
    kind: SummaryKind
    node: DialogueNode


class FollowService:
    """Every method raises NotFound for what is not the caller's."""

    def __init__(self, storage: SessionStorage, live: LiveAnswers, feed: ChangeFeed) -> None:
        self._storage = storage
        self._live = live
        self._feed = feed

    async def answer(self, who: Principal, node_id: str, after: int) -> AsyncGenerator[AnswerPiece | AnswerEnd, None]:
        """An answer from after a sequence number (0: its beginning) to its end, whether it runs or has ended.

        Raises InvalidInput for a question that nothing is answering.
        """
        node, _ = await owned_node(self._storage, who, node_id)
        while node.status is NodeStatus.RUNNING:
            live = self._live.get(node_id)
            if live is not None:
                async for sequence, piece in live.read(after):
                    after = sequence
                    yield AnswerPiece(sequence, piece)
                if live.ended is not None:
                    yield AnswerEnd(live.length + 1, live.ended.node)
                    return
            else:
                running = await self._storage.running_answer(node_id)
                for sequence, piece in pieces_after(running.partial if running else (), after):
                    after = sequence
                    yield AnswerPiece(sequence, piece)
                await asyncio.sleep(_POLL_SECONDS)
            found = (await self._storage.nodes([node_id])).get(node_id)
            if found is None:
                raise NotFound("node", node_id)
            node = found
        if node.status is NodeStatus.UNANSWERED:
            raise InvalidInput("Nothing is answering this question; regenerate it to have it answered.", "nodeId")
        pieces = stream_of(await self._entry(node.entry_id))
        for sequence, piece in pieces_after(pieces, after):
            yield AnswerPiece(sequence, piece)
        yield AnswerEnd(sum(len(piece.text) for piece in pieces) + 1, node)

    async def summaries(
        self, who: Principal, session_id: str, after: int | None
    ) -> AsyncGenerator[SummaryLanded, None]:
        """Summaries of a session as they end, from after a revision (None: from now on)."""
        session = await owned_session(self._storage, who, session_id)
        seen = session.revision if after is None else after
        async for revision in self._feed.watch(session_id, seen):
            events = await self._storage.summaries_between(session_id, seen, revision)
            nodes = await self._storage.nodes([event.entry_id for event in events]) if events else {}
            for event in events:
                if event.entry_id in nodes:
                    yield SummaryLanded(event.revision, event.kind, nodes[event.entry_id])
            seen = revision

    async def _entry(self, entry_id: str) -> Entry:
        entry = (await self._storage.entries([entry_id])).get(entry_id)
        if entry is None:
            raise NotFound("entry", entry_id)
        return entry
