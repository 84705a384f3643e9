"""Compaction: when a context does not fit its window, what lies further back is replaced by a summary on the path (SPEC
§6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from graph_session.domain.catalogue import Catalogue
from graph_session.domain.compaction import Cut, file_lists, find_cut, is_due, used_tokens
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import Compaction, Entry, EntryType, SummaryKind
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.sessions import Session
from graph_session.domain.summaries import lines_of
from graph_session.domain.turns import write_under
from graph_session.models.base import Model
from graph_session.services.condense import Condenser
from graph_session.services.walk import path_below
from graph_session.storage.protocol import SessionStorage

log = structlog.get_logger(__name__)

_MAX_USELESS = 1000

Assemble = Callable[[Sequence[Entry]], AssembledContext]


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compaction that was made, not yet written, and the context below it."""

    entry: Entry
    context: AssembledContext


class Compactor:
    """Makes compactions; `catalogue` knows the models' windows."""

    def __init__(self, storage: SessionStorage, model: Model, catalogue: Catalogue) -> None:
        self._storage = storage
        self._condenser = Condenser(model)
        self._catalogue = catalogue
        # What was cut in vain, by its first entry and the first kept one: each attempt costs a call of the model.
        self._useless: dict[tuple[str, str], None] = {}

    def is_due(self, session: Session, path: Sequence[Entry], context: AssembledContext) -> bool:
        """Whether a context does not fit the window of its model."""
        window = self._catalogue.window(context.model)
        return is_due(used_tokens(path, context), window, session.config.reserve_tokens)

    async def make(
        self,
        session: Session,
        path: Sequence[Entry],
        assemble: Assemble,
        *,
        keep_recent: int | None = None,
        instructions: str | None = None,
    ) -> Compacted | None:
        """A compaction to write below a path; `assemble` gives the context at the end of one.

        None where there is nothing to summarise, or where the context would not shrink. Raises ModelError.
        """
        before = assemble(path)
        cut = find_cut(path, session.config.keep_recent_tokens if keep_recent is None else keep_recent)
        if cut is None:
            return None
        by_hand = keep_recent is not None or instructions is not None
        range_cut = cut.before[0].id, cut.first_kept.id
        if range_cut in self._useless and not by_hand:
            return None
        parent = path[-1]
        carried = await self._storage.path_of_types(parent.id, [EntryType.COMPACTION, EntryType.BRANCH_SUMMARY])
        made = await self._condenser.grow(
            cut.previous,
            lines_of(cut.before),
            SummaryKind.COMPACTION,
            session.config.anchor_budget_tokens,
            instructions=instructions,
        )
        body = Compaction(
            summary=made.text,
            first_kept_entry_id=cut.first_kept.id,
            tokens_before=used_tokens(path, before),
            details=file_lists(await self._since_compaction(cut, carried), carried),
        )
        entry = write_under(parent, id=new_id(), session_id=session.id, timestamp=timestamp_now(), body=body)
        entry = replace(entry, place=replace(entry.place, kept_depth=cut.first_kept.place.depth))
        after = assemble([*path, entry])
        if after.total_tokens >= before.total_tokens:
            log.info("compaction_useless", session_id=session.id, before=before.total_tokens, after=after.total_tokens)
            self._useless[range_cut] = None
            if len(self._useless) > _MAX_USELESS:
                del self._useless[next(iter(self._useless))]
            return None
        return Compacted(entry, after)

    async def _since_compaction(self, cut: Cut, carried: Sequence[Entry]) -> list[Entry]:
        """The entries before a cut whose files no earlier compaction has listed: also those that an anchor covers."""
        earlier = [entry.id for entry in carried if isinstance(entry.body, Compaction)]
        since = await path_below(self._storage, earlier[-1] if earlier else None, cut.first_kept.id)
        return [*since[:-1], *cut.before]
