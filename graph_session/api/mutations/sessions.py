"""Mutations of sessions: create, update, delete, fork, move the leaf."""

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from graph_session.api.context import ApiInfo
from graph_session.api.types.entry import Entry, entry_of
from graph_session.api.types.failure import InvalidInput, LeafConflict, NotFound, StorageUnavailable, result
from graph_session.api.types.session import Session
from graph_session.services.sessions import ForkPosition
from graph_session.storage.protocol import ANYWHERE, ExpectedLeaf

EXPECTED_LEAF = "Refuse with LeafConflict unless the leaf is this entry (null: there is none); absent: do not check."
strawberry.enum(
    ForkPosition,
    description="BEFORE a user message hands its text back for editing; AT an entry makes it the leaf.",
)


@strawberry.input
class SessionConfigInput:
    linear_threshold: int | None = None
    keep_raw_count: int | None = None
    anchor_budget_tokens: int | None = None
    reserve_tokens: int | None = None
    keep_recent_tokens: int | None = None


@strawberry.input
class CreateSessionInput:
    name: str | None = None
    system_prompt: str | None = None
    model: str | None = None
    config: SessionConfigInput | None = None


@strawberry.input(description="What is absent stays as it is; null or an empty text clears it.")
class UpdateSessionInput:
    id: strawberry.ID
    name: str | None = strawberry.UNSET
    system_prompt: str | None = strawberry.UNSET
    model: str | None = strawberry.UNSET
    config: SessionConfigInput | None = None


@strawberry.input
class ForkInput:
    session_id: strawberry.ID
    entry_id: strawberry.ID
    position: ForkPosition
    summarize: bool | None = strawberry.field(
        default=False, description="Summarise what came before the fork point, for the new branch alone."
    )
    label: str | None = strawberry.field(default=None, description="For the summary, else for the fork point.")
    expected_leaf: strawberry.ID | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED_LEAF)


@strawberry.type
class CreateSessionPayload:
    session: Session


@strawberry.type
class UpdateSessionPayload:
    session: Session


@strawberry.type
class DeleteSessionPayload:
    id: strawberry.ID


@strawberry.type
class _AtLeaf:
    session: Session

    @strawberry.field(description="The node ids from the root to the leaf. Its cost grows with the depth of the tree.")
    async def active_path(self, info: ApiInfo) -> list[strawberry.ID]:
        path = await info.context.services.tree.active_path(info.context.principal, self.session.id)
        return [strawberry.ID(node_id) for node_id in path]


@strawberry.type
class ForkPayload(_AtLeaf):
    leaf_id: strawberry.ID | None
    edit_text: str | None = strawberry.field(description="The text of the question that was forked before.")
    branch_summary: Entry | None = strawberry.field(description="The summary that is being made, see summaryCompleted.")


@strawberry.type
class MoveLeafPayload(_AtLeaf):
    pass


ExpectedLeafArgument = Annotated[strawberry.ID | None, strawberry.argument(description=EXPECTED_LEAF)]
CreateSessionResult = Annotated[
    CreateSessionPayload | InvalidInput | StorageUnavailable, strawberry.union("CreateSessionResult")
]
UpdateSessionResult = Annotated[
    UpdateSessionPayload | NotFound | InvalidInput | StorageUnavailable, strawberry.union("UpdateSessionResult")
]
DeleteSessionResult = Annotated[
    DeleteSessionPayload | NotFound | StorageUnavailable, strawberry.union("DeleteSessionResult")
]
ForkResult = Annotated[
    ForkPayload | NotFound | InvalidInput | LeafConflict | StorageUnavailable, strawberry.union("ForkResult")
]
MoveLeafResult = Annotated[
    MoveLeafPayload | NotFound | InvalidInput | LeafConflict | StorageUnavailable, strawberry.union("MoveLeafResult")
]


def expected_leaf_of(given: str | None) -> ExpectedLeaf:
    """The expectation that an input states."""
    return ANYWHERE if given is strawberry.UNSET else given


@strawberry.type
class SessionMutations:
    @strawberry.mutation
    async def create_session(self, info: ApiInfo, input: CreateSessionInput) -> CreateSessionResult:
        async def work() -> CreateSessionPayload:
            session = await info.context.services.sessions.create(
                info.context.principal,
                name=input.name,
                system_prompt=input.system_prompt,
                model=input.model,
                config=_config(input.config),
            )
            return CreateSessionPayload(session=Session.of(session))

        return await result(info.context, work())

    @strawberry.mutation(description="Change name, system prompt, model or config.")
    async def update_session(self, info: ApiInfo, input: UpdateSessionInput) -> UpdateSessionResult:
        async def work() -> UpdateSessionPayload:
            texts = {"name": input.name, "system_prompt": input.system_prompt, "model": input.model}
            given = {field: text for field, text in texts.items() if text is not strawberry.UNSET}
            session = await info.context.services.sessions.update(
                info.context.principal, input.id, given, _config(input.config)
            )
            return UpdateSessionPayload(session=Session.of(session))

        return await result(info.context, work())

    @strawberry.mutation(description="Delete a session with everything in it.")
    async def delete_session(self, info: ApiInfo, id: strawberry.ID) -> DeleteSessionResult:
        async def work() -> DeleteSessionPayload:
            deleted = await info.context.services.sessions.delete(info.context.principal, id)
            return DeleteSessionPayload(id=strawberry.ID(deleted))

        return await result(info.context, work())

    @strawberry.mutation(description="Stand at another place of the tree, to go on from there. Copies nothing.")
    async def fork(self, info: ApiInfo, input: ForkInput) -> ForkResult:
        async def work() -> ForkPayload:
            forked = await info.context.services.sessions.fork(
                info.context.principal,
                input.session_id,
                input.entry_id,
                input.position,
                expected_leaf_of(input.expected_leaf),
                summarize=bool(input.summarize),
                label=input.label,
            )
            session = Session.of(forked.session)
            return ForkPayload(
                leaf_id=session.leaf_id,
                edit_text=forked.edit_text,
                session=session,
                branch_summary=None if forked.branch_summary is None else entry_of(forked.branch_summary),
            )

        return await result(info.context, work())

    @strawberry.mutation(
        description="Move the leaf to an entry, or (null) before the root. At a node whose answer runs it waits at the "
        "question and follows when the answer is there."
    )
    async def move_leaf(
        self,
        info: ApiInfo,
        session_id: strawberry.ID,
        entry_id: strawberry.ID | None = None,
        expected_leaf: ExpectedLeafArgument = strawberry.UNSET,
    ) -> MoveLeafResult:
        async def work() -> MoveLeafPayload:
            sessions = info.context.services.sessions
            session = await sessions.move_leaf(
                info.context.principal, session_id, entry_id, expected_leaf_of(expected_leaf)
            )
            return MoveLeafPayload(session=Session.of(session))

        return await result(info.context, work())


def _config(given: SessionConfigInput | None) -> dict[str, Any]:
    return dict(vars(given)) if given is not None else {}
