"""Answers and summaries from Anthropic's Messages API, through the official SDK.

The SDK takes two seconds to import, so nothing here imports it before `AnthropicModel.warm`, which a server
calls in a thread while it starts.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_session.domain.content import Block, TextBlock, ThinkingBlock, ToolCallBlock, Usage, text_of
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import StopReason
from graph_session.domain.summaries import SummaryRequest, clip, prompt
from graph_session.domain.text import storable
from graph_session.domain.tokens import script_estimate
from graph_session.models.anthropic_form import PROVIDER, Json, model_id, request_form, system_form
from graph_session.models.base import Completed, Delta, ModelError, SummaryText

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import RawMessageStreamEvent

SHORTEST_KEY = 8
CONNECT_SECONDS = 10.0
# A model may think before it writes, and its thinking counts as output.
SUMMARY_HEADROOM_TOKENS = 4_096

_STOP_REASONS = {
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "tool_use": StopReason.TOOL_USE,
    "refusal": StopReason.REFUSAL,
}


class AnthropicModel:
    """A Model over one API key. Safe to share between tasks; one per process, so that connections are reused.

    `timeout`: seconds for a whole answer; `idle_timeout`: seconds without a byte from the provider, its pings
    counted, after which it is given up; `max_retries`: of the SDK, only before an answer begins.
    """

    provider = PROVIDER

    def __init__(
        self,
        api_key: str,
        *,
        answer_model: str,
        summary_model: str,
        base_url: str | None = None,
        max_tokens: int = 16_000,
        timeout: float = 600.0,
        idle_timeout: float = 60.0,
        max_retries: int = 2,
    ) -> None:
        self.answer_model = model_id(answer_model)
        self.summary_model = model_id(summary_model)
        self._api_key = api_key
        self._base_url = base_url
        self._max_tokens = max_tokens
        self._timeout = timeout
        self._idle_timeout = idle_timeout
        self._max_retries = max_retries
        self._client: AsyncAnthropic | None = None
        self._warming = threading.Lock()

    def warm(self) -> None:
        """Import the SDK and make its client. Blocks for about two seconds the first time: call it in a
        thread."""
        with self._warming:
            if self._client is None:
                import anthropic
                import httpx2

                self._client = anthropic.AsyncAnthropic(
                    api_key=self._api_key,
                    base_url=self._base_url,
                    timeout=httpx2.Timeout(self._timeout, connect=CONNECT_SECONDS, read=self._idle_timeout),
                    max_retries=self._max_retries,
                )

    async def answer(self, context: AssembledContext) -> AsyncGenerator[Delta | Completed]:
        """See Model. Leaving the loop or cancelling the task closes the connection to the provider."""
        form = request_form(context)
        if not form["messages"] or form["messages"][-1]["role"] != "user":
            raise ModelError("There is no question to answer.", code="REFUSED_REQUEST", retryable=False)
        model = model_id(context.model) or self.answer_model
        async with aclosing(self._stream(model, self._max_tokens, form)) as events:
            async for event in events:
                yield event

    async def summarize(self, request: SummaryRequest) -> SummaryText:
        """See Model. The text is at most a quarter over the budget; an empty one is a retryable
        ModelError."""
        system, question = prompt(request)
        messages = [{"role": "user", "content": [{"type": "text", "text": question}]}]
        form = {"messages": messages} | system_form(system)
        model = model_id(request.model or "") or self.summary_model
        max_tokens = request.budget_tokens * 3 + SUMMARY_HEADROOM_TOKENS
        completed: Completed | None = None
        async with aclosing(self._stream(model, max_tokens, form)) as events:
            async for event in events:
                if isinstance(event, Completed):
                    completed = event
        text = text_of(completed.content).strip() if completed else ""
        if completed and completed.stop_reason is StopReason.REFUSAL:
            raise ModelError("The model declined to summarise this.", code="REFUSED_REQUEST", retryable=False)
        if completed is None or not text:
            raise ModelError("The model wrote an empty summary.", code="PROVIDER_ERROR", retryable=True)
        limit = request.budget_tokens * 5 // 4
        if completed.stop_reason is StopReason.LENGTH:
            # One token less than it has, so that the half sentence at its end goes.
            limit = min(limit, script_estimate(text) - 1)
        return SummaryText(clip(text, limit) or text, completed.model, completed.usage)

    async def close(self) -> None:
        """Release connections."""
        if self._client is not None:
            await self._client.close()

    async def _stream(self, model: str, max_tokens: int, form: Json) -> AsyncGenerator[Delta | Completed]:
        if self._client is None:
            await asyncio.to_thread(self.warm)
        from graph_session.models import anthropic_errors

        assert self._client is not None  # noqa: S101 - warm() made it
        draft = _Draft(model)
        deadline = asyncio.get_running_loop().time() + self._timeout
        try:
            async with asyncio.timeout_at(deadline):
                stream = await self._client.messages.create(model=model, max_tokens=max_tokens, stream=True, **form)
            async with stream:
                events = aiter(stream)
                while not draft.ended:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                    if event is None:
                        raise anthropic_errors.cut_off()
                    delta = draft.add(event)
                    if delta is not None:
                        yield delta
                # A body that is read to its end leaves the connection open for the next request.
                with suppress(*anthropic_errors.FAILURES, TimeoutError):
                    async with asyncio.timeout(1):
                        await anext(events, None)
        except TimeoutError as exc:
            raise anthropic_errors.silent() from exc
        except anthropic_errors.FAILURES as exc:
            raise self._without_key(anthropic_errors.model_error(exc, model)) from None
        yield draft.completed()

    def _without_key(self, error: ModelError) -> ModelError:
        key = self._api_key or ""
        # A shorter one is no secret, and would be found inside of words.
        message = error.message.replace(key, "[the key]") if len(key) >= SHORTEST_KEY else error.message
        return ModelError(message, code=error.code, retryable=error.retryable)


@dataclass(slots=True)
class _Part:
    """A content block as it comes; `opening`: its fields when it began."""

    opening: Any
    text: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


class _Draft:
    """An answer while it is written, from the raw events of the API."""

    def __init__(self, model: str) -> None:
        self.ended = False
        self._model = model
        self._parts: dict[int, _Part] = {}
        self._usage = Usage()
        self._stop_reason = StopReason.STOP

    def add(self, event: RawMessageStreamEvent) -> Delta | None:
        """Take in an event; the delta it brings for a reader, if any."""
        match event.type:
            case "message_start":
                self._model = event.message.model or self._model
                self._count(event.message.usage)
            case "content_block_start":
                self._parts[event.index] = part = _Part(event.content_block)
                kind = event.content_block.type
                opening = getattr(event.content_block, kind, "") if kind in ("text", "thinking") else ""
                if opening:
                    part.text.append(storable(opening))
                    return Delta(part.text[-1], thinking=kind == "thinking")
            case "content_block_delta":
                if event.index in self._parts:
                    return self._add_delta(self._parts[event.index], event.delta)
            case "message_delta":
                self._stop_reason = _STOP_REASONS.get(event.delta.stop_reason or "", StopReason.STOP)
                self._count(event.usage)
            case "message_stop":
                self.ended = True
        return None

    def completed(self) -> Completed:
        """The whole answer."""
        blocks = [_finished(part) for _, part in sorted(self._parts.items())]
        return Completed(
            content=tuple(block for block in blocks if block is not None),
            usage=self._usage,
            stop_reason=self._stop_reason,
            provider=PROVIDER,
            model=self._model,
        )

    def _add_delta(self, part: _Part, delta: Any) -> Delta | None:
        match delta.type:
            case "text_delta":
                part.text.append(storable(delta.text))
                return Delta(part.text[-1]) if delta.text else None
            case "thinking_delta":
                part.text.append(storable(delta.thinking))
                return Delta(part.text[-1], thinking=True) if delta.thinking else None
            case "input_json_delta":
                part.text.append(delta.partial_json)
            case "signature_delta":
                part.signature.append(delta.signature)
        return None

    def _count(self, reported: Any) -> None:
        """Counts are cumulative, and those that an event does not name stay as they were."""
        self._usage = Usage(
            _count_of(reported, "input_tokens", self._usage.input_tokens),
            _count_of(reported, "output_tokens", self._usage.output_tokens),
            _count_of(reported, "cache_read_input_tokens", self._usage.cache_read_tokens),
            _count_of(reported, "cache_creation_input_tokens", self._usage.cache_write_tokens),
        )


def _count_of(reported: Any, name: str, before: int) -> int:
    value = getattr(reported, name, None)
    return value if isinstance(value, int) else before


def _finished(part: _Part) -> Block | None:
    """The block to store. A tool call that the length limit cut off cannot be run and is left out."""
    text = "".join(part.text)
    match part.opening.type:
        case "text" if text:
            return TextBlock(text)
        case "thinking":
            signature = "".join(part.signature) or part.opening.signature or None
            return ThinkingBlock(text, signature)
        case "redacted_thinking":
            return ThinkingBlock("", part.opening.data, {"redacted": True})
        case "tool_use":
            try:
                arguments = json.loads(text) if text.strip() else dict(part.opening.input or {})
            except ValueError:
                return None
            return ToolCallBlock(part.opening.id, part.opening.name, arguments)
        case _:
            return None
