"""Sessions: make, change, find, delete; move the leaf, fork."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from graph_session.domain.entries import Entry, Label, LeafMove, Message, SummaryScope
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session, SessionConfig, changed_config
from graph_session.domain.text import camel_case, check_text
from graph_session.services.access import owned_session, refuse_inside_pair
from graph_session.services.changes import MAX_LABEL
from graph_session.services.write import pending_summary, written
from graph_session.storage.protocol import Anywhere, ExpectedLeaf, Page, SessionStorage

_MOVE_ATTEMPTS = 10
_MAX_NAME = 500
_MAX_MODEL = 200
_MAX_SYSTEM_PROMPT = 200_000


class ForkPosition(StrEnum):
    BEFORE = "BEFORE"
    AT = "AT"


@dataclass(frozen=True, slots=True)
class Forked:
    """Where a fork leaves the user: the session with its leaf, the question's text to edit, and the summary that is
    being made of what came before."""

    session: Session
    edit_text: str | None
    branch_summary: Entry | None


class SessionService:
    """Every method raises NotFound for what is not the caller's."""

    def __init__(self, storage: SessionStorage, *, on_change: Callable[[str], None]) -> None:
        self._storage = storage
        self._on_change = on_change

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
        self._on_change(session_id)
        return changed

    async def delete(self, who: Principal, session_id: str) -> str:
        """Delete a session with all its entries; its id."""
        await owned_session(self._storage, who, session_id)
        if not await self._storage.delete_session(session_id):
            raise NotFound("session", session_id)
        self._on_change(session_id)
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
        """Move the leaf to an entry, or (None) before the root, and record the move. At an answer that runs it waits at
        the question and follows when the answer is there, as after asking.

        Raises LeafConflict, and InvalidInput for a place between a tool call and its result.
        """
        session = await owned_session(self._storage, who, session_id)
        at = None if entry_id is None else await self._place(session_id, entry_id)
        if at is not None:
            await refuse_inside_pair(self._storage, at)
        session = await self._moved(who, session, None if at is None else at.id, expected_leaf)
        if at is not None and at.id != entry_id and entry_id in await self._storage.entries([entry_id or ""]):
            # It had ended before the leaf was there, and took it along no more.
            with suppress(LeafConflict):
                await self._moved(who, session, entry_id, at.id)
            session = await owned_session(self._storage, who, session_id)
        self._on_change(session_id)
        return session

    async def fork(
        self,
        who: Principal,
        session_id: str,
        entry_id: str,
        position: ForkPosition,
        expected_leaf: ExpectedLeaf,
        *,
        summarize: bool = False,
        label: str | None = None,
    ) -> Forked:
        """Stand AT an entry, or BEFORE it; before a user message its text is handed back for editing.

        `summarize`: what came before the fork point is summarised there, for the new branch alone; its text comes
        later, and until then the branch reads the raw turns. `label`: for the summary, else for the fork point, of
        which there is none before the first question.
        Nothing is copied. Raises LeafConflict, and InvalidInput for a place between a tool call and its result.
        """
        if position is ForkPosition.AT and not summarize and not label:
            return Forked(await self.move_leaf(who, session_id, entry_id, expected_leaf), None, None)
        if label:
            check_text(label, "label", max_chars=MAX_LABEL)
        session = await owned_session(self._storage, who, session_id)
        entry = (await self._storage.entries([entry_id])).get(entry_id)
        if entry is None or entry.session_id != session_id:
            raise NotFound("entry", entry_id)
        target, edit_text = (entry.id, None) if position is ForkPosition.AT else _before(entry)
        at = entry if target == entry.id else (await self._storage.entries([target])).get(target) if target else None
        if at is None and label:
            raise InvalidInput("Nothing stands before the first question that a label could be put on.", "label")
        added: list[Entry] = []
        if at is not None:
            await refuse_inside_pair(self._storage, at)
            added = _fork_entries(at, summarize, label)
        session = await self._moved(who, session, target, expected_leaf, added)
        self._on_change(session_id)
        return Forked(session, edit_text, added[0] if added and summarize else None)

    async def _place(self, session_id: str, entry_id: str) -> Entry:
        """Where the leaf stands for an id: an entry, or the question of an answer that runs."""
        found = (await self._storage.entries([entry_id])).get(entry_id)
        if found is None:
            running = await self._storage.running_answer(entry_id)
            at = entry_id if running is None else running.question_id
            found = (await self._storage.entries([at])).get(at)
        if found is None or found.session_id != session_id:
            raise NotFound("entry", entry_id)
        return found

    async def _moved(
        self,
        who: Principal,
        session: Session,
        target: str | None,
        expected_leaf: ExpectedLeaf,
        added: Sequence[Entry] = (),
    ) -> Session:
        """Compare-and-set of the leaf, tried again when it moves meanwhile and the caller does not mind.

        `session`: as it was read for this call. `added`: entries below the target that are written in the same
        transaction; the last becomes the leaf.
        """
        for _ in range(_MOVE_ATTEMPTS):
            if not isinstance(expected_leaf, Anywhere) and session.leaf_id != expected_leaf:
                raise LeafConflict(session.leaf_id)
            if session.leaf_id == target and not added:
                return session
            old = (await self._storage.entries([session.leaf_id])).get(session.leaf_id) if session.leaf_id else None
            record = None if old is None or old.id == target else written(old, LeafMove(target_id=target))
            try:
                if added:
                    entries = [*([record] if record else []), *added]
                    return await self._storage.append(session.id, entries, expected_leaf=session.leaf_id)
                return await self._storage.move_leaf(session.id, target, session.leaf_id, record)
            except LeafConflict:
                session = await owned_session(self._storage, who, session.id)
        raise LeafConflict(session.leaf_id)


def _fork_entries(at: Entry, summarize: bool, label: str | None) -> list[Entry]:
    """What marks a fork below its point: the summary of what came before, and a label for it or for the point."""
    added: list[Entry] = []
    if summarize:
        added.append(pending_summary(at, at.id, SummaryScope.HISTORY))
    if label:
        above = added[-1] if added else at
        added.append(written(above, Label(target_id=above.id, label=label)))
    return added


def _before(entry: Entry) -> tuple[str | None, str | None]:
    """Where the leaf goes for a fork before an entry, and the text to edit."""
    return entry.parent_id, entry.body.text if isinstance(entry.body, Message) and entry.is_question else None


def _checked_texts(texts: Mapping[str, str | None]) -> dict[str, Any]:
    limits = {"name": _MAX_NAME, "system_prompt": _MAX_SYSTEM_PROMPT, "model": _MAX_MODEL}
    return {
        field: check_text(text, camel_case(field), max_chars=limits[field], required=False) if text else None
        for field, text in texts.items()
    }
