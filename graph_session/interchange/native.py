"""The format of `graph-session export`: JSON lines, a session a file.

The first line is the session (`formatVersion` names the format, `version` the one of pi's files that its entries
follow), then come the entries in order of creation, each followed by its summary if it has one. The same session gives
the same bytes, in whichever storage it lies: names are sorted, and nothing is in the file that an import would change
(revisions, times of change, owners).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields, replace
from typing import Any

import orjson

from graph_session.domain.entries import Entry, Summary, SummaryKind, SummaryState
from graph_session.domain.ids import is_uuid
from graph_session.domain.jsonform import canonical, entry_to_json
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.text import camel_case
from graph_session.interchange.base import Draft, Fault, Head, Item, Record
from graph_session.interchange.forms import draft_of

FORMAT_VERSION = 1
_ENTRY_VERSION = 3
_FIRST = ("type", "version", "formatVersion", "id", "entryId", "parentId", "timestamp")


_CONFIG_NAMES = {camel_case(field.name): field.name for field in fields(SessionConfig)}
_SUMMARY_NAMES = {camel_case(field.name): field.name for field in fields(Summary)}
_NO_SUMMARY = asdict(Summary())


def head_line(session: Session) -> bytes:
    """The first line of a session's file."""
    config = asdict(session.config)
    head: dict[str, Any] = {
        "type": "session",
        "version": _ENTRY_VERSION,
        "formatVersion": FORMAT_VERSION,
        "id": session.id,
        "timestamp": session.created_at,
        "name": session.name,
        "systemPrompt": session.system_prompt,
        "model": session.model,
        "leafId": session.leaf_id,
        "config": {camel: config[name] for camel, name in _CONFIG_NAMES.items()},
    }
    return _line(head)


def entry_lines(entry: Entry) -> Iterator[bytes]:
    """The line of an entry, and the line of its summary if it has one."""
    yield _line(entry_to_json(entry))
    if entry.summary.kind is not None:
        summary = entry.summary
        if summary.state is SummaryState.RUNNING:
            # Who is at work on it is nothing that moves along.
            summary = replace(summary, state=SummaryState.PENDING)
        values = asdict(summary)
        told = {camel: values[name] for camel, name in _SUMMARY_NAMES.items() if values[name] != _NO_SUMMARY[name]}
        yield _line({"type": "summary", "entryId": entry.id, **told})


class Native:
    name = "graph_session"

    def recognises(self, first: Mapping[str, Any]) -> bool:
        # A file of ours that has lost its head still has ids that no other format has.
        return "formatVersion" in first or ("parentId" in first and is_uuid(first.get("id")))

    def read(self, records: Iterable[Record | Fault]) -> Iterator[Item]:
        held: Draft | None = None
        for record in records:
            if isinstance(record, Fault):
                yield record
                continue
            line, raw = record.line, record.value
            if raw.get("type") == "summary":
                summary = _summary_of(raw)
                if held is None or raw.get("entryId") != held.id or summary is None:
                    why = "is not of the entry before it" if summary is not None else "is not in order"
                    yield Fault(line, "SUMMARY_ALONE", f"The summary {why}; it was left out.", lost=True)
                else:
                    held = replace(held, summary=summary)
                continue
            if held is not None:
                yield held
                held = None
            if raw.get("type") == "session":
                yield _head_of(line, raw)
                continue
            entry_id, parent_id = raw.get("id"), raw.get("parentId")
            if not isinstance(entry_id, str) or not entry_id:
                yield Fault(line, "NO_ID", "The entry has no id; it was left out.", lost=True)
                continue
            held, fault = draft_of(
                record, raw, id=entry_id, parent_id=parent_id if isinstance(parent_id, str) else None
            )
            if fault:
                yield fault
        if held is not None:
            yield held


def _head_of(line: int, raw: Mapping[str, Any]) -> Head:
    config = raw.get("config")
    given = config.items() if isinstance(config, Mapping) else ()
    return Head(
        line=line,
        id=_text(raw.get("id")),
        timestamp=_text(raw.get("timestamp")),
        name=_text(raw.get("name")),
        has_name=True,
        system_prompt=_text(raw.get("systemPrompt")),
        model=_text(raw.get("model")),
        config={_CONFIG_NAMES.get(str(name), str(name)): value for name, value in given},
        has_leaf="leafId" in raw,
        leaf_id=_text(raw.get("leafId")),
    )


def _summary_of(raw: Mapping[str, Any]) -> Summary | None:
    given = {_SUMMARY_NAMES[name]: value for name, value in raw.items() if name in _SUMMARY_NAMES}
    try:
        kind, state = SummaryKind(given.pop("kind")), SummaryState(given.pop("state", SummaryState.NONE))
    except (KeyError, ValueError):
        return None
    for name, value in given.items():
        wanted = str if _NO_SUMMARY[name] is None else type(_NO_SUMMARY[name])
        if value is not None and not isinstance(value, wanted):
            return None
    return replace(Summary(), kind=kind, state=state, **given)


def _line(value: dict[str, Any]) -> bytes:
    """One line, the names that tell what it is first and the others sorted."""
    first = orjson.dumps({name: value.pop(name) for name in _FIRST if name in value})
    return first[:-1] + (b"," + canonical(value)[1:] if value else b"}") + b"\n"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
