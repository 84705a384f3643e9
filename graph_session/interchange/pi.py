"""Session files of pi, versions 1 to 3: a header line, then entries with ids of eight hex digits; version 1 is a list
without ids. Where the user stood is not in the file: it is where its last entry is, or where that says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graph_session.domain.entries import EntryType, StopReason
from graph_session.interchange.base import Fault, Head, Item, Record
from graph_session.interchange.forms import draft_of

_STOP_REASONS = frozenset(StopReason)


class Pi:
    name = "pi"

    def recognises(self, first: Mapping[str, Any]) -> bool:
        return first.get("type") == "session" or (first.get("type") in set(EntryType) and "timestamp" in first)

    def read(self, records: Iterable[Record | Fault]) -> Iterator[Item]:
        # As version 1 counts them: the header is at index 0.
        order: list[str] = [""]
        headed = False
        for record in records:
            if isinstance(record, Fault):
                yield record
                continue
            line, raw = record.line, dict(record.value)
            if raw.get("type") == "session":
                if headed:
                    yield Fault(line, "SECOND_HEADER", "A second header; it was left out.", lost=True)
                else:
                    yield Head(line=line, id=_text(raw.get("id")), timestamp=_text(raw.get("timestamp")))
                headed = True
                continue
            entry_id = str(raw["id"]) if raw.get("id") not in (None, "") else f"line-{line}-{len(order)}"
            parent = raw.get("parentId", order[-1] or None)
            draft, fault = draft_of(
                record, _as_ours(raw, order), id=entry_id, parent_id=None if parent is None else str(parent)
            )
            order.append(entry_id)
            yield draft
            if fault:
                yield fault


def _as_ours(raw: dict[str, Any], order: list[str]) -> dict[str, Any]:
    """An entry's form with what only pi has said in our terms."""
    kind, message = raw.get("type"), raw.get("message")
    if kind == EntryType.MESSAGE and isinstance(message, dict):
        return _message(raw, dict(message))
    if kind == EntryType.COMPACTION:
        index = raw.get("firstKeptEntryIndex")
        if "firstKeptEntryId" not in raw and isinstance(index, int) and len(order) > 1:
            raw["firstKeptEntryId"] = order[min(max(index, 1), len(order) - 1)]
        raw.setdefault("tokensBefore", 0)
    return raw


def _message(raw: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    role = message.get("role")
    if role in ("custom", "hookMessage"):
        del message["role"], raw["message"]
        return {**raw, **message, "type": EntryType.CUSTOM_MESSAGE, "timestamp": raw.get("timestamp")}
    if role == "bashExecution":
        del raw["message"]
        if message.get("excludeFromContext"):
            return {**raw, "type": EntryType.CUSTOM, "customType": role, "data": message}
        text = f"Ran `{message.get('command', '')}`\n```\n{message.get('output', '')}\n```"
        return {**raw, "type": EntryType.CUSTOM_MESSAGE, "customType": role, "content": text, "details": message}
    if role == "system":
        del raw["message"]
        return {**raw, "type": EntryType.CUSTOM, "customType": role, "data": message}
    if message.get("stopReason") not in (None, *_STOP_REASONS):
        message["originalStopReason"] = message.pop("stopReason")
    raw["message"] = message
    return raw


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
