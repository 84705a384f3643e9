"""The contract for views: what one question needs to know, and where it stands."""

from __future__ import annotations

import pytest

from graph_session.domain.context import assemble, is_boundary
from graph_session.domain.entries import Entry, SummaryScope
from graph_session.domain.ids import new_id
from graph_session.domain.sessions import SessionConfig
from graph_session.storage.protocol import SessionStorage, View
from tests.domain.trees import branch, condensed, note, other_model, question, turns
from tests.storage.desk import Desk


def _ids(entries: tuple[Entry, ...] | list[Entry]) -> list[str]:
    return [entry.id for entry in entries]


async def test_a_question_stands_under_loose_entries_below_the_last_node(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(2), other_model(), note()])
    view = await desk.view(line[3].id)
    assert _ids(view.path) == _ids(line)
    assert [entry.parent_id for entry in view.path] == [entry.parent_id for entry in line]
    assert view.tip is not None
    assert view.leaf is not None
    assert (view.tip.id, view.leaf.id) == (line[3].id, line[5].id)
    assert view.session == await desk.session()


async def test_a_question_elsewhere_stands_under_its_own_node(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(2), note()])
    view = await desk.view(line[1].id)
    assert _ids(view.path) == _ids(line[:2])
    await desk.begin(line[1])
    assert _ids((await desk.view(line[1].id)).path) == _ids(line[:2]), "a running question is no loose entry"


async def test_a_question_at_the_root_stands_under_nothing(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    empty = await desk.view(None)
    assert (empty.path, empty.tip, empty.leaf, empty.earlier) == ((), None, None, None)
    await desk.write(turns(1))
    view = await desk.view(None)
    assert (view.path, view.tip) == ((), None)
    assert view.leaf is not None


async def test_the_first_question_stands_under_loose_entries_at_the_root(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([other_model(), note()])
    assert _ids((await desk.view(None)).path) == _ids(line)


async def test_an_open_question_may_be_followed(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([question(), note()])
    assert _ids((await desk.view(line[0].id)).path) == _ids(line)


async def test_an_unknown_tip_is_no_place(storage: SessionStorage) -> None:
    desk, other = await Desk.fresh(storage), await Desk.fresh(storage)
    await desk.write(turns(1))
    elsewhere = await other.write(turns(1))
    for tip_id in (new_id(), elsewhere[1].id):
        view = await desk.view(tip_id)
        assert (view.tip, view.path) == (None, ())
    at = await storage.view_at(desk.id, elsewhere[1].id)
    assert at is not None
    assert at.path == ()


async def test_a_view_at_an_entry_and_at_the_leaf(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    empty = await storage.view_at(desk.id, None)
    assert empty is not None
    assert empty.path == ()
    line = await desk.write([*turns(2), note()])
    at, leaf = await storage.view_at(desk.id, line[2].id), await storage.view_at(desk.id, None)
    assert at is not None
    assert leaf is not None
    assert _ids(at.path) == _ids(line[:3])
    assert _ids(leaf.path) == _ids(line)


def _context(view: View, keep_raw: int) -> object:
    return assemble(view.path, keep_raw=keep_raw, model="echo")


@pytest.mark.parametrize("keep_raw", [0, 1, 3, 50])
@pytest.mark.parametrize("anchor", [None, 0, 9, 11])
async def test_the_path_reaches_the_boundary_and_the_whole_raw_window(
    storage: SessionStorage, anchor: int | None, keep_raw: int
) -> None:
    desk = await Desk.fresh(storage, config=SessionConfig(keep_raw_count=keep_raw))
    line = desk.line([note("at the root"), *turns(12), note("at the end")])
    ends = [index for index, entry in enumerate(line) if entry.ends_turn]
    if anchor is not None:
        line[ends[anchor]] = condensed(line[ends[anchor]], anchor="all so far")
    await storage.append(desk.id, line)
    view = await storage.view_at(desk.id, None)
    assert view is not None
    assert _context(view, keep_raw) == assemble(line, keep_raw=keep_raw, model="echo")
    if anchor == 9 and keep_raw == 1:
        assert _ids(view.path)[0] in _ids(line[ends[9] - 1 :]), "no more is read than is needed"


async def test_the_nearest_boundary_is_enough_whatever_lies_above(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(50), branch("all before", SummaryScope.HISTORY), *turns(4, first=51)])
    view = await desk.view(line[-1].id)
    assert any(is_boundary(entry) for entry in view.path)
    assert len(view.path) < 15
    assert _context(view, 3) == assemble(line, keep_raw=3, model="echo")


async def test_a_long_path_without_any_boundary_is_read_whole(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(1100))
    view = await desk.view(line[-1].id)
    assert _ids(view.path) == _ids(line)
    assert view.path[0].parent_id is None
    assert [entry.parent_id for entry in view.path[1:]] == _ids(line[:-1])


async def test_a_boundary_far_above_is_found(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = desk.line(turns(1100))
    line[21] = condensed(line[21], anchor="all so far")
    await storage.append(desk.id, line)
    view = await desk.view(line[-1].id)
    assert _context(view, 3) == assemble(line, keep_raw=3, model="echo")
