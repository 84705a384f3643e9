"""The first reading of a file: which entries there are, which of them are no tree, and which ids they will have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from graph_session.domain.ids import is_uuid, new_id
from graph_session.interchange.base import Draft, Head, Item


@dataclass(slots=True)
class Plan:
    """`ids`: those of the file, each by itself, so that it is in memory once however often the file names it; `cyclic`:
    those that lie on a cycle; `renamed`: the new ids of those that cannot keep theirs; `foreign`: whether the file is
    of another program, whose ids are its own unless they are UUIDs."""

    head: Head | None = None
    ids: dict[str, str] = field(default_factory=dict)
    cyclic: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    foreign: bool = True

    def keepable(self) -> Iterator[str]:
        """The ids that can be kept if no other session has them."""
        return (entry_id for entry_id in self.ids if self._keeps(entry_id))

    def rename(self, taken: Collection[str], *, all_new: bool) -> None:
        """Give new ids to entries whose own is taken or of another program, or to all."""
        for entry_id in self.ids:
            if all_new or entry_id in taken or not self._keeps(entry_id):
                self.renamed[entry_id] = new_id()

    def _keeps(self, entry_id: str) -> bool:
        return not self.foreign or is_uuid(entry_id)


def plan(items: Iterable[Item]) -> Plan:
    """Read a file for its head and its ids."""
    found = Plan()
    parents: dict[str, str | None] = {}
    for item in items:
        match item:
            case Head() if found.head is None:
                found.head = item
            case Draft(id=entry_id, parent_id=parent_id):
                # Of duplicates the first counts.
                known = found.ids.setdefault(entry_id, entry_id)
                parents.setdefault(known, None if parent_id is None else found.ids.get(parent_id, parent_id))
    found.cyclic = _on_cycles(parents)
    return found


def _on_cycles(parents: dict[str, str | None]) -> set[str]:
    """The ids from which the way up comes back to them."""
    cyclic: set[str] = set()
    done: set[str] = set()
    for start in parents:
        way: dict[str, int] = {}
        at: str | None = start
        while at is not None and at in parents and at not in done and at not in way:
            way[at] = len(way)
            at = parents[at]
        if at is not None and at in way:
            cyclic.update(list(way)[way[at] :])
        done.update(way)
    return cyclic
