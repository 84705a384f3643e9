"""Sessions out to files and in again, on every storage: the same bytes, and a report of what cannot be read."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_session.domain.context import assemble
from graph_session.domain.entries import Entry
from graph_session.domain.errors import InvalidInput, NotFound, SessionExists
from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from graph_session.domain.turns import write_under
from graph_session.services import exchange
from graph_session.services.exchange import ExchangeService, Imported
from graph_session.services.verify import VerifyService
from graph_session.storage.protocol import ANYWHERE, Duplicate, SessionStorage
from tests.domain.strategies import bodies, extras
from tests.domain.trees import NOON, condensed, question, turns
from tests.interchange.files import HEAD, lines, said, uid
from tests.storage.desk import Desk

ME = Principal("somebody")


async def _exported(storage: SessionStorage, session_id: str) -> bytes:
    return b"".join([line async for part in ExchangeService(storage).export(ME, session_id) for line in part])


async def _imported(storage: SessionStorage, data: bytes, **options: Any) -> Imported:
    return await ExchangeService(storage).bring_in(ME, io.BytesIO(data), **options)


async def _problems(storage: SessionStorage, session_id: str) -> list[str]:
    report = await VerifyService(storage).verify(ME, session_id)
    return [problem.code for problem in report.problems]


def _head(**fields: Any) -> dict[str, Any]:
    """A head of ours for a session that is not there yet."""
    return {**HEAD, "formatVersion": 1, "id": new_id(), **fields}


async def test_a_compaction_that_came_with_a_file_keeps_what_it_kept(storage: SessionStorage) -> None:
    entries = [said(uid(n), uid(n - 1) if n > 1 else None, f"said {n}") for n in range(1, 7)]
    kept = {"type": "compaction", "id": uid(7), "parentId": uid(6), "timestamp": NOON, "summary": "so far"}
    kept |= {"firstKeptEntryId": uid(3), "tokensBefore": 9}
    data = lines(_head(), *entries, kept, said(uid(8), uid(7), "said 8"))
    done = await _imported(storage, data, fresh_ids=True)
    view = await storage.view_at(done.session.id, None)
    assert view is not None
    messages = assemble(view.path, keep_raw=0, model="m").messages
    assert [message.text for message in messages[1:]] == [f"said {n}" for n in (3, 4, 5, 6, 8)]


async def test_a_session_comes_back_in_the_same_bytes(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage, name="Käse 奶酪", system_prompt="Be brief.", model="m", created_at=NOON)
    first = desk.line(turns(3))
    first[1] = condensed(first[1], node="short")
    first[3] = condensed(first[3], node="short", anchor="all of it")
    await storage.append(desk.id, first)
    await desk.write(turns(2), first[1])
    await storage.move_leaf(desk.id, first[3].id, ANYWHERE)
    before, data = await desk.session(), await _exported(storage, desk.id)
    with pytest.raises(SessionExists) as refused:
        await _imported(storage, data)
    assert refused.value.session_id == desk.id
    await storage.delete_session(desk.id)
    done = await _imported(storage, data)
    assert done.report.faults == []
    assert done.report.entries == 10
    assert await _exported(storage, desk.id) == data
    after = await desk.session()
    assert replace(after, updated_at="", revision=0) == replace(before, updated_at="", revision=0)
    assert (await desk.read(first[3].id)).summary == first[3].summary
    assert await _problems(storage, desk.id) == []


async def _pages(storage: SessionStorage, session_id: str) -> list[bytes]:
    pages, after = [], None
    while not pages or after is not None:
        page = await ExchangeService(storage).export_page(ME, session_id, after)
        pages.append(page.data)
        after = page.cursor
    return pages


async def test_pages_of_a_file_are_the_file(storage: SessionStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await Desk.fresh(storage, name="Käse 奶酪")
    assert await _pages(storage, desk.id) == [await _exported(storage, desk.id)]
    line = desk.line([*turns(4), question("long " * 500), *turns(2)])
    line[1] = condensed(line[1], node="short")
    await storage.append(desk.id, line)
    data = await _exported(storage, desk.id)
    assert await _pages(storage, desk.id) == [data]
    for entries, size in ((1, 10**6), (3, 10**6), (13, 10**6), (10**6, 1), (10**6, 700)):
        monkeypatch.setattr(exchange, "PAGE_ENTRIES", entries)
        monkeypatch.setattr(exchange, "PAGE_BYTES", size)
        pages = await _pages(storage, desk.id)
        assert b"".join(pages) == data
        assert all(len(page.splitlines()) <= entries + 2 and page.endswith(b"\n") for page in pages)
        assert len(pages) == {13: 1, 3: 5, 1: 13}.get(entries, len(pages))
        assert len(pages) > 2 or entries == 13


async def test_what_is_written_between_the_pages_of_a_file_is_in_none(
    storage: SessionStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write(turns(3))
    data = await _exported(storage, desk.id)
    monkeypatch.setattr(exchange, "PAGE_ENTRIES", 4)
    service = ExchangeService(storage)
    first = await service.export_page(ME, desk.id, None)
    await desk.write(turns(5), line[1])
    assert first.cursor is not None
    last = await service.export_page(ME, desk.id, first.cursor)
    assert (first.data + last.data, last.cursor) == (data, None)
    for cursor in ("", "4", "4-", "-1-9", "x-9", "4-9-9", "٤-9"):
        with pytest.raises(InvalidInput):
            await service.export_page(ME, desk.id, cursor)
    with pytest.raises(NotFound):
        await service.export_page(Principal("somebody else"), desk.id, None)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shape=st.lists(st.tuples(st.integers(-1, 20), bodies, extras), max_size=20))
async def test_any_tree_comes_back_as_it_was(storage: SessionStorage, shape: list[tuple[int, Any, Any]]) -> None:
    desk = await Desk.fresh(storage)
    written: list[Entry] = []
    for choice, body, extra in shape:
        parent = written[choice] if 0 <= choice < len(written) else None
        entry = write_under(parent, id=new_id(), session_id=desk.id, timestamp=NOON, body=body, extra=extra)
        written.append(entry)
        await storage.append(desk.id, [entry], move_leaf=False)
    before, data = await desk.session(), await _exported(storage, desk.id)
    await storage.delete_session(desk.id)
    await _imported(storage, data)
    assert await _exported(storage, desk.id) == data
    after = await desk.session()
    assert (after.node_count, after.entry_count) == (before.node_count, before.entry_count)
    dangling = {"TARGET_MISSING", "KEPT_ENTRY_OFF_PATH", "TOOL_RESULT_ALONE"}
    assert set(await _problems(storage, desk.id)) <= dangling
    await storage.delete_session(desk.id)


async def test_a_copy_has_ids_of_its_own(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    written = await desk.write(turns(2))
    done = await _imported(storage, await _exported(storage, desk.id), fresh_ids=True)
    assert done.session.id != desk.id
    assert done.session.leaf_id not in {entry.id for entry in written}
    assert await _problems(storage, done.session.id) == await _problems(storage, desk.id) == []
    copied = await storage.entries([done.session.leaf_id or ""])
    assert [entry.extra["originalId"] for entry in copied.values()] == [written[-1].id]


async def test_ids_of_other_sessions_are_replaced(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (there,) = await desk.write([question()])
    done = await _imported(storage, lines(_head(), said(there.id, None), said(new_id(), there.id)))
    assert [fault.code for fault in done.report.faults] == ["ID_TAKEN"]
    assert (await desk.read(there.id)).session_id == desk.id
    assert await _problems(storage, done.session.id) == []


@pytest.mark.parametrize(
    ("body", "entries", "codes"),
    [
        (lines(said("A", None), said("B", "A")) + b'{"type":"message","id":"C","par', 2, ["DAMAGED_LINE"]),
        (lines(said("A", None)) + lines(said("B", "A")).strip() + lines(said("C", "B")), 3, ["GLUED_LINE"]),
        (lines(said("A", "C"), said("B", None), said("C", "A")), 1, ["CYCLE", "CYCLE"]),
        (lines(said("A", "Z"), said("B", "A")), 2, ["MISSING_PARENT"]),
        (lines(said("A", None), said("A", None, "again"), said("B", "A")), 2, ["DUPLICATE_ID"]),
        (lines(said("A", None), said("B", "A")).replace(b"\n", b"\r\n"), 2, []),
        (b"", 0, []),
    ],
    ids=["cut", "glued", "cycle", "missing parent", "duplicate", "carriage returns", "no entries"],
)
@pytest.mark.parametrize("ours", [True, False], ids=["ours", "pi"])
async def test_damaged_files_bring_all_that_is_good(
    storage: SessionStorage, body: bytes, entries: int, codes: list[str], ours: bool
) -> None:
    ids = {name: new_id() if ours else f"00{name}" for name in "ABCZ"}
    for name, entry_id in ids.items():
        body = body.replace(b'"%s"' % name.encode(), b'"%s"' % entry_id.encode())
    head = _head() if ours else {**HEAD, "id": new_id()}
    done = await _imported(storage, b"\xef\xbb\xbf" + lines(head) + body)
    assert done.report.format == ("graph_session" if ours else "pi")
    assert [fault.code for fault in done.report.faults] == codes
    assert all(fault.line > 1 for fault in done.report.faults)
    assert done.report.entries == done.session.entry_count == entries
    assert await _problems(storage, done.session.id) == []


async def test_a_file_without_a_head_becomes_a_session_of_its_own(storage: SessionStorage) -> None:
    done = await _imported(storage, lines(said("aa", None), said("bb", "aa")))
    assert [fault.code for fault in done.report.faults] == ["NO_HEADER"]
    assert done.session.entry_count == 2
    assert done.session.leaf_id is not None


async def test_settings_and_leaves_that_cannot_be_taken_are_told(storage: SessionStorage) -> None:
    head = _head(config={"linearThreshold": 0}, leafId=new_id(), timestamp="yesterday")
    done = await _imported(storage, lines(head, said(only := new_id(), None)))
    assert sorted(fault.code for fault in done.report.faults) == ["BAD_CONFIG", "LEAF_MISSING"]
    assert done.session.leaf_id == only
    done = await _imported(storage, lines(_head(leafId=None, config="none"), said(new_id(), None)))
    assert done.report.faults == []
    assert done.session.leaf_id is None


async def test_pi_sessions_are_named_by_their_last_name(storage: SessionStorage) -> None:
    names = [
        {"type": "session_info", "id": f"n{n}", "parentId": "aa", "timestamp": NOON, "name": name}
        for n, name in enumerate(["first", "second"])
    ]
    done = await _imported(storage, lines({**HEAD, "id": "x"}, said("aa", None), *names))
    assert done.session.name == "second"
    assert done.session.id != "x"


async def test_a_failure_on_the_way_leaves_nothing(storage: SessionStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    head = _head()

    async def fail(*_: object, **__: object) -> None:
        raise Duplicate

    monkeypatch.setattr(storage, "append", fail)
    with pytest.raises(InvalidInput, match="Try again"):
        await _imported(storage, lines(head, said(new_id(), None)))
    assert await storage.session(head["id"]) is None


async def test_long_files_go_in_batches_and_tell_how_far_they_are(storage: SessionStorage) -> None:
    ids = [new_id() for _ in range(1203)]
    forms = [said(one, parent) for one, parent in zip(ids, [None, *ids], strict=False)]
    told: list[int] = []
    done = await _imported(storage, lines(_head(), *forms), progress=told.append)
    assert told == [500, 1000, 1203]
    assert done.session.node_count == 1203
    data = await _exported(storage, done.session.id)
    assert [orjson.loads(line)["id"] for line in data.splitlines()[1:]] == ids
    await storage.delete_session(done.session.id)


async def test_only_ones_own_sessions_are_exported(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage, owner="another")
    with pytest.raises(NotFound):
        await _exported(storage, desk.id)
    with pytest.raises(NotFound):
        await _exported(storage, uid(404))
