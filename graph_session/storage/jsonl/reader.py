"""The bytes of a session file as lines, whatever has happened to it: a line that cannot be read costs only itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from graph_session.storage.jsonl.lines import KNOWN_TYPES, Line
from graph_session.storage.jsonl.problems import ProblemCode

_BOM = b"\xef\xbb\xbf"
_BEGINNING = re.compile(r'\{\s*"type"\s*:')
_BLANKS = re.compile(r"\s*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Found:
    """An object of a file (None: a line that is none), where it stands, and whether a newline ends that line.

    `start`, `end`: the place of its line in the file, bytes; several objects may stand on one."""

    number: int
    start: int
    end: int
    ended: bool
    raw: Line | None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something wrong with one line."""

    number: int
    code: ProblemCode
    message: str


def read_lines(data: bytes) -> Iterator[Found | Remark]:
    """All objects of a file, in order, with remarks where one stands between them. Blank lines are passed over."""
    start, number, crlf = 0, 0, False
    if data.startswith(_BOM):
        start = len(_BOM)
        yield Remark(1, ProblemCode.BOM, "the file begins with a byte order mark, which was passed over")
    while start < len(data):
        number += 1
        stop = data.find(b"\n", start)
        ended = stop >= 0
        end = stop + 1 if ended else len(data)
        line = data[start : stop if ended else end]
        if line.strip():
            if line.endswith(b"\r") and not crlf:
                crlf = True
                yield Remark(number, ProblemCode.CRLF, "lines end with CRLF; they were read as if with LF")
            yield from _read_line(line, number, start, end, ended)
        start = end


def _read_line(line: bytes, number: int, start: int, end: int, ended: bool) -> Iterator[Found | Remark]:
    raw = _loads(line)
    if raw is not None:
        yield Found(number, start, end, ended, raw)
        return
    objects, whole = _glued(line)
    if objects:
        lost = "" if whole else "; a part that could not be read was left out"
        yield Remark(number, ProblemCode.GLUED_LINES, f"{len(objects)} objects stand on this line and were kept{lost}")
    elif ended:
        yield Remark(number, ProblemCode.BAD_LINE, f"this line of {len(line):,} bytes is no JSON object; left out")
    if not whole:
        yield Found(number, start, end, ended, None)
    for found in objects:
        yield Found(number, start, end, ended, found)


def _loads(line: bytes) -> Line | None:
    try:
        raw: Any = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return raw if isinstance(raw, dict) else None


def _glued(line: bytes) -> tuple[list[Line], bool]:
    """The objects that end a line, and whether they are all of it. What was cut off before another was written behind
    it is skipped; an object inside one that was cut off does not end the line in the right way."""
    try:
        text = line.decode().strip()
    except UnicodeDecodeError:
        return [], False
    for found in _BEGINNING.finditer(text):
        objects = _objects(text, found.start())
        if objects and all(raw.get("type") in KNOWN_TYPES for raw in objects):
            return objects, found.start() == 0
    return [], False


def _objects(text: str, at: int) -> list[Line]:
    """The objects that a text consists of from some place to its end; none if there is anything else."""
    objects: list[Line] = []
    while at < len(text):
        try:
            raw, stop = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(raw, dict):
            return []
        objects.append(raw)
        blanks = _BLANKS.match(text, stop)
        at = blanks.end() if blanks else stop
    return objects
