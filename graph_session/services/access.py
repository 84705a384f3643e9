"""Whose sessions are whose, and where nothing may be written. What belongs to somebody else does not exist for the
caller."""

from __future__ import annotations

from collections.abc import Mapping

from graph_session.domain.entries import Entry
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.domain.turns import open_calls
from graph_session.storage.protocol import SessionStorage

# Entries that are looked through for tool calls without results; those of longer turns are not.
_TURN = 200


async def owned_session(storage: SessionStorage, who: Principal, session_id: str) -> Session:
    """The session, if it is the caller's. Raises NotFound."""
    session = await storage.session(session_id)
    if session is None or session.owner != who.owner:
        raise NotFound("session", session_id)
    return session


async def owned_entry(storage: SessionStorage, who: Principal, entry_id: str) -> tuple[Entry, Session]:
    """The entry and its session, if they are the caller's. Raises NotFound."""
    entry = (await storage.entries([entry_id])).get(entry_id)
    session = await storage.session(entry.session_id) if entry else None
    if entry is None or session is None or session.owner != who.owner:
        raise NotFound("entry", entry_id)
    return entry, session


async def owned_node(storage: SessionStorage, who: Principal, node_id: str) -> tuple[DialogueNode, Session]:
    """The dialogue node and its session, if they are the caller's. Raises NotFound."""
    node = (await storage.nodes([node_id])).get(node_id)
    session = await storage.session(node.session_id) if node else None
    if node is None or session is None or session.owner != who.owner:
        raise NotFound("node", node_id)
    return node, session


async def is_answering(storage: SessionStorage, session: Session) -> bool:
    """Whether an answer runs for a question at the leaf: what is appended below that question is not above the
    answer."""
    if session.leaf_id is None:
        return False
    return any(answer.question_id == session.leaf_id for answer, _ in await storage.running(session.id))


async def refuse_while_answering(storage: SessionStorage, session: Session) -> None:
    """Raises InvalidInput while an answer runs for a question at the leaf."""
    if await is_answering(storage, session):
        raise InvalidInput("An answer is running at the leaf: wait for it or cancel it.", "sessionId")


async def has_open_call(storage: SessionStorage, at: str | None, new: Mapping[str, Entry] | None = None) -> bool:
    """Whether a path ends between a tool's call and its result. `new`: entries that are to be written, by id."""
    path: list[Entry] = []
    while new and at in new:
        path.append(new[at or ""])
        at = path[-1].parent_id
    if at is not None:
        path += await storage.path_page(at, _TURN)
    return bool(open_calls(path[::-1]))


async def refuse_inside_pair(storage: SessionStorage, at: Entry, field: str = "entryId") -> None:
    """Raises InvalidInput for a place between a tool call and its result."""
    if at.ends_turn or at.is_question:
        return
    # Also between turns: an agent may go on without a question.
    if await has_open_call(storage, at.id):
        raise InvalidInput(
            "A fork here would part a tool call from its result. Fork before the assistant message that called the "
            "tool, or at the last of its results.",
            field,
        )
