"""Running answers: the model's stream, written down as it comes, and its end.

Each answer is a task of its own that no client's disconnect can cancel. While it runs its lease is renewed and its text
kept in the database, so that other processes can show it, and whoever finds the lease run out can close it with what
had come.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from graph_session.domain.answers import Piece, RunningAnswer, blocks_of, pieces_of
from graph_session.domain.content import Block, TextBlock, ThinkingBlock, ToolCallBlock, Usage
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import Entry, Message, Role, StopReason
from graph_session.domain.errors import StorageUnavailable
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.nodes import ERROR_CODE, RETRYABLE, Question, node_of_entry
from graph_session.domain.sessions import Session
from graph_session.domain.text import storable
from graph_session.domain.triggers import Marks, marks_after
from graph_session.domain.turns import finished, write_under
from graph_session.models.base import Completed, Delta, Model, ModelError
from graph_session.services.compaction import Assemble, Compactor
from graph_session.services.live import Ended, LiveAnswer, LiveAnswers
from graph_session.storage.protocol import SessionStorage

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 0.5
# How late a cancel from another process is heard of while the model says nothing.
_SILENT_SECONDS = 2.0
# Each attempt takes the driver's own seconds too, so that this is about a quarter of an hour.
STORE_RETRIES = 120
_CLOSE_SECONDS = 3.0
NO_MARKS = Marks(None, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerJob:
    """All that running an answer takes. `path`: the context's path, oldest first, without the question; `parent`: the
    entry that the answer will stand below, the question or a compaction below it; `assemble`: gives the context at the
    end of a path; `too_long`: the context is known not to fit its model's window."""

    answer: RunningAnswer
    question: Entry
    parent: Entry
    path: Sequence[Entry]
    context: AssembledContext
    session: Session
    assemble: Assemble
    too_long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    content: tuple[Block, ...]
    stop_reason: StopReason
    usage: Usage | None = None
    provider: str | None = None
    model: str | None = None
    error: str | None = None
    error_code: str | None = None
    retryable: bool = False


class AnswerRunner:
    """Runs answers in this process. `owner` is this process's name on their leases; `on_change` hears of each session
    whose answer was stored."""

    def __init__(
        self,
        storage: SessionStorage,
        model: Model,
        live: LiveAnswers,
        compactor: Compactor,
        *,
        lease_seconds: float,
        on_change: Callable[[str], None],
    ) -> None:
        self.owner = new_id()
        self._storage = storage
        self._model = model
        self._live = live
        self._compactor = compactor
        self._lease_seconds = lease_seconds
        self._on_change = on_change
        self._streams: dict[str, asyncio.Task[tuple[AnswerJob, _End]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    def start(self, job: AnswerJob) -> LiveAnswer:
        """Begin to run an answer that has been written as running."""
        live = self._live.start(job.answer.id)
        self._streams[job.answer.id] = asyncio.create_task(self._stream(job, live))
        task = asyncio.create_task(self._run(job, live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._closing:
            self.cancel(job.answer.id)
        return live

    def runs(self, answer_id: str) -> bool:
        """Whether an answer runs here, or is still to be stored."""
        return answer_id in self._streams

    def cancel(self, answer_id: str) -> bool:
        """Stop an answer that runs here; what has come is kept. False: it does not run here."""
        stream = self._streams.get(answer_id)
        return stream is not None and stream.cancel()

    async def close(self) -> None:
        """Stop all answers, those that begin from now on too; each is stored as interrupted, with what had come."""
        self._closing = True
        for stream in self._streams.values():
            stream.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)

    async def _run(self, job: AnswerJob, live: LiveAnswer) -> None:
        stream = self._streams[job.answer.id]
        renewal = asyncio.create_task(self._renew(job.answer.id, live, stream))
        try:
            await asyncio.wait([stream])
            job, end = (job, self._cut_short(live)) if stream.cancelled() else stream.result()
            if not live.lost:
                await self._store(job, live, end)
        except Exception as error:
            log.exception("answer_not_stored", answer_id=job.answer.id)
            live.trouble(error)
        finally:
            renewal.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await renewal
            del self._streams[job.answer.id]
            self._live.forget(job.answer.id)
            if live.ended is None:
                live.lose()

    def _cut_short(self, live: LiveAnswer) -> _End:
        if self._closing:
            return _interrupted(live.pieces)
        return _End(content=blocks_of(live.pieces), stop_reason=StopReason.ABORTED)

    async def _stream(self, job: AnswerJob, live: LiveAnswer) -> tuple[AnswerJob, _End]:
        """The answer's end, and the job as it was carried out: a prompt that the provider finds too long is compacted
        and sent once more, never again."""
        try:
            if job.too_long:
                job = await self._compacted(job) or job
            try:
                return job, await self._attempt(job, live)
            except ModelError as refused:
                smaller = await self._compacted(job) if refused.code == "PROMPT_TOO_LONG" else None
                if smaller is None or live.length:
                    raise
                job = smaller
                return job, await self._attempt(job, live)
        except ModelError as raised:
            error = raised
        except Exception:
            log.exception("model_adapter_failed", answer_id=job.answer.id)
            error = ModelError("The answer failed for an unexpected reason.", code="PROVIDER_ERROR", retryable=True)
        log.warning("answer_failed", answer_id=job.answer.id, code=error.code)
        return job, _End(
            content=blocks_of(live.pieces),
            stop_reason=StopReason.ERROR,
            error=error.message,
            error_code=error.code,
            retryable=error.retryable,
            provider=self._model.provider,
            model=job.answer.model,
        )

    async def _attempt(self, job: AnswerJob, live: LiveAnswer) -> _End:
        async for event in self._model.answer(job.context):
            match event:
                case Delta(text=text, thinking=thinking):
                    live.add(storable(text), thinking)
                case Completed():
                    return _completed(event)
        raise ModelError("The model's answer ended without an end.", code="PROVIDER_ERROR", retryable=True)

    async def _compacted(self, job: AnswerJob) -> AnswerJob | None:
        """The job with a compaction written below its question; None where none can be made."""
        path = [*job.path, job.question]
        try:
            made = await self._compactor.make(job.session, path, job.assemble)
        except ModelError as error:
            log.warning("compaction_failed", session_id=job.session.id, code=error.code)
            return None
        if made is None:
            return None
        # The leaf waits at the question, as it does for every running answer, and follows when the answer is there.
        await self._storage.append(job.session.id, [made.entry], move_leaf=False)
        return replace(job, parent=made.entry, context=made.context)

    async def _renew(self, answer_id: str, live: LiveAnswer, stream: asyncio.Task[tuple[AnswerJob, _End]]) -> None:
        """Keep the lease and the text; hear of a cancel, or of having lost the answer."""
        kept, idle = -1, 0.0
        pause = min(FLUSH_SECONDS, self._lease_seconds / 3)
        while True:
            await asyncio.sleep(pause)
            idle += pause
            if kept == live.length and idle < min(_SILENT_SECONDS, self._lease_seconds / 3):
                continue
            length = live.length
            try:
                cancel = await self._storage.renew_answer(answer_id, self.owner, live.pieces, self._lease_seconds)
            except StorageUnavailable:
                continue
            except Exception:
                # Without the lease somebody else would close an answer that is coming.
                log.exception("lease_not_renewed", answer_id=answer_id)
                continue
            kept, idle = length, 0.0
            if cancel is None and not stream.done():
                live.lose()
            if cancel is not False:
                stream.cancel()

    async def _store(self, job: AnswerJob, live: LiveAnswer, end: _End) -> None:
        """Write the answer as an entry, and go on trying while the database is away: the text must not be lost."""
        entry = answer_entry(job.parent, job.answer, end)
        marks = NO_MARKS
        if finished(entry):
            config = job.session.config
            between = [] if job.parent.id == job.question.id else [job.parent]
            path = [*job.path, job.question, *between, entry]
            marks = marks_after(path, linear_threshold=config.linear_threshold, keep_raw=config.keep_raw_count)
        for attempt in range(STORE_RETRIES):
            try:
                session = await self._storage.finish_answer(entry, owner=self.owner, marks=marks)
                break
            except StorageUnavailable as error:
                live.trouble(error)
                log.warning("answer_waits_for_database", answer_id=entry.id, attempt=attempt)
                await asyncio.sleep(min(2.0**attempt / 4, 2))
        else:
            log.error("answer_given_up", answer_id=entry.id)
            return
        if session is None:
            live.lose()
            return
        question = Question(id=job.question.id, text=_text(job.question), timestamp=job.question.timestamp)
        live.end(Ended(node_of_entry(replace(entry, sequence=job.answer.sequence), question), session))
        self._on_change(session.id)


def answer_entry(parent: Entry, answer: RunningAnswer, end: _End) -> Entry:
    """The entry that a running answer becomes, below its question or a compaction that follows that."""
    return write_under(
        parent,
        id=answer.id,
        session_id=answer.session_id,
        timestamp=timestamp_now(),
        body=Message(
            role=Role.ASSISTANT,
            content=end.content,
            provider=end.provider,
            model=end.model or answer.model,
            usage=end.usage,
            stop_reason=end.stop_reason,
            error=end.error,
            extra={ERROR_CODE: end.error_code, RETRYABLE: end.retryable} if end.error_code else {},
        ),
    )


def interrupted_entry(question: Entry, answer: RunningAnswer) -> Entry:
    """The entry of an answer whose process is gone: what of it had been kept."""
    return answer_entry(question, answer, _interrupted(answer.partial))


def _interrupted(pieces: Sequence[Piece]) -> _End:
    return _End(
        content=blocks_of(pieces),
        stop_reason=StopReason.INTERRUPTED,
        error="The process that was answering stopped. What had come is kept; regenerate to answer again.",
        error_code="INTERRUPTED",
        retryable=True,
    )


def _completed(event: Completed) -> _End:
    # A tool call would leave the turn open for ever, since no tools are offered and nobody here runs them.
    content = [_storable(block) for block in event.content if not isinstance(block, ToolCallBlock)]
    return _End(
        content=tuple(content),
        stop_reason=event.stop_reason,
        usage=event.usage,
        provider=event.provider,
        model=event.model,
    )


def _storable(block: Block) -> Block:
    match block:
        case TextBlock():
            return replace(block, text=storable(block.text))
        case ThinkingBlock():
            return replace(block, thinking=storable(block.thinking))
        case _:
            return block


def _text(entry: Entry) -> str:
    return entry.body.text if isinstance(entry.body, Message) else ""


def stream_of(entry: Entry) -> list[Piece]:
    """The stream that an answer's entry holds the whole of."""
    return pieces_of(entry.body.content) if isinstance(entry.body, Message) else []
