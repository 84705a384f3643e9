"""The subscriptions: an answer as it comes, and summaries as they land."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.types.node import DialogueNode
from graph_session.domain.entries import SummaryKind, SummaryState
from graph_session.domain.errors import InvalidInput
from graph_session.domain.nodes import NodeStatus
from graph_session.services.follow import AnswerEnd, AnswerPiece, SummaryLanded


@strawberry.interface(description="`sequence` grows; a client that lost its connection resumes after the last it saw.")
class AnswerEvent:
    node_id: strawberry.ID
    sequence: int


@strawberry.type(description="More of the answer, or of the model's thinking.")
class AnswerDelta(AnswerEvent):
    text: str
    thinking: bool


@strawberry.type(description="The answer has ended, or was cancelled.")
class AnswerDone(AnswerEvent):
    node: DialogueNode


@strawberry.type(description="The answer has failed; the node keeps what had come.")
class AnswerFailed(AnswerEvent):
    node: DialogueNode
    code: str
    message: str


@strawberry.type(description="A summary has ended, well (DONE) or not (FAILED).")
class SummaryCompleted:
    node_id: strawberry.ID
    kind: SummaryKind
    state: SummaryState
    summary: str | None
    node: DialogueNode | None
    revision: int = strawberry.field(description="The session's revision; resume with `afterRevision`.")


@strawberry.type
class Subscription:
    @strawberry.subscription(description="An answer from its beginning, or from after a sequence number, to its end.")
    async def answer(
        self, info: ApiInfo, node_id: strawberry.ID, after_sequence: int | None = 0
    ) -> AsyncGenerator[AnswerEvent, None]:
        after = after_sequence or 0
        if after < 0:
            raise InvalidInput("afterSequence is negative.", "afterSequence")
        following = info.context.services.follow.answer(info.context.principal, node_id, after)
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield _answer_event(node_id, event)

    @strawberry.subscription(description="Summaries of a session as they end, from now on or from after a revision.")
    async def summary_completed(
        self, info: ApiInfo, session_id: strawberry.ID, after_revision: int | None = None
    ) -> AsyncGenerator[SummaryCompleted, None]:
        following = info.context.services.follow.summaries(info.context.principal, session_id, after_revision)
        async with contextlib.aclosing(following) as events:
            async for landed in events:
                yield _summary_completed(landed)


def _answer_event(node_id: strawberry.ID, event: AnswerPiece | AnswerEnd) -> AnswerEvent:
    if isinstance(event, AnswerPiece):
        return AnswerDelta(
            node_id=node_id, sequence=event.sequence, text=event.piece.text, thinking=event.piece.thinking
        )
    node = DialogueNode.of(event.node)
    if event.node.status in (NodeStatus.FAILED, NodeStatus.INTERRUPTED):
        return AnswerFailed(
            node_id=node_id,
            sequence=event.sequence,
            node=node,
            code=event.node.error_code or "PROVIDER_ERROR",
            message=event.node.error or "The model did not answer.",
        )
    return AnswerDone(node_id=node_id, sequence=event.sequence, node=node)


def _summary_completed(landed: SummaryLanded) -> SummaryCompleted:
    node = DialogueNode.of(landed.node)
    is_anchor = landed.kind is SummaryKind.ANCHOR
    return SummaryCompleted(
        node_id=node.node_id,
        kind=landed.kind,
        state=node.summary_state,
        summary=node.anchor_summary if is_anchor else node.node_summary,
        node=node,
        revision=landed.revision,
    )
