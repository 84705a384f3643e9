"""Mutations that append entries: an agent's own, changes of state, labels, compactions, summaries of branches."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from graph_session.api.context import ApiInfo
from graph_session.api.mutations.sessions import EXPECTED_LEAF, expected_leaf_of
from graph_session.api.types.entry import Entry, entry_of
from graph_session.api.types.failure import (
    InvalidInput,
    LeafConflict,
    ModelFailure,
    NotFound,
    StorageUnavailable,
    result,
)
from graph_session.api.types.session import Session
from graph_session.services.changes import Appended


@strawberry.input
class AppendEntriesInput:
    session_id: strawberry.ID
    parent_id: strawberry.ID | None = strawberry.field(default=None, description="Null: below the leaf.")
    entries: list[JSON] = strawberry.field(
        description="In the JSONL form, oldest first; id, parentId and timestamp may be left out."
    )
    expected_leaf: strawberry.ID | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED_LEAF)


@strawberry.type
class AppendEntriesPayload:
    entries: list[Entry]
    session: Session


@strawberry.type
class CompactPayload:
    entry: Entry | None = strawberry.field(description="Null: there was nothing to gain, and nothing was written.")
    session: Session


@strawberry.type
class SummarizeBranchPayload:
    entry: Entry = strawberry.field(description="Its text is made in the background; see summaryCompleted.")
    session: Session


AppendEntriesResult = Annotated[
    AppendEntriesPayload | NotFound | InvalidInput | LeafConflict | StorageUnavailable,
    strawberry.union("AppendEntriesResult"),
]
CompactResult = Annotated[
    CompactPayload | NotFound | InvalidInput | LeafConflict | ModelFailure | StorageUnavailable,
    strawberry.union("CompactResult"),
]
SummarizeBranchResult = Annotated[
    SummarizeBranchPayload | NotFound | InvalidInput | LeafConflict | StorageUnavailable,
    strawberry.union("SummarizeBranchResult"),
]


@strawberry.type
class EntryMutations:
    @strawberry.mutation(description="Write entries, for an agent that runs its own loop; the leaf moves to the last.")
    async def append_entries(self, info: ApiInfo, input: AppendEntriesInput) -> AppendEntriesResult:
        appending = info.context.services.changes.append(
            info.context.principal,
            input.session_id,
            input.entries,
            parent_id=input.parent_id,
            expected_leaf=expected_leaf_of(input.expected_leaf),
        )
        return await result(info.context, _payload(appending))

    @strawberry.mutation(description="From the leaf down, another model answers.")
    async def change_model(
        self, info: ApiInfo, session_id: strawberry.ID, provider: str, model_id: str
    ) -> AppendEntriesResult:
        changes = info.context.services.changes
        changing = changes.change_model(info.context.principal, session_id, provider, model_id)
        return await result(info.context, _payload(changing))

    @strawberry.mutation(description="From the leaf down, the model thinks at this level.")
    async def change_thinking_level(self, info: ApiInfo, session_id: strawberry.ID, level: str) -> AppendEntriesResult:
        changes = info.context.services.changes
        return await result(
            info.context, _payload(changes.change_thinking_level(info.context.principal, session_id, level))
        )

    @strawberry.mutation(description="From the leaf down, these tools are offered.")
    async def change_active_tools(
        self, info: ApiInfo, session_id: strawberry.ID, tool_names: list[str]
    ) -> AppendEntriesResult:
        changes = info.context.services.changes
        return await result(
            info.context, _payload(changes.change_active_tools(info.context.principal, session_id, tool_names))
        )

    @strawberry.mutation(description="Label an entry or node; null or an empty text clears its label.")
    async def set_label(self, info: ApiInfo, target_id: strawberry.ID, label: str | None = None) -> AppendEntriesResult:
        labelling = info.context.services.changes.set_label(info.context.principal, target_id, label)
        return await result(info.context, _payload(labelling))

    @strawberry.mutation(description="Replace what lies further back on the leaf's path by a summary.")
    async def compact(
        self,
        info: ApiInfo,
        session_id: strawberry.ID,
        instructions: str | None = None,
        keep_recent_tokens: int | None = None,
    ) -> CompactResult:
        async def work() -> CompactPayload:
            entry, session = await info.context.services.ask.compact(
                info.context.principal, session_id, instructions=instructions, keep_recent=keep_recent_tokens
            )
            return CompactPayload(entry=None if entry is None else entry_of(entry), session=Session.of(session))

        return await result(info.context, work())

    @strawberry.mutation(description="Tell one branch (null: the leaf's) what happened on the branch that ends here.")
    async def summarize_branch(
        self, info: ApiInfo, from_id: strawberry.ID, into_id: strawberry.ID | None = None
    ) -> SummarizeBranchResult:
        return await result(info.context, _summarize(info, from_id, into_id))

    @strawberry.mutation(description="Bring a branch into another: the leaf moves there, to a summary of it.")
    async def merge_branch(
        self, info: ApiInfo, from_id: strawberry.ID, into_id: strawberry.ID
    ) -> SummarizeBranchResult:
        return await result(info.context, _summarize(info, from_id, into_id))


async def _payload(appending: Awaitable[Appended]) -> AppendEntriesPayload:
    appended = await appending
    return AppendEntriesPayload(
        entries=[entry_of(entry) for entry in appended.entries], session=Session.of(appended.session)
    )


async def _summarize(info: ApiInfo, from_id: str, into_id: str | None) -> SummarizeBranchPayload:
    entry, session = await info.context.services.branches.summarize(info.context.principal, from_id, into_id)
    return SummarizeBranchPayload(entry=entry_of(entry), session=Session.of(session))
