"""Domain values as properties of graph nodes, and back.

Nothing is stored twice: a message that is one block of text is its `text`; only other contents are kept as JSON beside
it, and the parent is the PARENT edge alone. Properties that are None are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from graph_session.domain.answers import RunningAnswer, decode_pieces, encode_pieces
from graph_session.domain.context import is_boundary
from graph_session.domain.entries import (
    Body,
    Entry,
    EntryType,
    Message,
    Place,
    Summary,
    SummaryKind,
    SummaryState,
    text_of_body,
)
from graph_session.domain.jsonform import body_from_json, body_to_json, canonical
from graph_session.domain.nodes import Question
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.turns import finished

Properties = dict[str, Any]

_USAGE = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cacheRead": "cache_read_tokens",
    "cacheWrite": "cache_write_tokens",
}
_MESSAGE = {
    "role": "role",
    "provider": "provider",
    "model": "model",
    "stopReason": "stop_reason",
    "errorMessage": "error",
}
_LONG_AGO = 1


def entry_properties(entry: Entry) -> Properties:
    """All of an entry but its place in the order of creation, which is given when it is written."""
    place = entry.place
    properties = {
        "id": entry.id,
        "session_id": entry.session_id,
        "type": entry.type.value,
        "timestamp": entry.timestamp,
        "hash": entry.hash,
        **_body_properties(entry.body),
        "extra": canonical(entry.extra).decode() if entry.extra else None,
        "depth": place.depth,
        "turns_above": place.turns_above,
        "node_above": place.node_above,
        "question_id": place.question_id,
        "path_hash": place.path_hash,
        "tokens": place.tokens,
        "path_tokens": place.path_tokens,
        "model_from": place.model_from,
        "thinking_from": place.thinking_from,
        "tools_from": place.tools_from,
        "kept_depth": place.kept_depth,
        "ends_turn": entry.ends_turn,
        "finished": finished(entry),
        "is_node": entry.is_node,
        "is_boundary": is_boundary(entry),
        "is_summary_anchor": entry.summary.is_anchor,
        **_summary_properties(entry.summary),
    }
    return {name: value for name, value in properties.items() if value is not None}


def entry_from(properties: Mapping[str, Any], parent_id: str | None) -> Entry:
    """The entry of a node's properties and its parent's id."""
    return Entry(
        id=properties["id"],
        session_id=properties["session_id"],
        parent_id=parent_id,
        timestamp=properties["timestamp"],
        body=_body_from(properties),
        place=Place(
            depth=properties["depth"],
            turns_above=properties["turns_above"],
            node_above=properties.get("node_above"),
            question_id=properties.get("question_id"),
            path_hash=properties["path_hash"],
            tokens=properties["tokens"],
            path_tokens=properties["path_tokens"],
            model_from=properties.get("model_from"),
            thinking_from=properties.get("thinking_from"),
            tools_from=properties.get("tools_from"),
            kept_depth=properties.get("kept_depth"),
        ),
        hash=properties["hash"],
        sequence=sequence_of(properties["position"]),
        is_node=properties["is_node"],
        summary=summary_from(properties),
        label=properties.get("label"),
        extra=orjson.loads(properties["extra"]) if properties.get("extra") else {},
    )


def path_from(nodes: list[Mapping[str, Any]], parent_id: str | None) -> list[Entry]:
    """Entries of a walk upwards (nearest first, `parent_id` the parent of the last), oldest first."""
    if not nodes:
        return []
    parents = [*(node["id"] for node in nodes[1:]), parent_id]
    return [entry_from(node, parent) for node, parent in zip(reversed(nodes), reversed(parents), strict=True)]


def summary_from(properties: Mapping[str, Any]) -> Summary:
    """The derived fields beside an entry."""
    kind = properties.get("summary_kind")
    return Summary(
        state=SummaryState(properties.get("summary_state") or SummaryState.NONE),
        kind=SummaryKind(kind) if kind else None,
        is_anchor=properties["is_summary_anchor"],
        node_summary=properties.get("node_summary"),
        anchor_summary=properties.get("anchor_summary"),
        branch_summary=properties.get("branch_summary"),
        model=properties.get("summary_model"),
        attempts=properties.get("summary_attempts") or 0,
        error=properties.get("summary_error"),
    )


def _summary_properties(summary: Summary) -> Properties:
    """What an entry brings along that has been summarised elsewhere; work that was not done there is due here."""
    if summary.kind is None:
        return {}
    return {
        "summary_state": summary.state.value,
        "summary_kind": summary.kind.value,
        "node_summary": summary.node_summary,
        "anchor_summary": summary.anchor_summary,
        "branch_summary": summary.branch_summary,
        "summary_model": summary.model,
        "summary_attempts": summary.attempts,
        "summary_error": summary.error,
        "summary_due": _LONG_AGO if summary.waits else None,
    }


def sequence_of(position: str) -> int:
    """The sequence number in a position: `SESSION:000000000042`."""
    return int(position.rpartition(":")[2])


def position(session_id: str, sequence: int) -> str:
    """The position of a sequence number; positions of a session sort as their numbers do."""
    return f"{session_id}:{sequence:012d}"


def question_from(properties: Mapping[str, Any]) -> Question:
    """What a node shows of its question."""
    return Question(id=properties["id"], text=properties["text"], timestamp=properties["timestamp"])


def answer_properties(answer: RunningAnswer) -> Properties:
    """A running answer, but its lease and its place in the order of creation."""
    properties = {
        "id": answer.id,
        "session_id": answer.session_id,
        "question_id": answer.question_id,
        "node_above": answer.node_above,
        "owner": answer.owner,
        "model": answer.model,
        "started": answer.started,
        "partial": encode_pieces(answer.partial),
    }
    return {name: value for name, value in properties.items() if value is not None}


def answer_from(properties: Mapping[str, Any]) -> RunningAnswer:
    """The running answer of a node's properties."""
    return RunningAnswer(
        id=properties["id"],
        session_id=properties["session_id"],
        question_id=properties["question_id"],
        node_above=properties.get("node_above"),
        owner=properties["owner"],
        model=properties["model"],
        started=properties["started"],
        sequence=sequence_of(properties["position"]),
        partial=decode_pieces(properties["partial"]),
    )


def session_properties(session: Session) -> Properties:
    """What a new session is created with."""
    config = session.config
    properties = {
        "id": session.id,
        "owner": session.owner,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "name": session.name,
        "system_prompt": session.system_prompt,
        "model": session.model,
        "linear_threshold": config.linear_threshold,
        "keep_raw_count": config.keep_raw_count,
        "anchor_budget_tokens": config.anchor_budget_tokens,
        "reserve_tokens": config.reserve_tokens,
        "keep_recent_tokens": config.keep_recent_tokens,
    }
    return {name: value for name, value in properties.items() if value is not None}


def session_from(properties: Mapping[str, Any]) -> Session:
    """The session of a node's properties."""
    return Session(
        id=properties["id"],
        owner=properties["owner"],
        created_at=properties["created_at"],
        updated_at=properties["updated_at"],
        name=properties.get("name"),
        system_prompt=properties.get("system_prompt"),
        model=properties.get("model"),
        config=SessionConfig(
            linear_threshold=properties["linear_threshold"],
            keep_raw_count=properties["keep_raw_count"],
            anchor_budget_tokens=properties["anchor_budget_tokens"],
            reserve_tokens=properties["reserve_tokens"],
            keep_recent_tokens=properties["keep_recent_tokens"],
        ),
        leaf_id=properties.get("leaf_id"),
        revision=properties["revision"],
        node_count=properties["node_count"],
        entry_count=properties["entry_count"],
        next_sequence=properties["next_sequence"],
    )


def _body_properties(body: Body) -> Properties:
    raw = body_to_json(body)
    text = text_of_body(body)
    if not isinstance(body, Message):
        return {"text": text, "data": canonical(raw).decode()}
    message = raw["message"]
    properties: Properties = {"text": text}
    properties |= {name: message.pop(key, None) for key, name in _MESSAGE.items()}
    if body.usage is not None:
        usage = message.pop("usage")
        properties |= {name: usage.pop(key) for key, name in _USAGE.items()}
        if usage:
            message["usage"] = usage
    if message["content"] == [{"type": "text", "text": text}]:
        del message["content"]
    properties["data"] = canonical(message).decode() if message else None
    return properties


def _body_from(properties: Mapping[str, Any]) -> Body:
    kind = EntryType(properties["type"])
    data = orjson.loads(properties["data"]) if properties.get("data") else {}
    if kind is not EntryType.MESSAGE:
        return body_from_json(kind, data)
    message = {key: properties[name] for key, name in _MESSAGE.items() if properties.get(name) is not None} | data
    message.setdefault("content", [{"type": "text", "text": properties["text"]}])
    if properties.get("input_tokens") is not None:
        message["usage"] = {key: properties[name] for key, name in _USAGE.items()} | data.get("usage", {})
    return body_from_json(EntryType.MESSAGE, {"message": message})
