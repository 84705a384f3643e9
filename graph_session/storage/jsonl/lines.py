"""The lines of a session file, to and from records.

The first line is the header. Every change is a `change` line, which says how many lines belong to it and what the
session is after it, and then those lines: entries in their JSON form, as pi's session files have them (version 3), and
what else happened, in types of their own. None is ever written anew.

    {"type":"session","version":3,"storage":1,"id":…,"timestamp":…,"cwd":…,"owner":…,"name":…,"config":{…}}
    {"type":"change","lines":2,"revision":1,"leafId":"q","timestamp":…,"owner":…,"name":…,"work":true,"hashes":{"q":…}}
    {"type":"message","id":"q","parentId":null,"timestamp":…,"message":{"role":"user","content":[…]}}
    {"type":"answer_started","answerId":"a","questionId":"q","owner":…,"model":…,"timestamp":…,"leaseUntil":…}

An answer ends with the entry that has its id. `work`: whether an answer runs or a summary is due after the change.
`hashes`: of the change's entries, so that an entry that was changed in the file is found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

import orjson

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import Entry, EntryType, SessionInfo, Summary, SummaryKind, SummaryState
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.text import camel_case
from graph_session.storage.memory.records import (
    AnswerRenewed,
    AnswerStarted,
    CancelRequested,
    Change,
    EntryWritten,
    Record,
    SessionChanged,
    SummaryChanged,
    Work,
)
from graph_session.storage.memory.tree import Tree, changed_session

Line = dict[str, Any]
HEADER = "session"
CHANGE = "change"
ENTRY_TYPES = frozenset(EntryType)
OTHER_TYPES = frozenset({"session_change", "summary", "answer_started", "answer_renewed", "answer_cancel"})
KNOWN_TYPES = ENTRY_TYPES | OTHER_TYPES | {HEADER, CHANGE}
ENTRY_VERSION = 3
STORAGE_VERSION = 1
# Whose a session is that does not say so: the owner of a server without a token.
NOBODY = "local"
_LONG_AGO = "1970-01-01T00:00:00.000Z"
_SUMMARY = [item.name for item in fields(Summary)]
_CONFIG = [item.name for item in fields(SessionConfig)]


def new_file(session: Session, cwd: str) -> bytes:
    """The beginning of a session's file."""
    header = {
        "type": HEADER,
        "version": ENTRY_VERSION,
        "storage": STORAGE_VERSION,
        "id": session.id,
        "timestamp": session.created_at,
        "cwd": cwd,
        "owner": session.owner,
        "name": session.name,
        "systemPrompt": session.system_prompt,
        "model": session.model,
        "config": {camel_case(name): value for name, value in asdict(session.config).items()},
    }
    begun = Change(session.revision, session.leaf_id, session.updated_at)
    return _bytes([header, _change_line(session, begun, work=False)])


def change_lines(tree: Tree, change: Change) -> bytes:
    """A change that is about to be made to a tree, as lines."""
    session = tree.session
    for record in change.records:
        match record:
            case SessionChanged(changes):
                session = changed_session(session, changes)
            case EntryWritten(Entry(body=SessionInfo(name=name))):
                session = replace(session, name=name or None)
            case _:
                pass
    forms = [_form(record) for record in change.records]
    return _bytes([_change_line(session, change, work=_has_work(tree, change)), *forms])


def session_of(header: Line, session_id: str, owner: str | None) -> Session:
    """The session of a header (an empty one, if the header is lost), as it was when it was created."""
    timestamp = header.get("timestamp")
    created_at = str(timestamp) if _is_time(timestamp) else _LONG_AGO
    return Session(
        id=_text(header.get("id")) or session_id,
        owner=_text(header.get("owner")) or owner or NOBODY,
        created_at=created_at,
        updated_at=created_at,
        name=_text(header.get("name")),
        system_prompt=_text(header.get("systemPrompt")),
        model=_text(header.get("model")),
        config=_config(header.get("config")),
    )


def record_of(raw: Line) -> Record:
    """The record of a line that is no entry. Raises KeyError, TypeError or ValueError where a field is wrong."""
    match raw["type"]:
        case "session_change":
            changes = {_snake(name): value for name, value in dict(raw["changes"]).items()}
            changed_session(session_of({}, "", None), changes)
            return SessionChanged(changes)
        case "summary":
            return SummaryChanged(_required(raw, "targetId"), _summary(raw), _work(raw))
        case "answer_started":
            return AnswerStarted(_answer(raw), int(raw["leaseUntil"]), _text(raw.get("requestId")))
        case "answer_renewed":
            answer_id, lease_until = _required(raw, "answerId"), int(raw["leaseUntil"])
            return AnswerRenewed(answer_id, lease_until, int(raw["after"]), _pieces(raw["pieces"]))
        case _:
            return CancelRequested(_required(raw, "answerId"))


def _form(record: Record) -> Line:
    match record:
        case EntryWritten(entry):
            return entry_to_json(entry)
        case SessionChanged(changes):
            return {"type": "session_change", "changes": {camel_case(name): value for name, value in changes.items()}}
        case SummaryChanged(entry_id, summary, work):
            beside = {camel_case(name): value for name, value in (asdict(summary) | asdict(work)).items()}
            return {"type": "summary", "targetId": entry_id, **beside}
        case AnswerStarted(answer, lease_until, request_id):
            return {
                "type": "answer_started",
                "answerId": answer.id,
                "questionId": answer.question_id,
                "nodeAbove": answer.node_above,
                "owner": answer.owner,
                "model": answer.model,
                "timestamp": answer.started,
                "leaseUntil": lease_until,
                "requestId": request_id,
                "partial": _piece_list(answer.partial),
            }
        case AnswerRenewed(answer_id, lease_until, after, pieces):
            kept = {"leaseUntil": lease_until, "after": after, "pieces": _piece_list(pieces)}
            return {"type": "answer_renewed", "answerId": answer_id, **kept}
        case CancelRequested(answer_id):
            return {"type": "answer_cancel", "answerId": answer_id}


def _change_line(session: Session, change: Change, *, work: bool) -> Line:
    line: Line = {
        "type": CHANGE,
        "lines": len(change.records),
        "revision": change.revision,
        "leafId": change.leaf_id,
        "timestamp": change.updated_at,
        "owner": session.owner,
        "name": session.name,
        "work": work,
    }
    hashes = {record.entry.id: record.entry.hash for record in change.records if isinstance(record, EntryWritten)}
    return line | ({"hashes": hashes} if hashes else {})


def _has_work(tree: Tree, change: Change) -> bool:
    running = set(tree.running)
    due = set(tree.due)
    for record in change.records:
        match record:
            case AnswerStarted(answer):
                running.add(answer.id)
            case EntryWritten(entry):
                running.discard(entry.id)
            case SummaryChanged(entry_id, _, work):
                due = due | {entry_id} if work.due is not None else due - {entry_id}
            case _:
                pass
    return bool(running or due)


def _bytes(lines: list[Line]) -> bytes:
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def _summary(raw: Line) -> Summary:
    values = {name: raw[camel_case(name)] for name in _SUMMARY if camel_case(name) in raw}
    kind = SummaryKind(values["kind"]) if values.get("kind") else None
    return Summary(**values | {"state": SummaryState(values["state"]), "kind": kind})


def _work(raw: Line) -> Work:
    return Work(due=raw.get("due"), claim=raw.get("claim") or "", ended=raw.get("ended"))


def _answer(raw: Line) -> RunningAnswer:
    started = _required(raw, "timestamp")
    parse_timestamp(started)
    return RunningAnswer(
        id=_required(raw, "answerId"),
        session_id="",
        question_id=_required(raw, "questionId"),
        node_above=_text(raw.get("nodeAbove")),
        owner=_required(raw, "owner"),
        model=_required(raw, "model"),
        started=started,
        partial=_pieces(raw.get("partial", [])),
    )


def _piece_list(pieces: tuple[Piece, ...]) -> list[list[str | bool]]:
    return [[piece.text, piece.thinking] for piece in pieces]


def _pieces(raw: list[tuple[str, bool]]) -> tuple[Piece, ...]:
    return tuple(Piece(str(text), bool(thinking)) for text, thinking in raw)


def _config(raw: object) -> SessionConfig:
    given = raw if isinstance(raw, Mapping) else {}
    values = {name: given.get(camel_case(name)) for name in _CONFIG}
    return SessionConfig(**{name: value for name, value in values.items() if isinstance(value, int)})


def _required(raw: Line, name: str) -> str:
    value = raw[name]
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name} is no text")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(parse_timestamp(value))
    except ValueError:
        return False


def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)
