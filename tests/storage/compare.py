"""All that can be read from storages, asked of each of several that should answer the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from graph_session.domain.entries import EntryType
from graph_session.domain.ids import new_id
from graph_session.domain.search import search_of
from graph_session.domain.sessions import Session
from graph_session.domain.state import STATE_TYPES
from graph_session.storage.protocol import SessionStorage
from tests.storage.play import Play

_SEARCHES = ("why", "because", "beca", "let look", "also model", "note", "a", "short", "nowhere")


async def compare(play: Play) -> None:
    """Everything that can be asked. AssertionError where two answers differ."""
    entry_ids = [entry.id for entry in play.entries]
    ids = [*entry_ids, *(running.id for _, running in play.answers), new_id()]
    await play.each(lambda storage: _listed(storage, play.owner), "sessions")
    for method in ("entries", "nodes", "children", "turn_entries", "nodes_with"):
        await play.same(method, ids)
    await play.same("tips", ids, 100)
    await play.same("marks_below", ids)
    await play.same("check_nodes", entry_ids)
    await play.same("revisions", play.sessions)
    await play.each(lambda storage: _counts(storage, play.sessions), "entry_counts")
    for entry_id in ids:
        for method in ("running_answer", "active_path", "nearest_anchor", "path_usage"):
            await play.same(method, entry_id)
        for types in (STATE_TYPES, (EntryType.COMPACTION, EntryType.BRANCH_SUMMARY), tuple(EntryType)):
            await play.same("path_of_types", entry_id, types)
        for limit in (3, 1000):
            await play.same("path_page", entry_id, limit)
    for distance in (0, 1, 2, 5):
        for a, b in zip(ids, islice(ids, distance, None), strict=False):
            await play.same("common_ancestor", a, b)
    for session_id in play.sessions:
        await _compare_session(play, session_id, entry_ids)
    for text in _SEARCHES:
        for where in (None, *play.sessions):
            await play.each(lambda storage, w=where, t=text: _found(storage, play.owner, t, w), f"search {text}")


async def _compare_session(play: Play, session_id: str, entry_ids: Sequence[str]) -> None:
    session = await play.same("session", session_id)
    await play.same("summaries_between", session_id, 0, 1000)
    await play.same("waiting_summaries", session_id)
    for after, until in ((-1, 1000), (1, 5)):
        await play.same("entries_between", session_id, (EntryType.LABEL, EntryType.BRANCH_SUMMARY), after, until)
    for tip_id in (None, *entry_ids):
        await play.same("view", session_id, tip_id=tip_id, request_id="r1")
        await play.same("view_at", session_id, tip_id)
    await play.each(lambda storage: _stored(storage, session_id), "stored_entries")
    if session is None:
        return
    await play.each(lambda storage: _running(storage, session_id), "running")
    await play.same("session_usage", session)
    await _compare_pages(play, session)


async def _compare_pages(play: Play, session: Session) -> None:
    for after in (None, "1", "5"):
        for first in (2, 50):
            await play.same("node_page", session, after, first)
            await play.same("outline_page", session, after, first)


async def _listed(storage: SessionStorage, owner: str) -> object:
    page = await storage.sessions(owner, "TREE", None, 50)
    return sorted(page.items, key=lambda session: session.id)


async def _counts(storage: SessionStorage, sessions: Sequence[str]) -> object:
    """Of the sessions that are compared: others may lie in the same database."""
    counts = await storage.entry_counts()
    return {session_id: counts[session_id] for session_id in sessions if session_id in counts}


async def _stored(storage: SessionStorage, session_id: str) -> object:
    return [found async for found in storage.stored_entries(session_id)]


async def _running(storage: SessionStorage, session_id: str) -> object:
    return sorted(await storage.running(session_id), key=lambda found: found[0].id)


async def _found(storage: SessionStorage, owner: str, text: str, session_id: str | None) -> object:
    """Which are found: what is the best of them each index decides for itself."""
    hits = await storage.search(owner, search_of(text), session_id, 0, 500)
    return sorted(hits, key=lambda hit: hit.entry.id)
