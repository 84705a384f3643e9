"""Condensing text of any length with a model: in chunks, and growing a text that is kept within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_session.domain.content import Usage
from graph_session.domain.entries import SummaryKind
from graph_session.domain.summaries import Line, SummaryRequest, chunks, clip, extend, split_overflow
from graph_session.models.base import Model, ModelError, SummaryText


class Condenser:
    """Summaries by one model. Every method raises ModelError, also where there is nothing to condense."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def condense(
        self,
        lines: Iterable[Line],
        kind: SummaryKind,
        budget_tokens: int,
        *,
        before: str | None = None,
        instructions: str | None = None,
    ) -> SummaryText:
        """One summary of lines of any length: of chunks, then of the chunks' summaries, until one is left."""
        rest: Sequence[Line] = list(lines)
        while True:
            made = [
                await self._model.summarize(
                    SummaryRequest(
                        kind=kind,
                        lines=chunk,
                        budget_tokens=budget_tokens,
                        before=before,
                        instructions=instructions,
                    )
                )
                for chunk in chunks(rest)
            ]
            if not made:
                raise ModelError("There is nothing to summarise.", code="REFUSED_REQUEST", retryable=False)
            if len(made) == 1:
                return made[0]
            rest = [Line("summary", part.text) for part in made]

    async def grow(
        self,
        previous: str | None,
        lines: Iterable[Line],
        kind: SummaryKind,
        budget_tokens: int,
        *,
        instructions: str | None = None,
    ) -> SummaryText:
        """The previous text as it is, and a summary of the lines since; its oldest part condensed again where that
        outgrows the budget. Where nothing has been said since, that is the previous text alone."""
        since = list(lines)
        if previous and not since:
            return SummaryText(previous, self._model.summary_model, Usage())
        made = await self.condense(since, kind, budget_tokens // 2, before=previous, instructions=instructions)
        text = extend(previous, made.text)
        overflow = split_overflow(text, budget_tokens)
        if overflow is None:
            return SummaryText(text, made.model, made.usage)
        oldest, kept = overflow
        limit = budget_tokens // 4 if kept else budget_tokens // 2
        condensed = await self.condense([Line("summary", oldest)], kind, limit)
        clipped = clip(condensed.text, limit)
        return SummaryText(extend(clipped, kept) if kept else clipped, condensed.model, condensed.usage)
