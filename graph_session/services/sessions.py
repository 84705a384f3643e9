"""Sessions: make, change, find, delete; move the leaf, fork."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from graph_session.domain.entries import Entry, Message, Role
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session, SessionConfig, changed_config
from graph_session.domain.text import check_text
from graph_session.services.access import owned_session
from graph_session.services.feed import ChangeFeed
from graph_session.storage.protocol import ExpectedLeaf, Page, SessionStorage

_MAX_NAME = 500
_MAX_MODEL = 200
_MAX_SYSTEM_PROMPT = 200_000


class ForkPosition(StrEnum):
    BEFORE = "BEFORE"
    AT = "AT"


@dataclass(frozen=True, slots=True)
class Forked:
    """Where a fork leaves the user: the session with its leaf, and the question's text to edit."""

    session: Session
    edit_text: str | None


class SessionService:
    """Every method raises NotFound for what is not the caller's."""

    def __init__(self, storage: SessionStorage, feed: ChangeFeed) -> None:
        self._storage = storage
        self._feed = feed

    async def create(
        self,
        who: Principal,
        *,
        name: str | None = None,
        system_prompt: str | None = None,
        model: str | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> Session:
        """A new, empty session of the caller's. Raises InvalidInput."""
        now = timestamp_now()
        texts = _checked_texts({"name": name, "system_prompt": system_prompt, "model": model})
        session = Session(
            id=new_id(),
            owner=who.owner,
            created_at=now,
            updated_at=now,
            config=changed_config(SessionConfig(), dict(config or {})),
            **texts,
        )
        return await self._storage.create_session(session)

    async def update(
        self,
        who: Principal,
        session_id: str,
        texts: Mapping[str, str | None],
        config: Mapping[str, Any] | None = None,
    ) -> Session:
        """Change what is given of name, system_prompt and model (None or empty clears) and of the config. Raises
        InvalidInput."""
        session = await owned_session(self._storage, who, session_id)
        changes: dict[str, object] = dict(_checked_texts(texts))
        changes |= asdict(changed_config(session.config, dict(config or {}))) if config else {}
        if not changes:
            return session
        changed = await self._storage.update_session(session_id, changes)
        if changed is None:
            raise NotFound("session", session_id)
        self._feed.nudge(session_id)
        return changed

    async def delete(self, who: Principal, session_id: str) -> str:
        """Delete a session with all its entries; its id."""
        await owned_session(self._storage, who, session_id)
        if not await self._storage.delete_session(session_id):
            raise NotFound("session", session_id)
        self._feed.nudge(session_id)
        return session_id

    async def get(self, who: Principal, session_id: str) -> Session:
        """One session."""
        return await owned_session(self._storage, who, session_id)

    async def list(self, who: Principal, query: str, after: str | None, first: int) -> Page[Session]:
        """The caller's sessions whose names contain the query, the one used last first."""
        return await self._storage.sessions(who.owner, query, after, first)

    async def move_leaf(
        self, who: Principal, session_id: str, entry_id: str | None, expected_leaf: ExpectedLeaf
    ) -> Session:
        """Move the leaf to an entry, or (None) before the root. Raises LeafConflict."""
        await owned_session(self._storage, who, session_id)
        session = await self._storage.move_leaf(session_id, entry_id, expected_leaf)
        self._feed.nudge(session_id)
        return session

    async def fork(
        self,
        who: Principal,
        session_id: str,
        entry_id: str,
        position: ForkPosition,
        expected_leaf: ExpectedLeaf,
    ) -> Forked:
        """Stand AT an entry, or BEFORE it; before a user message its text is handed back for editing.

        Nothing is copied. Raises LeafConflict, and InvalidInput for a place between a tool call and its result.
        """
        await owned_session(self._storage, who, session_id)
        entry = (await self._storage.entries([entry_id])).get(entry_id)
        if entry is None or entry.session_id != session_id:
            raise NotFound("entry", entry_id)
        target, edit_text = (entry.id, None) if position is ForkPosition.AT else _before(entry)
        session = await self._storage.move_leaf(session_id, target, expected_leaf)
        self._feed.nudge(session_id)
        return Forked(session, edit_text)


def _before(entry: Entry) -> tuple[str | None, str | None]:
    """Where the leaf goes for a fork before an entry, and the text to edit."""
    if isinstance(entry.body, Message) and entry.body.role is Role.TOOL_RESULT:
        raise InvalidInput(
            "This is a tool's result: a fork before it would part it from its call. Fork before the assistant message "
            "that called the tool.",
            "entryId",
        )
    return entry.parent_id, entry.body.text if isinstance(entry.body, Message) and entry.is_question else None


def _checked_texts(texts: Mapping[str, str | None]) -> dict[str, Any]:
    limits = {"name": _MAX_NAME, "system_prompt": _MAX_SYSTEM_PROMPT, "model": _MAX_MODEL}
    return {
        field: check_text(text, field, max_chars=limits[field], required=False) if text else None
        for field, text in texts.items()
    }
