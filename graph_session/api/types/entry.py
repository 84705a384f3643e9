"""Entries: one interface, and one type for each of the eleven types of entry."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import strawberry
from strawberry.scalars import JSON

from graph_session.api.context import ApiInfo
from graph_session.api.types.usage import Usage
from graph_session.domain import entries as domain
from graph_session.domain.content import Block, block_to_json
from graph_session.domain.content import Usage as DomainUsage
from graph_session.domain.entries import EntryType, SummaryScope, SummaryState
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.jsonform import entry_to_json

# Fields of one name must be of one type, so that a query can ask for those of all types of entries at once.
ALWAYS = "Always there."

strawberry.enum(EntryType, description="What an entry is.")
strawberry.enum(SummaryState, description="Where the making of a summary stands.")
strawberry.enum(
    SummaryScope,
    description="HISTORY: what came before a fork; BRANCH: what happened on another branch.",
)


@strawberry.interface(description="A node of the tree. Its content never changes.")
class Entry:
    entry: strawberry.Private[domain.Entry]
    id: strawberry.ID
    parent_id: strawberry.ID | None
    type: EntryType
    timestamp: datetime
    session_id: strawberry.ID
    depth: int
    hash: str = strawberry.field(description="SHA-256 over the parent's hash and the entry's canonical content.")

    @strawberry.field(description="All of it in the JSONL form, with the fields that this version does not know.")
    def json(self) -> JSON:
        return JSON(entry_to_json(self.entry))


@strawberry.type(description="A message of the user, of the assistant, or a tool's result.")
class MessageEntry(Entry):
    tokens: strawberry.Private[DomainUsage | None]
    role: str = strawberry.field(description="user, assistant or toolResult")
    text: str
    content: JSON = strawberry.field(description="The content blocks, as in the JSONL form.")
    provider: str | None
    model: str | None
    stop_reason: str | None
    error: str | None
    tool_call_id: str | None
    tool_name: str | None
    is_error: bool

    @strawberry.field
    def usage(self, info: ApiInfo) -> Usage | None:
        return Usage.priced(self.tokens, self.model, info.context.services.catalogue)


@strawberry.type(description="An application's own message; a model sees it as a user message.")
class CustomMessageEntry(Entry):
    custom_type: str
    content: JSON
    display: bool
    details: JSON | None


@strawberry.type(description="From here down another model answers.")
class ModelChangeEntry(Entry):
    provider: str | None = strawberry.field(description=ALWAYS)
    model_id: str


@strawberry.type(description="From here down the model thinks at this level.")
class ThinkingLevelChangeEntry(Entry):
    level: str


@strawberry.type(description="From here down these tools are offered.")
class ActiveToolsChangeEntry(Entry):
    tool_names: list[str]


@strawberry.type(description="The session's name; the latest one holds.")
class SessionInfoEntry(Entry):
    name: str | None


@strawberry.type(description="A label on an entry; the latest one holds.")
class LabelEntry(Entry):
    target_id: strawberry.ID | None = strawberry.field(description=ALWAYS)
    label: str | None


@strawberry.type(description="A summary of everything before the first kept entry.")
class CompactionEntry(Entry):
    summary: str
    first_kept_entry_id: strawberry.ID
    tokens_before: int
    details: JSON | None


@strawberry.type(description="A summary of what came before a fork, or of another branch.")
class BranchSummaryEntry(Entry):
    from_id: strawberry.ID
    summary: str = strawberry.field(description="Empty while it is being made.")
    scope: SummaryScope
    details: JSON | None
    summary_state: SummaryState = strawberry.field(description="NONE: it was written with its text.")
    summary_error: str | None


@strawberry.type(description="An application's own data; never sent to a model.")
class CustomEntry(Entry):
    custom_type: str
    data: JSON | None


@strawberry.type(description="A record of a move of the leaf.")
class LeafEntry(Entry):
    target_id: strawberry.ID | None


ENTRY_TYPES = [
    MessageEntry,
    CustomMessageEntry,
    ModelChangeEntry,
    ThinkingLevelChangeEntry,
    ActiveToolsChangeEntry,
    SessionInfoEntry,
    LabelEntry,
    CompactionEntry,
    BranchSummaryEntry,
    CustomEntry,
    LeafEntry,
]


def entry_of(entry: domain.Entry) -> Entry:
    """The GraphQL object of an entry, of the type that fits it."""
    common: dict[str, Any] = {
        "id": entry.id,
        "parent_id": entry.parent_id,
        "type": entry.type,
        "timestamp": parse_timestamp(entry.timestamp),
        "session_id": entry.session_id,
        "depth": entry.place.depth,
        "hash": entry.hash,
        "entry": entry,
    }
    match entry.body:
        case domain.Message() as body:
            return MessageEntry(
                **common,
                role=body.role.value,
                text=body.text,
                content=_blocks(body.content),
                provider=body.provider,
                model=body.model,
                tokens=body.usage,
                stop_reason=body.stop_reason,
                error=body.error,
                tool_call_id=body.tool_call_id,
                tool_name=body.tool_name,
                is_error=body.is_error,
            )
        case domain.CustomMessage() as body:
            return CustomMessageEntry(
                **common,
                custom_type=body.custom_type,
                content=_blocks(body.content),
                display=body.display,
                details=_json(body.details),
            )
        case domain.ModelChange() as body:
            return ModelChangeEntry(**common, provider=body.provider, model_id=body.model_id)
        case domain.ThinkingLevelChange() as body:
            return ThinkingLevelChangeEntry(**common, level=body.level)
        case domain.ActiveToolsChange() as body:
            return ActiveToolsChangeEntry(**common, tool_names=list(body.tool_names))
        case domain.SessionInfo() as body:
            return SessionInfoEntry(**common, name=body.name)
        case domain.Label() as body:
            return LabelEntry(**common, target_id=strawberry.ID(body.target_id), label=body.label)
        case domain.Compaction() as body:
            return CompactionEntry(
                **common,
                summary=body.summary,
                first_kept_entry_id=strawberry.ID(body.first_kept_entry_id),
                tokens_before=body.tokens_before,
                details=_json(body.details),
            )
        case domain.BranchSummary() as body:
            return BranchSummaryEntry(
                **common,
                from_id=strawberry.ID(body.from_id),
                summary=domain.summary_text(entry),
                scope=body.scope,
                details=_json(body.details),
                summary_state=entry.summary.state,
                summary_error=entry.summary.error,
            )
        case domain.Custom() as body:
            return CustomEntry(**common, custom_type=body.custom_type, data=JSON(body.data))
        case domain.LeafMove() as body:
            return LeafEntry(**common, target_id=None if body.target_id is None else strawberry.ID(body.target_id))


def _blocks(blocks: tuple[Block, ...]) -> JSON:
    return JSON([block_to_json(block) for block in blocks])


def _json(details: Any) -> JSON | None:
    return None if details is None else JSON(dict(details))
