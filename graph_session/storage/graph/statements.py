"""The Cypher statements: one file each in `cypher/`, found by name, with the access that its first line declares.

A file `NAME.DIALECT.cypher` replaces `NAME.cypher` on the engines of that dialect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from graph_session.resources import cypher_dir
from graph_session.storage.engines.base import Dialect


class Access(StrEnum):
    READ = "READ"
    WRITE = "WRITE"
    SCHEMA = "SCHEMA"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: `text` is sent as it stands in the file, `parameters` are the names it takes."""

    name: str
    access: Access
    text: str
    parameters: frozenset[str]


class UnknownStatement(KeyError):
    """There is no statement of this name."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"there is no statement {name!r}; there are {', '.join(known)}")


class BadStatement(ValueError):
    """A statement's file does not begin with `// NAME (READ|WRITE|SCHEMA): what it does`."""


_HEADER = re.compile(r"// (\w+) \((READ|WRITE|SCHEMA)\): ")
_COMMENT = re.compile(r"//[^\n]*")
_PARAMETER = re.compile(r"\$(\w+)")


def parse(name: str, text: str) -> Statement:
    """A statement from its file's text. Raises BadStatement where the header is missing or names another statement."""
    header = _HEADER.match(text)
    if header is None or header[1] != name:
        raise BadStatement(f"{name}.cypher must begin with `// {name} (READ|WRITE|SCHEMA): what it does`")
    parameters = frozenset(_PARAMETER.findall(_COMMENT.sub("", text)))
    return Statement(name, Access(header[2]), text, parameters)


@cache
def statements(dialect: Dialect) -> dict[str, Statement]:
    """All statements for a dialect, by name."""
    found: dict[str, Statement] = {}
    for file in sorted(cypher_dir().iterdir(), key=lambda file: len(file.name.split("."))):
        name, *variant = file.name.removesuffix(".cypher").split(".")
        if file.name.endswith(".cypher") and variant in ([], [dialect.value]):
            found[name] = parse(name, file.read_text(encoding="utf-8"))
    return found


def statement(name: str, dialect: Dialect) -> Statement:
    """The statement of a name. Raises UnknownStatement, which lists the known ones."""
    known = statements(dialect)
    if name not in known:
        raise UnknownStatement(name, sorted(known))
    return known[name]
