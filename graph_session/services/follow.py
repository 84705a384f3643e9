"""Following: an answer as it comes, summaries as they land, changes of a session, from whichever process they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph_session.domain.answers import Piece, pieces_after
from graph_session.domain.entries import Entry, EntryType, Label, SummaryKind
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.nodes import DialogueNode, NodeStatus
from graph_session.domain.outline import MARK_TYPES
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.services.access import owned_node, owned_session
from graph_session.services.feed import ChangeFeed
from graph_session.services.live import LiveAnswers
from graph_session.services.runner import stream_of
from graph_session.services.tree import MAX_NODES
from graph_session.storage.protocol import SessionStorage

_POLL_SECONDS = 0.25
_MAX_NEW_ENTRIES = 5000
# What is no node itself, and shows at one that is older.
_TELLING = (EntryType.LABEL, *MARK_TYPES)


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
    entry: Entry
    node: DialogueNode | None


class ChangeKind(StrEnum):
    """What a change of a session was, the first of these that fits: a change may be several at once."""

    ENTRIES = "ENTRIES"
    SUMMARY = "SUMMARY"
    LEAF = "LEAF"
    SESSION = "SESSION"
    CHANGED = "CHANGED"


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session after one or several changes, and the nodes that are new or are drawn another way since."""

    kind: ChangeKind
    node_ids: list[str]
    session: Session


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a follower knows of a session, to compare with."""

    session: Session
    running: frozenset[str]
    waiting: frozenset[tuple[str, SummaryKind]]


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
            ids = [event.entry_id for event in events]
            entries = await self._storage.entries(ids) if events else {}
            nodes = await self._storage.nodes(ids) if events else {}
            for event in events:
                if event.entry_id in entries:
                    entry = entries[event.entry_id]
                    yield SummaryLanded(event.revision, event.kind, entry, nodes.get(event.entry_id))
            seen = revision

    async def changes(self, who: Principal, session_id: str, after: int | None) -> AsyncGenerator[SessionChanged, None]:
        """Changes of a session, from after a revision (None: from now on); those that come fast are told as one.

        What was changed before this was called is CHANGED, since only its revision is stored, and its summaries; so is
        what concerns more than MAX_NODES nodes.
        """
        session = await owned_session(self._storage, who, session_id)
        revision = session.revision if after is None else after
        seen = await self._seen(session) if revision >= session.revision else None
        # What changed while that was read would be missed.
        if (await owned_session(self._storage, who, session_id)).revision > session.revision:
            seen = None
        async for changed in self._feed.watch(session_id, revision):
            if changed <= revision:
                continue
            now = await self._storage.session(session_id)
            if now is None:
                return
            # Up to what is told, so that a client that resumes after it has missed nothing.
            until = max(changed, now.revision)
            summarised = [it.entry_id for it in await self._storage.summaries_between(session_id, revision, until)]
            latest = await self._seen(now)
            nodes = None if seen is None else await self._changed_nodes(seen, latest)
            told = list(dict.fromkeys([*(nodes or []), *summarised]))
            if seen is None or nodes is None or len(told) > MAX_NODES:
                kind = ChangeKind.CHANGED
            else:
                kind = _kind(seen.session, now, bool(told))
            yield SessionChanged(kind, told[:MAX_NODES], now)
            revision, seen = until, latest

    async def _seen(self, session: Session) -> _Seen:
        running = await self._storage.running(session.id)
        waiting = await self._storage.waiting_summaries(session.id)
        return _Seen(session, frozenset(answer.id for answer, _ in running), frozenset(waiting.items()))

    async def _changed_nodes(self, seen: _Seen, now: _Seen) -> list[str] | None:
        """The nodes that look another way since, or are new; None: more than can be told, or what stands above all."""
        after, until = seen.session.next_sequence - 1, now.session.next_sequence - 1
        if until - after > _MAX_NEW_ENTRIES:
            return None
        found: list[str | None] = []
        if until > after:
            page = await self._storage.node_page(now.session, str(after), MAX_NODES)
            written = await self._storage.entries_between(now.session.id, _TELLING, after, until)
            if page.has_next:
                return None
            found += [node.node_id for node in page.items]
            found += await self._turned(page.items, after)
            found += [it.body.target_id if isinstance(it.body, Label) else it.place.node_above for it in written]
        found += sorted(seen.running - now.running)
        found += sorted(entry_id for entry_id, _ in now.waiting - seen.waiting)
        told = [node_id for node_id in dict.fromkeys(found) if node_id is not None]
        return None if None in found or len(told) > MAX_NODES else told

    async def _turned(self, new: Sequence[DialogueNode], after: int) -> list[str]:
        """The older questions that new nodes have made nodes, by following them unanswered, or have made none any more,
        by answering them."""
        above = {node_id for node in new for node_id in (node.question_id, node.parent_node_id) if node_id is not None}
        entries = await self._storage.entries(sorted(above)) if above else {}
        return [entry.id for entry in entries.values() if entry.is_question and entry.sequence <= after]

    async def _entry(self, entry_id: str) -> Entry:
        entry = (await self._storage.entries([entry_id])).get(entry_id)
        if entry is None:
            raise NotFound("entry", entry_id)
        return entry


def _kind(before: Session, now: Session, summarised: bool) -> ChangeKind:
    if (now.next_sequence, now.entry_count) != (before.next_sequence, before.entry_count):
        return ChangeKind.ENTRIES
    if summarised:
        return ChangeKind.SUMMARY
    if now.leaf_id != before.leaf_id:
        return ChangeKind.LEAF
    told = ("name", "system_prompt", "model", "config")
    if any(getattr(now, field) != getattr(before, field) for field in told):
        return ChangeKind.SESSION
    return ChangeKind.CHANGED
