"""The subscriptions: an answer as it comes, summaries as they land, changes of a session."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.types.node import DialogueNode
from graph_session.api.types.session import Session
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
    node_id: strawberry.ID = strawberry.field(description="Of the node; of a branch summary, its entry.")
    kind: SummaryKind
    state: SummaryState
    summary: str | None
    node: DialogueNode | None = strawberry.field(description="Null for a branch summary, which is no turn.")
    revision: int = strawberry.field(description="The session's revision; resume with `afterRevision`.")


@strawberry.type(description="A session has changed; changes that come fast are told as one.")
class SessionChange:
    revision: int = strawberry.field(description="Resume with `afterRevision`.")
    kind: str = strawberry.field(
        description="ENTRIES, SUMMARY, LEAF or SESSION (name, model, prompt, config), the first that fits; CHANGED "
        "where nodeIds are not all, as after a resumption: read again what you show."
    )
    node_ids: list[strawberry.ID] = strawberry.field(
        description="The nodes that are new or drawn another way, at most 500: `treeOutline` has their rows. Branch "
        "summaries whose texts are due or there are among them, and questions that are no nodes any more."
    )
    session: Session


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

    @strawberry.subscription(description="Changes of a session, from now on or from after a revision.")
    async def session_changed(
        self, info: ApiInfo, session_id: strawberry.ID, after_revision: int | None = None
    ) -> AsyncGenerator[SessionChange, None]:
        following = info.context.services.follow.changes(info.context.principal, session_id, after_revision)
        async with contextlib.aclosing(following) as events:
            async for changed in events:
                yield SessionChange(
                    revision=changed.session.revision,
                    kind=changed.kind.value,
                    node_ids=[strawberry.ID(node_id) for node_id in changed.node_ids],
                    session=Session.of(changed.session),
                )


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
    summary = landed.entry.summary
    texts = {SummaryKind.ANCHOR: summary.anchor_summary, SummaryKind.BRANCH: summary.branch_summary}
    return SummaryCompleted(
        node_id=strawberry.ID(landed.entry.id),
        kind=landed.kind,
        state=summary.state,
        summary=texts.get(landed.kind, summary.node_summary),
        node=None if landed.node is None else DialogueNode.of(landed.node),
        revision=landed.revision,
    )
