"""The contract for sessions: made, listed, searched, changed, deleted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from graph_session.domain.errors import LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.storage.protocol import ANYWHERE, Page, SessionStorage
from tests.domain.trees import note, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk


async def test_a_session_is_what_it_was_made_as(storage: SessionStorage) -> None:
    made = Session(
        id=new_id(),
        owner="somebody",
        created_at="2026-11-30T12:00:00.000Z",
        updated_at="2026-11-30T12:00:01.000Z",
        name="Bäume 🌳",
        system_prompt='Say "yes".\n',
        model="echo",
        config=SessionConfig(linear_threshold=5, keep_raw_count=0, anchor_budget_tokens=100),
    )
    assert await storage.create_session(made) == made
    assert await storage.session(made.id) == made
    empty = replace(made, id=new_id(), name=None, system_prompt=None, model=None)
    assert await storage.create_session(empty) == empty
    assert await storage.session(empty.id) == empty


async def _names(storage: SessionStorage, owner: str, query: str = "", first: int = 50) -> list[str | None]:
    names: list[str | None] = []
    after: str | None = None
    page: Page[Session] | None = None
    while page is None or page.has_next:
        page = await storage.sessions(owner, query, after, first)
        assert len(page.items) == len(page.cursors) <= first
        names += [session.name for session in page.items]
        after = page.cursors[-1] if page.cursors else None
    return names


async def test_an_owner_pages_through_their_own_sessions_the_last_used_first(storage: SessionStorage) -> None:
    owner = new_id()
    for number in range(7):
        await Desk.fresh(storage, owner=owner, name=f"n{number}", updated_at=f"2026-11-30T12:00:0{number // 2}.000Z")
    await Desk.fresh(storage, owner=new_id(), name="somebody else's")
    whole = await _names(storage, owner)
    assert [name[:1] if name else "" for name in whole] == ["n"] * 7
    assert whole[0] == "n6", "the last used"
    assert sorted(whole, key=lambda name: int(str(name)[1:]) // 2, reverse=True) == whole
    for first in (1, 2, 3, 7):
        assert await _names(storage, owner, first=first) == whole, f"pages of {first}, also where times are the same"
    assert (await storage.sessions(owner, "", None, 7)).has_next is False


async def test_using_a_session_brings_it_to_the_front(storage: SessionStorage) -> None:
    owner = new_id()
    old = await Desk.fresh(storage, owner=owner, name="old", updated_at="2020-01-01T00:00:00.000Z")
    await Desk.fresh(storage, owner=owner, name="new", updated_at="2020-01-02T00:00:00.000Z")
    assert await _names(storage, owner) == ["new", "old"]
    await old.ask(None)
    assert await _names(storage, owner) == ["old", "new"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Gärten und Bäume", "GARDENS", "花园 🌳", "100% [a-z]* 'quoted'"}),
        ("garden", {"GARDENS"}),
        ("GÄRTEN", {"Gärten und Bäume"}),
        ("花", {"花园 🌳"}),
        ("🌳", {"花园 🌳"}),
        ("[a-z]*", {"100% [a-z]* 'quoted'"}),
        ("'quoted'", {"100% [a-z]* 'quoted'"}),
        (".*", set()),
        ("nowhere", set()),
    ],
)
async def test_sessions_are_found_by_any_part_of_their_names(
    storage: SessionStorage, query: str, found: set[str]
) -> None:
    owner = new_id()
    for name in ("Gärten und Bäume", "GARDENS", "花园 🌳", "100% [a-z]* 'quoted'", None):
        await Desk.fresh(storage, owner=owner, name=name)
    assert set(await _names(storage, owner, query)) - {None} == found
    assert len(await _names(storage, owner, query)) == len(found) + (query == "")


async def test_changes_are_kept_and_none_removes_a_value(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage, name="before", model="echo", system_prompt="Be brief.")
    before = await desk.session()
    changes: dict[str, object] = {"name": "after", "model": None, "keep_raw_count": 1}
    changed = await storage.update_session(desk.id, changes)
    assert changed == await storage.session(desk.id)
    assert changed is not None
    assert (changed.name, changed.model, changed.system_prompt) == ("after", None, "Be brief.")
    assert changed.config == replace(before.config, keep_raw_count=1)
    assert changed.revision > before.revision
    assert changed.updated_at >= before.updated_at


async def test_the_leaf_moves_only_from_where_it_is_expected(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(2))
    moved = await storage.move_leaf(desk.id, line[1].id, line[3].id)
    assert moved.leaf_id == line[1].id
    before = await desk.counts()
    for expected in (line[3].id, None):
        with pytest.raises(LeafConflict) as caught:
            await storage.move_leaf(desk.id, line[3].id, expected)
        assert caught.value.leaf_id == line[1].id
    with pytest.raises(NotFound):
        await storage.move_leaf(desk.id, new_id(), ANYWHERE)
    assert await desk.counts() == before
    assert (await storage.move_leaf(desk.id, None, ANYWHERE)).leaf_id is None
    assert (await desk.session()).leaf_id is None
    assert (await storage.move_leaf(desk.id, line[3].id, None)).leaf_id == line[3].id


async def test_revisions_grow_with_every_change(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    other = await Desk.fresh(storage)
    seen = [(await desk.session()).revision]

    async def note_revision() -> None:
        seen.append((await storage.revisions([desk.id, other.id]))[desk.id])

    (entry,) = await desk.write([note()])
    await note_revision()
    asked, running = await desk.begin(entry)
    await note_revision()
    await storage.finish_answer(desk.ended(asked, running), owner=OWNER, marks=NO_MARKS)
    await note_revision()
    await storage.move_leaf(desk.id, entry.id, ANYWHERE)
    await note_revision()
    await storage.update_session(desk.id, {"name": "n"})
    await note_revision()
    assert seen == sorted(set(seen))
    assert (await storage.revisions([other.id]))[other.id] == 0


async def test_a_deleted_session_is_gone_with_all_of_it_and_nothing_else(storage: SessionStorage) -> None:
    desk, other = await Desk.fresh(storage, owner=new_id()), await Desk.fresh(storage)
    kept = await other.write(turns(3))
    line = desk.line(turns(1250))
    for start in range(0, len(line), 500):
        await storage.append(desk.id, line[start : start + 500])
    _, running = await desk.begin(line[-1])
    assert await storage.delete_session(desk.id) is True
    assert await storage.delete_session(desk.id) is False
    assert await storage.session(desk.id) is None
    assert await storage.view_at(desk.id, None) is None
    assert await storage.entries([entry.id for entry in line]) == {}
    assert await storage.running_answer(running.id) is None
    assert (await storage.sessions(desk.id, "", None, 10)).items == []
    assert await storage.revisions([desk.id]) == {}
    assert (await other.session()).entry_count == len(kept)
    assert (await storage.entries([entry.id for entry in kept])).keys() == {entry.id for entry in kept}


async def test_an_answer_that_ends_after_the_deletion_leaves_nothing(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None)
    ended = desk.ended(asked, running)
    _, finished = await asyncio.gather(
        storage.delete_session(desk.id), storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS)
    )
    assert finished is None or finished.id == desk.id
    assert await storage.entries([asked.id, ended.id]) == {}
    assert await storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS) is None
    with pytest.raises(NotFound):
        await desk.write([note()])


async def test_finishing_deletions_leaves_living_sessions_alone(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    await desk.write(turns(1))
    await storage.finish_deletions()
    assert (await desk.session()).entry_count == 2
