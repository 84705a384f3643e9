"""The JSON form of entries (one line of a session file) and the canonical bytes that hashes are taken over."""

from __future__ import annotations

from typing import Any

import orjson

from graph_session.domain import entries as e
from graph_session.domain.content import (
    Block,
    JsonObject,
    block_from_json,
    block_to_json,
    usage_from_json,
    usage_to_json,
)

_MESSAGE_NAMES = {
    *("role", "content", "provider", "model", "usage", "stopReason", "errorMessage"),
    *("toolCallId", "toolName", "isError"),
}


def body_to_json(body: e.Body) -> dict[str, Any]:
    """The fields of an entry beyond the common four."""
    match body:
        case e.Message():
            return {"message": _message_to_json(body)}
        case e.CustomMessage():
            content = [block_to_json(block) for block in body.content]
            known = {"customType": body.custom_type, "content": content, "display": body.display}
            return known | _details(body.details)
        case e.ModelChange():
            return {"provider": body.provider, "modelId": body.model_id}
        case e.ThinkingLevelChange():
            return {"thinkingLevel": body.level}
        case e.ActiveToolsChange():
            return {"activeToolNames": list(body.tool_names)}
        case e.SessionInfo():
            return {"name": body.name}
        case e.Label():
            return {"targetId": body.target_id, "label": body.label}
        case e.Compaction():
            kept = {"summary": body.summary, "firstKeptEntryId": body.first_kept_entry_id}
            return kept | {"tokensBefore": body.tokens_before} | _details(body.details)
        case e.BranchSummary():
            known = {"fromId": body.from_id, "summary": body.summary, "scope": body.scope.value}
            return known | _details(body.details)
        case e.Custom():
            return {"customType": body.custom_type, "data": body.data}
        case e.LeafMove():
            return {"targetId": body.target_id}


def body_from_json(type: e.EntryType, raw: JsonObject) -> e.Body:
    """The body of `body_to_json`'s form. Raises KeyError, TypeError or ValueError where a field is missing or wrong."""
    match type:
        case e.EntryType.MESSAGE:
            return _message_from_json(raw["message"])
        case e.EntryType.CUSTOM_MESSAGE:
            return e.CustomMessage(
                custom_type=raw["customType"],
                content=_content_from_json(raw["content"]),
                display=raw.get("display", True),
                details=raw.get("details"),
            )
        case e.EntryType.MODEL_CHANGE:
            return e.ModelChange(provider=raw["provider"], model_id=raw["modelId"])
        case e.EntryType.THINKING_LEVEL_CHANGE:
            return e.ThinkingLevelChange(level=raw["thinkingLevel"])
        case e.EntryType.ACTIVE_TOOLS_CHANGE:
            return e.ActiveToolsChange(tool_names=tuple(raw["activeToolNames"]))
        case e.EntryType.SESSION_INFO:
            return e.SessionInfo(name=raw.get("name"))
        case e.EntryType.LABEL:
            return e.Label(target_id=raw["targetId"], label=raw.get("label"))
        case e.EntryType.COMPACTION:
            return e.Compaction(
                summary=raw["summary"],
                first_kept_entry_id=raw["firstKeptEntryId"],
                tokens_before=raw["tokensBefore"],
                details=raw.get("details"),
            )
        case e.EntryType.BRANCH_SUMMARY:
            scope = e.SummaryScope(raw.get("scope", e.SummaryScope.BRANCH))
            return e.BranchSummary(
                from_id=raw["fromId"], summary=raw["summary"], scope=scope, details=raw.get("details")
            )
        case e.EntryType.CUSTOM:
            return e.Custom(custom_type=raw["customType"], data=raw.get("data"))
        case e.EntryType.LEAF:
            return e.LeafMove(target_id=raw["targetId"])


def entry_to_json(entry: e.Entry) -> dict[str, Any]:
    """The whole JSON form of an entry: one object, as it stands on a line of a session file."""
    common = {"type": entry.type.value, "id": entry.id, "parentId": entry.parent_id, "timestamp": entry.timestamp}
    return common | body_to_json(entry.body) | dict(entry.extra)


def canonical(value: object) -> bytes:
    """The canonical bytes of a JSON value: UTF-8, keys sorted, no spaces."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _details(details: JsonObject | None) -> dict[str, Any]:
    return {} if details is None else {"details": dict(details)}


def _content_from_json(content: str | list[JsonObject]) -> tuple[Block, ...]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return tuple(block_from_json(block) for block in blocks)


def _message_to_json(message: e.Message) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "role": message.role.value,
        "content": [block_to_json(block) for block in message.content],
        "provider": message.provider,
        "model": message.model,
        "usage": None if message.usage is None else usage_to_json(message.usage),
        "stopReason": None if message.stop_reason is None else message.stop_reason.value,
        "errorMessage": message.error,
        "toolCallId": message.tool_call_id,
        "toolName": message.tool_name,
        "isError": message.is_error if message.role is e.Role.TOOL_RESULT else None,
    }
    return {name: value for name, value in raw.items() if value is not None} | dict(message.extra)


def _message_from_json(raw: JsonObject) -> e.Message:
    usage, stop = raw.get("usage"), raw.get("stopReason")
    return e.Message(
        role=e.Role(raw["role"]),
        content=_content_from_json(raw["content"]),
        provider=raw.get("provider"),
        model=raw.get("model"),
        usage=None if usage is None else usage_from_json(usage),
        stop_reason=None if stop is None else e.StopReason(stop),
        error=raw.get("errorMessage"),
        tool_call_id=raw.get("toolCallId"),
        tool_name=raw.get("toolName"),
        is_error=bool(raw.get("isError", False)),
        extra={name: value for name, value in raw.items() if name not in _MESSAGE_NAMES},
    )
