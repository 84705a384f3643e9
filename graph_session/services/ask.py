"""Asking: check the path, assemble the context, write the question, let the model answer (SPEC §4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from graph_session.domain.answers import RunningAnswer, node_of_answer
from graph_session.domain.content import Block, TextBlock
from graph_session.domain.context import AssembledContext, assemble
from graph_session.domain.entries import Entry, Message, Role
from graph_session.domain.errors import InvalidInput, ModelFailure, NotFound
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.nodes import DialogueNode, NodeStatus, Question
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.domain.state import SessionState
from graph_session.domain.text import check_text
from graph_session.domain.turns import write_under
from graph_session.models.base import Model, ModelError
from graph_session.services.access import owned_node, refuse_while_answering
from graph_session.services.compaction import Compacted, Compactor
from graph_session.services.live import LiveAnswers
from graph_session.services.paths import check_active_path
from graph_session.services.runner import AnswerJob, AnswerRunner
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, SessionStorage, View

log = structlog.get_logger(__name__)

_MAX_REQUEST_ID = 200
_POLL_SECONDS = 0.2
_CANCEL_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's node, running or ended, and the session."""

    node: DialogueNode
    session: Session


class AskService:
    """The use cases around answers. Every method raises NotFound for what is not the caller's."""

    def __init__(
        self,
        storage: SessionStorage,
        model: Model,
        live: LiveAnswers,
        runner: AnswerRunner,
        compactor: Compactor,
        *,
        lease_seconds: float,
        max_question_chars: int,
    ) -> None:
        self._storage = storage
        self._model = model
        self._live = live
        self._runner = runner
        self._compactor = compactor
        self._lease_seconds = lease_seconds
        self._max_question_chars = max_question_chars

    async def ask(
        self,
        who: Principal,
        session_id: str,
        active_path: Sequence[str],
        question: str,
        *,
        wait: bool = True,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        request_id: str | None = None,
    ) -> Asked:
        """Ask below the last node of the active path; an empty path starts at the root.

        With `wait` the answer has ended when this returns. The same `request_id` again gives the first call's node.
        Raises InvalidInput, InvalidActivePath, LeafConflict, and (with `wait`) ModelFailure.
        """
        check_text(question, "userQuestion", max_chars=self._max_question_chars)
        if request_id is not None:
            check_text(request_id, "clientRequestId", max_chars=_MAX_REQUEST_ID)
        tip_id = active_path[-1] if active_path else None
        view = await self._storage.view(session_id, tip_id=tip_id, request_id=request_id)
        if view is None or view.session.owner != who.owner:
            raise NotFound("session", session_id)
        if view.earlier is not None:
            return await self._again(who, view.earlier, wait)
        await check_active_path(self._storage, view, active_path)
        # A client that goes away must not leave a question that is written and that nobody answers.
        begin = asyncio.shield(self._begin(view, question, expected_leaf, request_id))
        try:
            asked = await begin
        except Duplicate:
            view = await self._storage.view(session_id, tip_id=tip_id, request_id=request_id)
            if view is None or view.earlier is None:
                raise NotFound("session", session_id) from None
            return await self._again(who, view.earlier, wait)
        return await self._ended(asked) if wait else asked

    async def regenerate(self, who: Principal, node_id: str, *, wait: bool = True) -> Asked:
        """Answer a node's question again, as its sibling. Raises InvalidInput for a node without a question."""
        node, session = await owned_node(self._storage, who, node_id)
        if node.question_id is None:
            raise InvalidInput("This node has no question that could be answered again.", "nodeId")
        asked = await asyncio.shield(self._begin_again(node.question_id, session))
        return await self._ended(asked) if wait else asked

    async def cancel(self, who: Principal, node_id: str) -> Asked:
        """Stop an answer, wherever it runs, and keep what has come of it. One that has ended stays as it is; one whose
        process does not hear of it in time is still running when this returns."""
        node, session = await owned_node(self._storage, who, node_id)
        if node.status is not NodeStatus.RUNNING:
            return Asked(node, session)
        if not self._runner.cancel(node_id):
            await self._storage.cancel_answer(node_id)
        try:
            async with asyncio.timeout(_CANCEL_SECONDS):
                return await self._wait(Asked(node, session))
        except TimeoutError:
            # The process that runs it is gone or busy. The request stands, and the lease bounds the rest.
            return Asked(*await owned_node(self._storage, who, node_id))

    async def close(self) -> None:
        """Stop the answers that run here; whoever waits for one hears of it."""
        await self._runner.close()

    async def compact(
        self, who: Principal, session_id: str, *, instructions: str | None = None, keep_recent: int | None = None
    ) -> tuple[Entry | None, Session]:
        """Compact the path to the leaf by hand; None for the entry where there was nothing to gain.

        Raises InvalidInput while an answer runs at the leaf, LeafConflict, ModelFailure.
        """
        if instructions:
            check_text(instructions, "instructions", max_chars=self._max_question_chars)
        if keep_recent is not None and keep_recent < 0:
            raise InvalidInput("keepRecentTokens is negative.", "keepRecentTokens")
        view = await self._storage.view_at(session_id, None)
        if view is None or view.session.owner != who.owner:
            raise NotFound("session", session_id)
        await refuse_while_answering(self._storage, view.session)
        if not view.path:
            return None, view.session
        try:
            made = await self._compactor.make(
                view.session,
                view.path,
                lambda path: self.context(view.session, path, None, view.state),
                keep_recent=keep_recent,
                instructions=instructions,
            )
        except ModelError as error:
            raise ModelFailure(error.message, error.code, error.retryable) from None
        if made is None:
            return None, view.session
        session = await self._storage.append(session_id, [made.entry], expected_leaf=view.session.leaf_id)
        return made.entry, session

    async def _begin(self, view: View, question: str, expected_leaf: ExpectedLeaf, request_id: str | None) -> Asked:
        session = view.session
        compacted = await self._compacted(view, question)
        path = [*view.path, compacted.entry] if compacted else list(view.path)
        context = compacted.context if compacted else self.context(session, path, question, view.state)
        parent = path[-1] if path else None
        entry = write_under(
            parent,
            id=new_id(),
            session_id=session.id,
            timestamp=timestamp_now(),
            body=Message(role=Role.USER, content=(TextBlock(question),)),
        )
        answer = self._answer(session, entry, context)
        open_question = None if parent is None or parent.ends_turn else parent.place.question_id
        changed = await self._storage.begin_answer(
            entry,
            answer,
            lease_seconds=self._lease_seconds,
            expected_leaf=expected_leaf,
            request_id=request_id,
            superseded=open_question,
            compaction=compacted.entry if compacted else None,
        )
        return self._start(changed, answer, entry, path, context, view.state)

    async def _compacted(self, view: View, question: str) -> Compacted | None:
        """The compaction that a question is to stand below, where it would not fit its model's window without one.

        One that cannot be made or does not help is no reason not to ask: the provider has the last word.
        """

        def assemble_at(path: Sequence[Entry]) -> AssembledContext:
            return self.context(view.session, path, question, view.state)

        if not view.path or not self._compactor.is_due(view.session, view.path, assemble_at(view.path)):
            return None
        try:
            return await self._compactor.make(view.session, view.path, assemble_at)
        except ModelError as error:
            log.warning("compaction_failed", session_id=view.session.id, code=error.code)
            return None

    async def _begin_again(self, question_id: str, session: Session) -> Asked:
        entry = (await self._storage.entries([question_id])).get(question_id)
        if entry is None or not isinstance(entry.body, Message):
            raise NotFound("entry", question_id)
        path: Sequence[Entry] = ()
        state = SessionState()
        if entry.parent_id is not None:
            # From above the question, as when it was asked: its own turn is none of those that are kept raw.
            view = await self._storage.view_at(session.id, entry.parent_id)
            if view is None or not view.path:
                raise NotFound("entry", question_id)
            session, path, state = view.session, view.path, view.state
        context = self.context(session, path, entry.body.content, state)
        answer = self._answer(session, entry, context)
        # The question is written already, so a compaction that is due can only stand below it.
        too_long = bool(path) and self._compactor.is_due(session, path, context)
        changed = await self._storage.begin_again(answer, lease_seconds=self._lease_seconds)
        return self._start(changed, answer, entry, path, context, state, too_long=too_long)

    def context(
        self, session: Session, path: Sequence[Entry], question: str | tuple[Block, ...] | None, state: SessionState
    ) -> AssembledContext:
        """What the model would be sent at the end of a path where that state holds."""
        return assemble(
            path,
            keep_raw=session.config.keep_raw_count,
            model=self._model_at(session, state),
            system=session.system_prompt,
            question=question,
            thinking_level=state.thinking_level,
            active_tools=state.active_tools,
        )

    def _model_at(self, session: Session, state: SessionState) -> str:
        if state.model_id is None:
            return session.model or self._model.answer_model
        # Another provider's model keeps its provider's name, so that this one's refusal says what is wrong.
        foreign = state.provider not in (None, "", self._model.provider)
        return f"{state.provider}/{state.model_id}" if foreign else state.model_id

    def _answer(self, session: Session, question: Entry, context: AssembledContext) -> RunningAnswer:
        return RunningAnswer(
            id=new_id(),
            session_id=session.id,
            question_id=question.id,
            node_above=question.place.node_above,
            owner=self._runner.owner,
            model=context.model,
            started=question.timestamp,
        )

    def _start(
        self,
        session: Session,
        answer: RunningAnswer,
        question: Entry,
        path: Sequence[Entry],
        context: AssembledContext,
        state: SessionState,
        *,
        too_long: bool = False,
    ) -> Asked:
        placed = replace(answer, sequence=session.next_sequence - 1)

        def assemble_at(longer: Sequence[Entry]) -> AssembledContext:
            return self.context(session, longer, None, state)

        self._runner.start(
            AnswerJob(
                answer=placed,
                question=question,
                parent=question,
                path=path,
                context=context,
                session=session,
                assemble=assemble_at,
                too_long=too_long,
            )
        )
        text = question.body.text if isinstance(question.body, Message) else ""
        shown = Question(id=question.id, text=text, timestamp=question.timestamp)
        return Asked(node_of_answer(placed, shown), session)

    async def _again(self, who: Principal, node_id: str, wait: bool) -> Asked:
        node, session = await owned_node(self._storage, who, node_id)
        return await self._ended(Asked(node, session)) if wait else Asked(node, session)

    async def _ended(self, asked: Asked) -> Asked:
        """The ended node. Raises ModelFailure where the answer did not come to its own end."""
        ended = await self._wait(asked)
        node = ended.node
        if node.status in (NodeStatus.FAILED, NodeStatus.INTERRUPTED):
            message = node.error or "The model did not answer."
            raise ModelFailure(message, node.error_code or "PROVIDER_ERROR", node.retryable, node.node_id)
        return ended

    async def _wait(self, asked: Asked) -> Asked:
        """The node when its answer has ended, wherever that runs."""
        node, session = asked.node, asked.session
        while node.status is NodeStatus.RUNNING:
            live = self._live.get(node.node_id)
            if live is not None:
                # A caller that goes away must not take the outcome from the others.
                await asyncio.wait([live.outcome])
                if not live.outcome.cancelled():
                    ended = live.outcome.result()
                    return Asked(ended.node, ended.session)
            else:
                await asyncio.sleep(_POLL_SECONDS)
            found = (await self._storage.nodes([node.node_id])).get(node.node_id)
            changed = await self._storage.session(session.id)
            if found is None or changed is None:
                raise NotFound("node", node.node_id)
            node, session = found, changed
        return Asked(node, session)
