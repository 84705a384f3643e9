"""What every format is read into: a head, drafts of entries, and faults with the line they are on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from graph_session.domain.content import JsonObject
from graph_session.domain.entries import Body, Summary

ORIGINAL_ID = "originalId"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be. `line`: from 1, 0 for the file as a whole; `lost`: what stood there is not
    in the session. `code` is stable."""

    line: int
    code: str
    message: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object and the line it is on (several may be on one), which takes `size` bytes."""

    line: int
    value: dict[str, Any]
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a file says of the session as a whole. `has_name`: whether it says the name (or that there is none); else
    the entries do. `has_leaf`: the same of where the user stands. `config`: settings by their names in `SessionConfig`,
    not checked."""

    line: int
    id: str | None = None
    timestamp: str | None = None
    name: str | None = None
    has_name: bool = False
    system_prompt: str | None = None
    model: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    has_leaf: bool = False
    leaf_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry with the ids of its file; its line takes `size` bytes."""

    line: int
    size: int = 0
    id: str
    parent_id: str | None
    timestamp: str | None
    body: Body
    extra: JsonObject = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)


Item = Head | Draft | Fault


class Format(Protocol):
    """A format of files. `name` is what a user calls it."""

    name: str

    def recognises(self, first: Mapping[str, Any]) -> bool:
        """Whether a file whose first object is this is of the format."""
        ...

    def read(self, records: Iterable[Record | Fault]) -> Iterator[Item]:
        """The head, if there is one, and the drafts, in the order of the file."""
        ...
