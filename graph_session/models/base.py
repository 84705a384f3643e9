"""What answers questions and writes summaries: one protocol, implemented by `anthropic` and `offline`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from graph_session.domain.content import Block, Usage
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import StopReason
from graph_session.domain.summaries import SummaryRequest


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer as it comes: text, or the model's thinking."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """The end of an answer: its blocks as they are to be stored, and what it took. The last event of a stream."""

    content: tuple[Block, ...]
    usage: Usage
    stop_reason: StopReason
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A finished summary and the model that wrote it."""

    text: str
    model: str
    usage: Usage


class ModelError(Exception):
    """The model gave no (whole) answer. `retryable`: whether the same request may succeed later.

    `code`: RATE_LIMITED, OVERLOADED, TIMEOUT, CONNECTION, AUTHENTICATION, REFUSED_REQUEST, PROMPT_TOO_LONG,
    UNKNOWN_MODEL or PROVIDER_ERROR.
    """

    def __init__(self, message: str, *, code: str, retryable: bool) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.retryable = retryable


class Model(Protocol):
    """A provider of answers and summaries."""

    provider: str
    answer_model: str
    summary_model: str

    def answer(self, context: AssembledContext) -> AsyncIterator[Delta | Completed]:
        """Stream the answer to a context: deltas, then one Completed. Raises ModelError, also in the middle."""
        ...

    async def summarize(self, request: SummaryRequest) -> SummaryText:
        """Condense. Raises ModelError."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...
