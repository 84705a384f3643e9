"""JSON lines from files as they are found: cut short, glued together, with a byte order mark or carriage returns.

A bad line costs only itself, and of a line on which several records were glued together each whole one is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO, Any

import orjson

from graph_session.domain.entries import EntryType
from graph_session.domain.text import storable
from graph_session.interchange.base import Fault, Record

MAX_LINE_BYTES = 8 * 1024 * 1024
_MAX_RECORDS = 1000
_BOM = b"\xef\xbb\xbf"
_BLANKS = " \t\r\n"
_RECORD = re.compile(r'\{\s*"type"\s*:')
_TYPES = {"session", "summary", *EntryType}
# Control characters inside texts are not JSON, yet programs write them.
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def records(file: IO[bytes]) -> Iterator[Record | Fault]:
    """The JSON objects of a file from where it stands, with their lines; what cannot be read is a fault."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) > MAX_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE_BYTES)
            megabytes = MAX_LINE_BYTES // 1024 // 1024
            yield Fault(number, "LINE_TOO_LONG", f"The line is longer than {megabytes} MB; it was left out.", lost=True)
            continue
        text = line.strip(b" \t\r\n")
        if not text:
            continue
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            yield from _salvaged(number, text)
            continue
        if isinstance(value, dict):
            yield Record(number, _clean(value) if b"\\u0000" in text else value, len(text))
        else:
            yield Fault(number, "NOT_AN_OBJECT", "The line is JSON but not an object; it was left out.", lost=True)


def _salvaged(number: int, raw: bytes) -> Iterator[Record | Fault]:
    """The whole records on a line that is not JSON."""
    text = raw.decode("utf-8", "replace")
    found: list[dict[str, Any]] = []
    at, damaged = 0, False
    while at < len(text) and len(found) < _MAX_RECORDS:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            damaged = True
            following = _RECORD.search(text, at + 1)
            if following is None:
                break
            at = following.start()
            continue
        if isinstance(value, dict) and (at == 0 or value.get("type") in _TYPES):
            found.append(_clean(value))
        else:
            damaged = True
        at = end
        while at < len(text) and text[at] in _BLANKS:
            at += 1
    yield from (Record(number, value, len(raw)) for value in found)
    if len(found) > 1:
        yield Fault(number, "GLUED_LINE", f"{len(found)} records stand on one line; each was read.")
    if damaged:
        kept = "the rest of it was left out" if found else "it was left out"
        yield Fault(number, "DAMAGED_LINE", f"The line is cut or not JSON; {kept}.", lost=True)
    elif len(found) == 1:
        yield Fault(number, "MENDED_LINE", "The line holds characters that JSON does not allow; they were replaced.")


def _clean(value: Any) -> Any:
    """The value with what cannot be stored replaced: NUL characters, half surrogate pairs, integers beyond 64 bits."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(key): _clean(item) for key, item in value.items()}
        case list():
            return [_clean(item) for item in value]
        case int() if not -(2**63) <= value < 2**63:
            return float(value) if abs(value) < 10**300 else None
        case _:
            return value
