"""The entries of a tree that have gone by in order of creation, each kept as small as its children allow.

Reading or writing a session of any size needs of an entry, once it has passed, only what a child's place and hash
follow from. Beside that each entry keeps a jump far up its path (Myers' skew-binary lists), so that whether one entry
lies above another is found in logarithmic time however deep the tree is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_session.domain.entries import Body, Custom, Entry, Message, Role, Summary

_ENDED: Body = Message(role=Role.ASSISTANT, content=())
_OPEN: Body = Custom(custom_type="", data=None)
_NONE = Summary()


@dataclass(frozen=True, slots=True)
class _Step:
    entry: Entry
    height: int
    parent: _Step | None
    jump: _Step | None


class Lineage:
    """Entries by id; about 0.6 kB each."""

    def __init__(self) -> None:
        self._steps: dict[str, _Step] = {}

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._steps

    def get(self, entry_id: str) -> Entry | None:
        """An entry that has gone by, good for writing below it: its content is not there any more."""
        step = self._steps.get(entry_id)
        return None if step is None else step.entry

    def add(self, entry: Entry) -> None:
        """An entry goes by; where its parent has not, it counts as a root."""
        parent = self._steps.get(entry.parent_id) if entry.parent_id is not None else None
        jump = parent
        if parent is not None and parent.jump is not None and parent.jump.jump is not None:
            equal = parent.height - parent.jump.height == parent.jump.height - parent.jump.jump.height
            jump = parent.jump.jump if equal else parent
        height = 0 if parent is None else parent.height + 1
        self._steps[entry.id] = _Step(_without_content(entry), height, parent, jump)

    def is_above(self, entry_id: str, below_id: str | None) -> bool:
        """Whether an entry lies on the path that ends at `below_id`, or is its end."""
        wanted = self._steps.get(entry_id)
        step = self._steps.get(below_id) if below_id is not None else None
        if wanted is None:
            return False
        while step is not None and step.height > wanted.height:
            step = step.jump if step.jump is not None and step.jump.height >= wanted.height else step.parent
        return step is wanted


def _without_content(entry: Entry) -> Entry:
    return replace(entry, timestamp="", body=_ENDED if entry.ends_turn else _OPEN, summary=_NONE, extra={})
