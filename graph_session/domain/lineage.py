"""The entries of a tree that have gone by in order of creation, each kept as small as its children allow.

Reading or writing a session of any size needs of an entry, once it has passed, only what a child's place and hash
follow from. Beside that each entry keeps a jump far up its path (Myers' skew-binary lists), so that whether one entry
lies above another is found in logarithmic time however deep the tree is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_session.domain.entries import Body, Custom, Entry, Message, Place, Role

_ENDED: Body = Message(role=Role.ASSISTANT, content=())
_OPEN: Body = Custom(custom_type="", data=None)


@dataclass(slots=True, eq=False)
class _Step:
    id: str
    hash: bytes | str
    place: Place
    ended: bool
    parent: _Step | None
    jump: _Step | None
    height: int


class Lineage:
    """Entries of one session by id; about 0.5 kB each."""

    def __init__(self) -> None:
        self._steps: dict[str, _Step] = {}

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._steps

    def get(self, entry_id: str) -> Entry | None:
        """An entry that has gone by, good for writing below it: its content is not there any more."""
        step = self._steps.get(entry_id)
        if step is None:
            return None
        return Entry(
            id=step.id,
            session_id="",
            parent_id=None if step.parent is None else step.parent.id,
            timestamp="",
            body=_ENDED if step.ended else _OPEN,
            place=step.place,
            hash=step.hash if isinstance(step.hash, str) else step.hash.hex(),
        )

    def add(self, entry: Entry) -> None:
        """An entry goes by; where its parent has not, it counts as a root."""
        parent = self._steps.get(entry.parent_id) if entry.parent_id is not None else None
        jump = parent
        if parent is not None and parent.jump is not None and parent.jump.jump is not None:
            equal = parent.height - parent.jump.height == parent.jump.height - parent.jump.jump.height
            jump = parent.jump.jump if equal else parent
        height = 0 if parent is None else parent.height + 1
        self._steps[entry.id] = _Step(
            entry.id,
            _packed(entry.hash),
            # Ids that were read from a storage are other objects each time.
            replace(
                entry.place,
                node_above=self._known(entry.place.node_above),
                question_id=self._known(entry.place.question_id),
            ),
            entry.ends_turn,
            parent,
            jump,
            # Most often it is the depth, which is in memory already.
            entry.place.depth if entry.place.depth == height else height,
        )

    def is_above(self, entry_id: str, below_id: str | None) -> bool:
        """Whether an entry lies on the path that ends at `below_id`, or is its end."""
        wanted = self._steps.get(entry_id)
        step = self._steps.get(below_id) if below_id is not None else None
        if wanted is None:
            return False
        while step is not None and step.height > wanted.height:
            step = step.jump if step.jump is not None and step.jump.height >= wanted.height else step.parent
        return step is wanted

    def _known(self, entry_id: str | None) -> str | None:
        step = self._steps.get(entry_id) if entry_id is not None else None
        return entry_id if step is None else step.id


def _packed(text: str) -> bytes | str:
    """A hash in half the space, unless it is no hash at all."""
    try:
        packed = bytes.fromhex(text)
    except ValueError:
        return text
    return packed if packed.hex() == text else text
