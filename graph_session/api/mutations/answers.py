"""Mutations around answers: ask, regenerate, cancel, and a summary's retry."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.mutations.sessions import EXPECTED_LEAF, expected_leaf_of
from graph_session.api.types.failure import (
    InvalidActivePath,
    InvalidInput,
    LeafConflict,
    ModelFailure,
    NotFound,
    StorageUnavailable,
    result,
)
from graph_session.api.types.node import DialogueNode
from graph_session.api.types.session import Session
from graph_session.domain.nodes import NodeStatus
from graph_session.services.ask import Asked


@strawberry.input
class AskInput:
    session_id: strawberry.ID
    active_path: list[strawberry.ID] = strawberry.field(
        description="The node ids from the root to the node to ask below; empty: a new root."
    )
    user_question: str
    wait: bool | None = strawberry.field(
        default=True, description="False: return at once with the running node; follow it with `answer`."
    )
    expected_leaf: strawberry.ID | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED_LEAF)
    client_request_id: strawberry.ID | None = strawberry.field(
        default=None, description="The same id again returns the first result: a retry never asks twice."
    )


@strawberry.type
class AskPayload:
    new_node_id: strawberry.ID
    ai_answer: str | None = strawberry.field(description="Null while the answer runs.")
    node: DialogueNode
    session: Session


@strawberry.type
class CancelAnswerPayload:
    node: DialogueNode
    session: Session


@strawberry.type
class RetrySummaryPayload:
    node: DialogueNode


AskResult = Annotated[
    AskPayload | InvalidActivePath | LeafConflict | NotFound | InvalidInput | ModelFailure | StorageUnavailable,
    strawberry.union("AskResult"),
]
CancelAnswerResult = Annotated[
    CancelAnswerPayload | NotFound | StorageUnavailable, strawberry.union("CancelAnswerResult")
]
RetrySummaryResult = Annotated[
    RetrySummaryPayload | NotFound | StorageUnavailable, strawberry.union("RetrySummaryResult")
]


@strawberry.type
class AnswerMutations:
    @strawberry.mutation(description="Ask below the last node of the active path.")
    async def ask(self, info: ApiInfo, input: AskInput) -> AskResult:
        asked = info.context.services.ask.ask(
            info.context.principal,
            input.session_id,
            input.active_path,
            input.user_question,
            wait=input.wait is not False,
            expected_leaf=expected_leaf_of(input.expected_leaf),
            request_id=input.client_request_id,
        )
        return await result(info.context, _payload(asked))

    @strawberry.mutation(description="Answer a node's question again; the new answer is its sibling.")
    async def regenerate(self, info: ApiInfo, node_id: strawberry.ID, wait: bool | None = True) -> AskResult:
        asked = info.context.services.ask.regenerate(info.context.principal, node_id, wait=wait is not False)
        return await result(info.context, _payload(asked))

    @strawberry.mutation(description="Stop an answer and keep what has come of it.")
    async def cancel_answer(self, info: ApiInfo, node_id: strawberry.ID) -> CancelAnswerResult:
        async def work() -> CancelAnswerPayload:
            asked = await info.context.services.ask.cancel(info.context.principal, node_id)
            return CancelAnswerPayload(node=DialogueNode.of(asked.node), session=Session.of(asked.session))

        return await result(info.context, work())

    @strawberry.mutation(description="Try a summary again that has failed.")
    async def retry_summary(self, info: ApiInfo, node_id: strawberry.ID) -> RetrySummaryResult:
        async def work() -> RetrySummaryPayload:
            node = await info.context.services.worker.retry(info.context.principal, node_id)
            return RetrySummaryPayload(node=DialogueNode.of(node))

        return await result(info.context, work())


async def _payload(asking: Awaitable[Asked]) -> AskPayload:
    asked = await asking
    node = DialogueNode.of(asked.node)
    running = asked.node.status is NodeStatus.RUNNING
    return AskPayload(
        new_node_id=node.node_id,
        ai_answer=None if running else asked.node.ai_content,
        node=node,
        session=Session.of(asked.session),
    )
