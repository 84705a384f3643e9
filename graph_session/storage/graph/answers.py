"""Questions and running answers in the graph."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.answers import Piece, RunningAnswer, encode_pieces
from graph_session.domain.entries import Entry
from graph_session.domain.errors import NotFound
from graph_session.domain.ids import timestamp_now
from graph_session.domain.nodes import Question
from graph_session.domain.sessions import Session
from graph_session.domain.triggers import Marks
from graph_session.storage.graph.database import Row, Transaction
from graph_session.storage.graph.part import GraphPart, leaf_parameters
from graph_session.storage.graph.records import (
    Properties,
    answer_from,
    answer_properties,
    entry_from,
    entry_properties,
    position,
    question_from,
    session_from,
)
from graph_session.storage.protocol import ANYWHERE, ExpectedLeaf, ExpiredAnswer

_KEEP_ENDED_MS = 10_000


def request_key(session_id: str, request_id: str) -> str:
    """A client's request id, unique within its session."""
    return f"{session_id}:{request_id}"


class GraphAnswers(GraphPart):
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
        properties = entry_properties(question)
        if request_id is not None:
            properties["request_key"] = request_key(question.session_id, request_id)
            properties["request_answer_id"] = answer.id
        parameters = {
            "session_id": question.session_id,
            "question": properties,
            "answer": answer_properties(answer),
            "parent_id": question.parent_id or "",
            "superseded": superseded or "",
            "lease_ms": int(lease_seconds * 1000),
            **leaf_parameters(expected_leaf),
        }
        if compaction is None:
            row = await self._db.row("answer_question", **parameters)
        else:
            row = await self._db.transaction(lambda tx: _below(tx, compaction, parameters))
        if row is None:
            above = question.parent_id if compaction is None else compaction.parent_id
            raise await self._refuse(question.session_id, expected_leaf, above)
        return session_from(row["session"])

    async def begin_again(self, answer: RunningAnswer, *, lease_seconds: float) -> Session:
        row = await self._db.row(
            "answer_again",
            session_id=answer.session_id,
            question_id=answer.question_id,
            answer=answer_properties(answer),
            lease_ms=int(lease_seconds * 1000),
            now=timestamp_now(),
        )
        if row is None:
            raise NotFound("question", answer.question_id)
        return session_from(row["session"])

    async def renew_answer(
        self, answer_id: str, owner: str, pieces: Sequence[Piece], lease_seconds: float
    ) -> bool | None:
        row = await self._db.row(
            "answer_renew",
            id=answer_id,
            owner=owner,
            partial=encode_pieces(pieces),
            lease_ms=int(lease_seconds * 1000),
        )
        return None if row is None else bool(row["cancel"])

    async def finish_answer(self, entry: Entry, *, owner: str, marks: Marks, expired: bool = False) -> Session | None:
        row = await self._db.row(
            "answer_finish",
            session_id=entry.session_id,
            id=entry.id,
            parent_id=entry.parent_id or "",
            answer=entry_properties(entry),
            owner=owner,
            expired=expired,
            exclusive=self.exclusive,
            anchor=marks.anchor or "",
            turns=list(marks.turns),
            now=timestamp_now(),
        )
        return None if row is None else session_from(row["session"])

    async def cancel_answer(self, answer_id: str) -> bool:
        return await self._db.row("answer_cancel", id=answer_id) is not None

    async def running_answer(self, answer_id: str) -> RunningAnswer | None:
        row = await self._db.row("node_read", ids=[answer_id])
        node = row["nodes"][0] if row and row["nodes"] else None
        return answer_from(node["answer"]) if node and node["answer"] and not node["entry"] else None

    async def running(self, session_id: str) -> list[tuple[RunningAnswer, Question]]:
        row = await self._db.row("node_running", session_id=session_id)
        nodes = [node for node in (row["nodes"] if row else []) if not node["written"]]
        return [(answer_from(node["answer"]), question_from(node["asked"])) for node in nodes]

    async def expired_answers(self, owner: str) -> list[ExpiredAnswer]:
        rows = await self._db.rows("answers_expired", owner=owner, exclusive=self.exclusive)
        return [ExpiredAnswer(answer_from(row["answer"]), entry_from(row["question"], None)) for row in rows]

    async def forget_ended_answers(self, keep_ms: int = _KEEP_ENDED_MS) -> None:
        await self._db.rows("answers_forget", keep_ms=keep_ms)


async def _below(tx: Transaction, compaction: Entry, parameters: Properties) -> Row | None:
    """Write a compaction and the question below it."""
    begun = await tx.rows(
        "append_begin",
        **{name: parameters[name] for name in ("session_id", "check_leaf", "expected_leaf", "now")},
        count=1,
        nodes=0,
        moves_leaf=False,
        leaf_id=None,
        renames=False,
        name=None,
    )
    if not begun:
        return None
    place = position(compaction.session_id, begun[0]["session"]["next_sequence"] - 1)
    properties = entry_properties(compaction) | {"position": place}
    await tx.rows("append_entries", rows=[{"kind": compaction.type, "properties": properties}])
    joined = await tx.rows("append_parents", edges=[{"child": compaction.id, "parent": compaction.parent_id}])
    asked = await tx.rows("answer_question", **parameters) if joined else []
    if not asked:
        raise NotFound("entry", compaction.parent_id or "")
    return asked[0]
