"""A model without a key and without a network: answers that show what would have been sent, extractive
summaries."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import replace

from graph_session.domain.content import TextBlock, Usage
from graph_session.domain.context import AssembledContext, ContextMessage
from graph_session.domain.entries import StopReason
from graph_session.domain.summaries import SummaryRequest
from graph_session.domain.tokens import script_estimate
from graph_session.models.base import Completed, Delta, ModelError, SummaryText
from graph_session.models.extract import extract

PROVIDER = "offline"
NOTICE = "No model is connected, so this is not an answer. Set ANTHROPIC_API_KEY and restart to get one."
EXCERPT_CHARS = 80
DELTA_CHARS = 24


class OfflineModel:
    """A Model that is always there and always says the same. `delay`: seconds between the deltas of an
    answer."""

    provider = PROVIDER
    answer_model = PROVIDER
    summary_model = PROVIDER

    def __init__(self, *, delay: float = 0.0) -> None:
        self._delay = delay

    async def answer(self, context: AssembledContext) -> AsyncGenerator[Delta | Completed]:
        """See Model. Never raises ModelError."""
        text = describe(context)
        for start in range(0, len(text), DELTA_CHARS):
            yield Delta(text[start : start + DELTA_CHARS])
            await asyncio.sleep(self._delay)
        yield Completed(
            content=(TextBlock(text),),
            usage=Usage(context.total_tokens, script_estimate(text)),
            stop_reason=StopReason.STOP,
            provider=PROVIDER,
            model=PROVIDER,
        )

    async def summarize(self, request: SummaryRequest) -> SummaryText:
        """The most telling sentences as they stand. Raises ModelError where there is no text at all."""
        # What is always said first is not what was said in this conversation.
        lines = [replace(line, text=line.text.removeprefix(NOTICE)) for line in request.lines]
        text = await asyncio.to_thread(extract, lines, request.budget_tokens)
        if not text:
            raise ModelError("There is nothing to summarise.", code="REFUSED_REQUEST", retryable=False)
        read = sum(script_estimate(line.text) for line in request.lines)
        return SummaryText(text, PROVIDER, Usage(read, script_estimate(text)))

    async def close(self) -> None:
        """Nothing to release."""


def describe(context: AssembledContext) -> str:
    """What a model would have been sent, for a person to read: one line for each message, then the
    question."""
    count = len(context.messages)
    read = f"{count} message{'' if count == 1 else 's'}, about {context.total_tokens:,} tokens"
    whole = f"the whole path has about {context.full_history_tokens:,}"
    lines = [NOTICE, "", f"A model would have read {read}; {whole}.", ""]
    if context.system and context.system.strip():
        lines.append(f"- system · {script_estimate(context.system)} tokens · {_excerpt(context.system)}")
    for number, message in enumerate(context.messages, 1):
        shown = _excerpt(_said(message))
        lines.append(f"{number}. {message.role} · {message.source} · {message.tokens:,} tokens · {shown}")
    asked = next((message.text for message in reversed(context.messages) if message.role == "user"), "")
    if asked.strip():
        lines += ["", f"You asked: {asked.strip()}"]
    return "\n".join(lines)


def _said(message: ContextMessage) -> str:
    """The text of a message; of a summary, without the sentence that introduces it."""
    return message.text.partition("<summary>")[2].removesuffix("</summary>") or message.text


def _excerpt(text: str) -> str:
    words = re.sub(r"\s+", " ", text).strip()
    if not words:
        return "(no text)"
    return words if len(words) <= EXCERPT_CHARS else words[:EXCERPT_CHARS].rstrip() + "…"
