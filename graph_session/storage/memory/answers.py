"""Questions and running answers in memory."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import Entry
from graph_session.domain.errors import NotFound
from graph_session.domain.nodes import Question
from graph_session.domain.sessions import Session
from graph_session.domain.triggers import Marks
from graph_session.storage.memory.marking import marked
from graph_session.storage.memory.reading import question_of, without_parent
from graph_session.storage.memory.records import (
    AnswerRenewed,
    AnswerStarted,
    CancelRequested,
)
from graph_session.storage.memory.sessions import MemorySessions, written
from graph_session.storage.memory.tree import Running, growth
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, ExpiredAnswer

_EXPIRED_PAGE = 50


class MemoryAnswers(MemorySessions):
    async def begin_answer(
        self,
        question: Entry,
        answer: RunningAnswer,
        *,
        lease_seconds: float,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        request_id: str | None = None,
        superseded: str | None = None,
        compaction: Entry | None = None,
    ) -> Session:
        """`superseded` follows here from the place of the question."""
        async with self._locked(question.session_id) as found:
            tree = self._existing(found, question.session_id, expected_leaf)
            top = question if compaction is None else compaction
            if top.parent_id is not None and top.parent_id not in tree.entries:
                raise NotFound("entry", top.parent_id)
            above = [] if compaction is None else written(compaction)
            await self._check_new([question.id, answer.id, *([compaction.id] if compaction else [])])
            if request_id is not None and request_id in tree.requests:
                raise Duplicate(f"the request {request_id} has been made before")
            started = AnswerStarted(answer, self._lease(lease_seconds), request_id)
            return await self._change(tree, *above, *written(question), started, leaf_id=question.id)

    async def begin_again(self, answer: RunningAnswer, *, lease_seconds: float) -> Session:
        async with self._locked(answer.session_id) as tree:
            if tree is None or answer.question_id not in tree.entries:
                raise NotFound("question", answer.question_id)
            await self._check_new([answer.id])
            started = AnswerStarted(answer, self._lease(lease_seconds))
            return await self._change(tree, started, leaf_id=answer.question_id)

    async def renew_answer(
        self, answer_id: str, owner: str, pieces: Sequence[Piece], lease_seconds: float
    ) -> bool | None:
        async with self._locked_by(answer_id) as tree:
            running = tree.running.get(answer_id) if tree else None
            if tree is None or running is None or running.answer.owner != owner:
                return None
            after, more = growth(running.answer.partial, pieces)
            renewed = AnswerRenewed(answer_id, self._lease(lease_seconds), after, more)
            await self._change(tree, renewed, touch=False, revise=False)
            return running.cancel

    async def finish_answer(self, entry: Entry, *, owner: str, marks: Marks, expired: bool = False) -> Session | None:
        async with self._locked(entry.session_id) as tree:
            running = tree.running.get(entry.id) if tree else None
            if tree is None or running is None:
                return None
            if not (self._is_expired(running, owner) if expired else running.answer.owner == owner):
                return None
            due = marked(tree, [entry], marks, self._ms())
            if entry.parent_id not in tree.entries:
                return None
            follows = tree.session.leaf_id in (running.answer.question_id, entry.parent_id)
            return await self._change(tree, *written(entry), *due, leaf_id=entry.id if follows else ANYWHERE)

    async def cancel_answer(self, answer_id: str) -> bool:
        async with self._locked_by(answer_id) as tree:
            if tree is None or answer_id not in tree.running:
                return False
            await self._change(tree, CancelRequested(answer_id), touch=False, revise=False)
            return True

    async def running_answer(self, answer_id: str) -> RunningAnswer | None:
        await self._reach([answer_id])
        tree = self._of(answer_id)
        running = tree.running.get(answer_id) if tree else None
        return running.answer if running else None

    async def running(self, session_id: str) -> list[tuple[RunningAnswer, Question]]:
        tree = await self._tree(session_id)
        answers = [running.answer for running in tree.running.values()] if tree else []
        return [(answer, question_of(tree.entries[answer.question_id])) for answer in answers if tree]

    async def expired_answers(self, owner: str) -> list[ExpiredAnswer]:
        expired = [
            ExpiredAnswer(running.answer, without_parent(tree.entries[running.answer.question_id]))
            for tree in self._trees.values()
            for running in tree.running.values()
            if self._is_expired(running, owner)
        ]
        return expired[:_EXPIRED_PAGE]

    async def forget_ended_answers(self) -> None:
        """Nothing is kept: no read can be half way when an answer ends."""

    def _is_expired(self, running: Running, owner: str) -> bool:
        """Whether its process is gone: no other can be alive, so whoever else holds it is."""
        return running.lease_until < self._ms() or running.answer.owner != owner

    def _lease(self, seconds: float) -> int:
        return self._ms() + int(seconds * 1000)
