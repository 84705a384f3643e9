"""What every storage answers about what it does not have: nothing, and no error."""

from __future__ import annotations

import pytest

from graph_session.domain.entries import EntryType
from graph_session.domain.errors import NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.turns import write_under
from graph_session.storage.protocol import ANYWHERE, SessionStorage
from tests.domain.trees import NOON, answer, note, question
from tests.storage.desk import NO_MARKS, OWNER, Desk


async def test_it_answers(storage: SessionStorage) -> None:
    await storage.ping()


async def test_ids_of_nothing_give_nothing(storage: SessionStorage) -> None:
    nothing = new_id()
    assert await storage.session(nothing) is None
    assert await storage.update_session(nothing, {"name": "x"}) is None
    assert await storage.delete_session(nothing) is False
    assert await storage.view(nothing, tip_id=None) is None
    assert await storage.view_at(nothing, None) is None
    assert await storage.renew_answer(nothing, OWNER, [], 60) is None
    assert await storage.cancel_answer(nothing) is False
    assert await storage.running_answer(nothing) is None
    assert await storage.running(nothing) == []
    assert await storage.entries([nothing]) == {}
    assert await storage.nodes([nothing]) == {}
    assert await storage.children([nothing]) == {nothing: []}
    assert await storage.marks_below([nothing]) == []
    assert await storage.turn_entries([nothing]) == {}
    assert await storage.path_page(nothing, 10) == []
    assert await storage.active_path(nothing) == []
    assert await storage.nearest_anchor(nothing) is None
    assert await storage.path_of_types(nothing, list(EntryType)) == []
    assert await storage.path_usage(nothing) == {}
    assert await storage.common_ancestor(nothing, nothing) is None
    assert await storage.common_ancestor(nothing, new_id()) is None
    assert await storage.retry_summary(nothing, nothing) is False
    assert await storage.revisions([nothing]) == {}
    assert await storage.summaries_between(nothing, 0, 100) == []
    assert await storage.waiting_summaries(nothing) == {}
    assert await storage.entries_between(nothing, list(EntryType), -1, 100) == []
    found = await storage.check_nodes([nothing])
    assert all(check.session_id is None and not check.is_node and not check.running for check in found.values())


async def test_no_ids_give_nothing(storage: SessionStorage) -> None:
    assert await storage.entries([]) == {}
    assert await storage.nodes([]) == {}
    assert await storage.children([]) == {}
    assert await storage.turn_entries([]) == {}
    assert await storage.check_nodes([]) == {}
    assert await storage.revisions([]) == {}


async def test_writing_to_no_session_says_which_one_is_missing(storage: SessionStorage) -> None:
    nowhere = Desk(storage, new_id())
    asked = nowhere.entry(None, question())
    with pytest.raises(NotFound, match=nowhere.id):
        await storage.begin_answer(asked, nowhere.running(asked), lease_seconds=60)
    with pytest.raises(NotFound, match=asked.id):
        await storage.begin_again(nowhere.running(asked), lease_seconds=60)
    with pytest.raises(NotFound, match=nowhere.id):
        await storage.append(nowhere.id, [asked])
    with pytest.raises(NotFound, match=nowhere.id):
        await storage.move_leaf(nowhere.id, None, ANYWHERE)
    ended = write_under(asked, id=new_id(), session_id=nowhere.id, timestamp=NOON, body=answer())
    assert await storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS) is None


async def test_a_parent_must_exist_before_its_child(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    never_written = desk.entry(None, note())
    before = await desk.counts()
    with pytest.raises(NotFound, match=never_written.id):
        await desk.begin(never_written)
    with pytest.raises(NotFound, match=never_written.id):
        await desk.write([note(), note()], never_written)
    assert await desk.counts() == before


async def test_a_parent_in_another_session_is_no_parent(storage: SessionStorage) -> None:
    desk, other = await Desk.fresh(storage), await Desk.fresh(storage)
    (elsewhere,) = await other.write([note()])
    with pytest.raises(NotFound, match=elsewhere.id):
        await desk.begin(elsewhere)
    with pytest.raises(NotFound, match=elsewhere.id):
        await storage.move_leaf(desk.id, elsewhere.id, ANYWHERE)
