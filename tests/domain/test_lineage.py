"""Ancestors are found as a walk up would find them, and children are written below what is left of an entry."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.entries import Entry
from graph_session.domain.lineage import Lineage
from graph_session.domain.turns import write_under
from tests.domain.strategies import bodies
from tests.domain.trees import NOON, note, path_of, turns


@given(st.lists(st.integers(-1, 40), max_size=60), st.data())
def test_what_lies_above_is_what_a_walk_up_meets(shape: list[int], data: st.DataObject) -> None:
    lineage, written = Lineage(), list[Entry]()
    for number, choice in enumerate(shape):
        parent = written[choice] if 0 <= choice < len(written) else None
        entry = write_under(parent, id=f"e{number}", session_id="s", timestamp=NOON, body=note())
        written.append(entry)
        lineage.add(entry)
    parents = {entry.id: entry.parent_id for entry in written}
    for entry in written[-5:]:
        above, at = set(), entry.id
        while at is not None:
            above.add(at)
            at = parents[at]
        assert {other for other in parents if lineage.is_above(other, entry.id)} == above
    assert not lineage.is_above("nobody", "e0")
    assert not lineage.is_above("e0", None)


@given(st.lists(bodies, min_size=1, max_size=6), bodies)
def test_a_child_of_what_is_left_is_a_child_of_the_entry(above: list, body: object) -> None:  # type: ignore[type-arg]
    lineage = Lineage()
    path = path_of(above)
    for entry in path:
        lineage.add(entry)
    left = lineage.get(path[-1].id)
    args = {"id": "child", "session_id": "s", "timestamp": NOON, "body": body}
    assert write_under(left, **args) == write_under(path[-1], **args)  # type: ignore[arg-type]
    assert left is not None
    assert left.parent_id == path[-1].parent_id
    assert lineage.get("child") is None


def test_what_has_no_known_parent_counts_as_a_root() -> None:
    lineage = Lineage()
    path = path_of(turns(2))
    for entry in path[2:]:
        lineage.add(replace(entry, sequence=1))
    assert lineage.is_above(path[2].id, path[3].id)
    assert path[1].id not in lineage
