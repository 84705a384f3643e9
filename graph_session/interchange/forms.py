"""Reading one entry's JSON form without losing any: what is of no known type, or not as its type should be, becomes an
entry for applications (`custom`) that keeps all it had, so that those below it keep their path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from graph_session.domain.entries import Body, Custom, EntryType
from graph_session.domain.jsonform import body_from_json, body_to_json
from graph_session.interchange.base import Draft, Fault, Record

UNREAD = "unread"
_COMMON = ("type", "id", "parentId", "timestamp")
_IS: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "bool": lambda value: isinstance(value, bool),
    "tuple[str, ...]": lambda value: all(isinstance(item, str) for item in value),
    "JsonObject | None": lambda value: value is None or isinstance(value, Mapping),
}


def draft_of(record: Record, raw: Mapping[str, Any], *, id: str, parent_id: str | None) -> tuple[Draft, Fault | None]:
    """The draft of an entry that has this form on the record's line, and what was wrong with it."""
    body, extra, reason = _read(raw)
    stamp = raw.get("timestamp")
    draft = Draft(
        line=record.line,
        size=record.size,
        id=id,
        parent_id=parent_id,
        timestamp=stamp if isinstance(stamp, str) else None,
        body=body,
        extra=extra,
    )
    if reason is None:
        return draft, None
    return draft, Fault(record.line, "UNREAD_ENTRY", f"Entry {id}: {reason}. It was kept as an entry of type custom.")


def _read(raw: Mapping[str, Any]) -> tuple[Body, Mapping[str, Any], str | None]:
    kind = raw.get("type")
    rest = {name: value for name, value in raw.items() if name not in _COMMON}
    try:
        entry_type = EntryType(str(kind))
    except ValueError:
        return Custom(custom_type=f"{UNREAD}:{kind}", data=rest), {}, f"there is no type {str(kind)!r}"
    try:
        body = body_from_json(entry_type, raw)
        _check(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        return Custom(custom_type=f"{UNREAD}:{kind}", data=rest), {}, f"it is no {kind}: {reason}"
    known = body_to_json(body)
    return body, {name: value for name, value in rest.items() if name not in known}, None


def _check(body: Body) -> None:
    for field in fields(body):
        check = _IS.get(str(field.type))
        if check is not None and not check(getattr(body, field.name)):
            raise TypeError(f"{field.name} is not of type {field.type}")
