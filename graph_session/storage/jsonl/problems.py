"""What can be wrong with a session file, and what was done about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ProblemCode(StrEnum):
    """One kind of damage each; `Problem.message` says what became of it."""

    EMPTY = "EMPTY"
    UNREADABLE = "UNREADABLE"
    NEWER_VERSION = "NEWER_VERSION"
    NO_HEADER = "NO_HEADER"
    SECOND_HEADER = "SECOND_HEADER"
    SECOND_FILE = "SECOND_FILE"
    BOM = "BOM"
    CRLF = "CRLF"
    BAD_LINE = "BAD_LINE"
    GLUED_LINES = "GLUED_LINES"
    CUT_LINE = "CUT_LINE"
    CUT_CHANGE = "CUT_CHANGE"
    NO_NEWLINE = "NO_NEWLINE"
    MISSING_LINES = "MISSING_LINES"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    DUPLICATE_ID = "DUPLICATE_ID"
    MISSING_PARENT = "MISSING_PARENT"
    CYCLE = "CYCLE"
    CHANGED_ENTRY = "CHANGED_ENTRY"
    MISSING_TARGET = "MISSING_TARGET"
    MISSING_LEAF = "MISSING_LEAF"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file. `line` counts from 1; 0 is the file as a whole. No text holds what people wrote."""

    path: Path
    line: int
    code: ProblemCode
    message: str
    entry_id: str | None = None
