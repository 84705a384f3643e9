"""Files for tests of importing, and a reading of them without a storage."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import orjson

from graph_session.domain.entries import Entry
from graph_session.interchange.base import Draft, Fault, Format, Item
from graph_session.interchange.build import Builder
from graph_session.interchange.lines import records
from graph_session.interchange.native import Native
from graph_session.interchange.plan import Plan, plan
from tests.domain.trees import NOON

HEAD = {"type": "session", "version": 3, "id": "11111111-1111-7111-8111-111111111111", "timestamp": NOON}


def uid(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012d}"


def said(id: str, parent: str | None, text: str = "hello", **more: Any) -> dict[str, Any]:
    """A user message's form."""
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": NOON, "message": message, **more}


def lines(*values: Any) -> bytes:
    return b"".join(value if isinstance(value, bytes) else orjson.dumps(value) + b"\n" for value in values)


def read(data: bytes, format: Format | None = None) -> list[Item]:
    return list((format or Native()).read(records(io.BytesIO(data))))


def built(
    data: bytes, format: Format | None = None, *, taken: Iterable[str] = (), all_new: bool = False
) -> tuple[list[Entry], list[Fault], Builder, Plan]:
    """The entries that a file becomes, and its faults."""
    planned = plan(read(data, format))
    planned.rename(set(taken), all_new=all_new)
    builder = Builder(planned, "s", NOON)
    entries: list[Entry] = []
    faults: list[Fault] = []
    for item in read(data, format):
        made = builder.add(item) if isinstance(item, Draft) else [item] if isinstance(item, Fault) else []
        for one in made:
            if isinstance(one, Entry):
                entries.append(one)
            else:
                faults.append(one)
    return entries, faults, builder, planned
