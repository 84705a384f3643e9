"""Entries that a client writes itself, and the state that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from graph_session.domain.appending import entries_from_json, referenced_ids
from graph_session.domain.entries import (
    ActiveToolsChange,
    Body,
    BranchSummary,
    Compaction,
    Entry,
    Label,
    LeafMove,
    Message,
    ModelChange,
    Role,
    SummaryScope,
    ThinkingLevelChange,
)
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.domain.state import STATE_TYPES, SessionState, fold
from graph_session.domain.text import check_text
from graph_session.domain.triggers import Marks, marks_after
from graph_session.domain.turns import finished, write_under
from graph_session.services.access import (
    has_open_call,
    is_answering,
    owned_entry,
    owned_session,
    refuse_while_answering,
)
from graph_session.storage.protocol import ANYWHERE, Anywhere, Duplicate, ExpectedLeaf, SessionStorage

MAX_LABEL = 500
_MAX_NAME = 200
_MAX_TOOLS = 1000
_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class Appended:
    """The entries that were written, and the session after it."""

    entries: list[Entry]
    session: Session


class ChangeService:
    """Every method raises NotFound for what is not the caller's, and all but `set_label` InvalidInput while an answer
    runs at the leaf."""

    def __init__(self, storage: SessionStorage, *, on_change: Callable[[str], None]) -> None:
        self._storage = storage
        self._on_change = on_change

    async def append(
        self,
        who: Principal,
        session_id: str,
        forms: Sequence[object],
        *,
        parent_id: str | None,
        expected_leaf: ExpectedLeaf = ANYWHERE,
    ) -> Appended:
        """Write entries in their JSON form, the first below `parent_id` (None: the leaf); the leaf moves to the last.

        Raises InvalidInput that names entry and field, LeafConflict.
        """
        for _ in range(_ATTEMPTS):
            session = await owned_session(self._storage, who, session_id)
            try:
                return await self._append(session, forms, parent_id, expected_leaf)
            except LeafConflict:
                # A caller who names no leaf means the leaf as it is, wherever it has just gone.
                if not isinstance(expected_leaf, Anywhere):
                    raise
        raise LeafConflict((await owned_session(self._storage, who, session_id)).leaf_id)

    async def _append(
        self, session: Session, forms: Sequence[object], parent_id: str | None, expected_leaf: ExpectedLeaf
    ) -> Appended:
        below = session.leaf_id if parent_id is None else parent_id
        wanted = referenced_ids(forms) | ({below} if below is not None else set())
        found = await self._storage.entries(sorted(wanted))
        known = {entry_id: entry for entry_id, entry in found.items() if entry.session_id == session.id}
        if below is not None and below not in known:
            raise NotFound("entry", below)
        if below == session.leaf_id:
            await refuse_while_answering(self._storage, session)
        entries = entries_from_json(
            forms, session_id=session.id, parent=known[below] if below is not None else None, known=known
        )
        new = {entry.id: entry for entry in entries}
        entries = [await self._checked(entry, f"entries[{at}]", known, new) for at, entry in enumerate(entries)]
        last = entries[-1].body
        if isinstance(last, LeafMove) and await has_open_call(self._storage, last.target_id, new):
            field = f"entries[{len(entries) - 1}].targetId"
            raise InvalidInput(f"{field}: the leaf would part a tool's call from its result there.", field)
        marks = await self._marks(session, new)
        leaf_checked = session.leaf_id if parent_id is None and isinstance(expected_leaf, Anywhere) else expected_leaf
        try:
            changed = await self._storage.append(session.id, entries, expected_leaf=leaf_checked, marks=marks)
        except Duplicate:
            raise InvalidInput("An id among the entries is taken.", "entries") from None
        self._on_change(session.id)
        return Appended(entries, changed)

    async def change_model(self, who: Principal, session_id: str, provider: str, model_id: str) -> Appended:
        """From the leaf down, another model answers."""
        for value, field in ((provider, "provider"), (model_id, "modelId")):
            check_text(value, field, max_chars=_MAX_NAME)
        return await self._at_leaf(who, session_id, ModelChange(provider=provider, model_id=model_id))

    async def change_thinking_level(self, who: Principal, session_id: str, level: str) -> Appended:
        """From the leaf down, the model thinks at this level."""
        check_text(level, "level", max_chars=_MAX_NAME)
        return await self._at_leaf(who, session_id, ThinkingLevelChange(level=level))

    async def change_active_tools(self, who: Principal, session_id: str, tool_names: Sequence[str]) -> Appended:
        """From the leaf down, these tools are offered."""
        if len(tool_names) > _MAX_TOOLS:
            raise InvalidInput(f"At most {_MAX_TOOLS:,} tools.", "toolNames")
        for name in tool_names:
            check_text(name, "toolNames", max_chars=_MAX_NAME)
        return await self._at_leaf(who, session_id, ActiveToolsChange(tool_names=tuple(tool_names)))

    async def set_label(self, who: Principal, target_id: str, label: str | None) -> Appended:
        """Label an entry; None or an empty text clears its label.

        While an answer runs at the leaf, the label is written beside it, and the leaf waits there.
        """
        if label:
            check_text(label, "label", max_chars=MAX_LABEL)
        target, session = await owned_entry(self._storage, who, target_id)
        return await self._at_leaf(who, session.id, Label(target_id=target.id, label=label or None))

    async def state_at(self, who: Principal, entry_id: str) -> tuple[SessionState, Session]:
        """What holds at an entry (model, thinking level, tools, name, and labels as of then), and its session."""
        _, session = await owned_entry(self._storage, who, entry_id)
        return fold(await self._storage.path_of_types(entry_id, STATE_TYPES)), session

    async def _at_leaf(self, who: Principal, session_id: str, body: Body) -> Appended:
        for _ in range(_ATTEMPTS):
            session = await owned_session(self._storage, who, session_id)
            # A label holds wherever it stands; all else acts on what is below it, which the answer would not be.
            beside = isinstance(body, Label) and await is_answering(self._storage, session)
            if not beside:
                await refuse_while_answering(self._storage, session)
            leaf = session.leaf_id
            parent = (await self._storage.entries([leaf])).get(leaf) if leaf else None
            entry = write_under(parent, id=new_id(), session_id=session_id, timestamp=timestamp_now(), body=body)
            try:
                changed = await self._storage.append(session_id, [entry], expected_leaf=leaf, move_leaf=not beside)
            except LeafConflict:
                continue
            self._on_change(session_id)
            return Appended([entry], changed)
        raise LeafConflict((await owned_session(self._storage, who, session_id)).leaf_id)

    async def _marks(self, session: Session, new: Mapping[str, Entry]) -> Marks | None:
        """What the last turn that is appended makes due on its path, if one is finished."""
        ended = next((entry for entry in reversed(list(new.values())) if finished(entry)), None)
        if ended is None:
            return None
        path = [ended]
        while path[-1].parent_id in new:
            path.append(new[path[-1].parent_id or ""])
        above = path[-1].parent_id
        view = await self._storage.view_at(session.id, above) if above else None
        whole = [*(view.path if view else ()), *reversed(path)]
        config = session.config
        return marks_after(whole, linear_threshold=config.linear_threshold, keep_raw=config.keep_raw_count)

    async def _checked(self, entry: Entry, at: str, known: Mapping[str, Entry], new: Mapping[str, Entry]) -> Entry:
        """Refuse references to what is not there; a compaction learns how deep the first entry lies that it keeps."""
        match entry.body:
            case Label(target_id=target) | LeafMove(target_id=str(target)) if target not in known and target not in new:
                raise InvalidInput(f"{at}.targetId {target!r} is not an entry of this session.", f"{at}.targetId")
            case Compaction(first_kept_entry_id=first_kept):
                field = f"{at}.firstKeptEntryId"
                kept = known.get(first_kept) or new.get(first_kept)
                if kept is None or not await self._is_above(kept, entry, new):
                    raise InvalidInput(f"{field} {first_kept!r} does not lie on the path above the compaction.", field)
                if isinstance(kept.body, Message) and kept.body.role is Role.TOOL_RESULT:
                    raise InvalidInput(f"{field} {first_kept!r} is a tool's result: keep its call too.", field)
                if not kept.is_question and await has_open_call(self._storage, kept.parent_id, new):
                    raise InvalidInput(f"{field} {first_kept!r} stands below a tool's call that would be left.", field)
                return replace(entry, place=replace(entry.place, kept_depth=kept.place.depth))
            case BranchSummary(scope=SummaryScope.HISTORY) if await has_open_call(self._storage, entry.parent_id, new):
                raise InvalidInput(f"{at} would part a tool's call, which it stands for, from its result.", at)
            case _:
                return entry

    async def _is_above(self, kept: Entry, entry: Entry, new: Mapping[str, Entry]) -> bool:
        """Whether an entry lies on another's path; a compaction that keeps nothing names itself."""
        at: str | None = entry.id
        while at is not None and at in new:
            if at == kept.id:
                return True
            at = new[at].parent_id
        return at is not None and await self._storage.common_ancestor(kept.id, at) == kept.id
