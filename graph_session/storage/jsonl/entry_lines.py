"""Entry lines as entries. Place and hash follow from the parent, so the line has neither."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from graph_session.domain.entries import Body, Compaction, Entry, EntryType
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.jsonform import body_from_json, body_to_json
from graph_session.domain.turns import write_under
from graph_session.storage.jsonl.lines import Line
from graph_session.storage.memory.tree import Tree

_COMMON = ("type", "id", "parentId", "timestamp")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry as its line has it. `number`: of the line; `hash`: what its change says, None where none does."""

    number: int
    id: str
    parent_id: str | None
    timestamp: str
    body: Body
    extra: dict[str, Any]
    hash: str | None


def entry_line(raw: Line, number: int, hashes: Line) -> EntryLine:
    """The entry of a line. Raises KeyError, TypeError, ValueError or AttributeError where a field is wrong."""
    entry_id, parent_id, timestamp = raw["id"], raw["parentId"], raw["timestamp"]
    if not (isinstance(entry_id, str) and entry_id and isinstance(parent_id, str | None)):
        raise TypeError("an id is no text")
    parse_timestamp(timestamp)
    body = body_from_json(EntryType(raw["type"]), raw)
    own = body_to_json(body)
    extra = {name: value for name, value in raw.items() if name not in _COMMON and name not in own}
    return EntryLine(number, entry_id, parent_id, timestamp, body, extra, hashes.get(entry_id))


def entry_of(line: EntryLine, tree: Tree) -> tuple[Entry, bool]:
    """The entry of a line in a tree, a root if its parent is not there; whether it is what its hash says."""
    parent = tree.entries.get(line.parent_id or "")
    made = write_under(
        parent,
        id=line.id,
        session_id=tree.session.id,
        timestamp=line.timestamp,
        body=line.body,
        extra=line.extra,
    )
    if isinstance(line.body, Compaction):
        first = line.body.first_kept_entry_id
        # One that keeps nothing names itself.
        kept = made if first == line.id else tree.entries.get(first)
    else:
        kept = None
    if kept is not None:
        made = replace(made, place=replace(made.place, kept_depth=kept.place.depth))
    # A root that has lost its parent has also lost what its hash was made over.
    is_whole = line.hash in (None, made.hash) or made.parent_id != line.parent_id
    return replace(made, hash=line.hash or made.hash), is_whole
