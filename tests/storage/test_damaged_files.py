"""Session files that something has happened to: each opens with a report, and every good entry is there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_session.domain.entries import Entry
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.turns import entry_hash
from graph_session.storage.jsonl import JsonlStorage, ProblemCode
from graph_session.storage.jsonl.replay import replay
from tests.domain.trees import NOON, note, path_of, question, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk
from tests.storage.test_agreement import Clock

CODE = ProblemCode


async def _made(home: Path) -> list[Entry]:
    """A session "s": three turns asked one below the other."""
    storage = JsonlStorage(home)
    desk = await Desk.fresh(storage, id="s", owner="me")
    line: list[Entry] = []
    for number in range(3):
        asked, running = await desk.begin(line[-1] if line else None, f"q{number}")
        said = desk.ended(asked, running)
        await storage.finish_answer(said, owner=OWNER, marks=NO_MARKS)
        line += [asked, said]
    await storage.close()
    return line


def _file(home: Path) -> Path:
    (path,) = home.glob("*/*.jsonl")
    return path


def _index(lines: list[bytes], entry: Entry) -> int:
    return next(i for i, line in enumerate(lines) if json.loads(line).get("id") == entry.id)


async def _opened(
    home: Path, damage: Callable[[list[bytes], list[Entry]], bytes]
) -> tuple[JsonlStorage, list[Entry], list[ProblemCode]]:
    """The storage on a file that was damaged, the entries that it had, and what it says."""
    line = await _made(home)
    path = _file(home)
    path.write_bytes(damage(path.read_bytes().splitlines(keepends=True), line))
    storage = JsonlStorage(home)
    return storage, line, [problem.code for problem in await storage.check_files()]


async def _ids(storage: JsonlStorage, line: list[Entry]) -> list[int]:
    """Which of the entries are there."""
    found = await storage.entries([entry.id for entry in line])
    return [number for number, entry in enumerate(line) if entry.id in found]


async def _goes_on(storage: JsonlStorage, home: Path) -> None:
    """Something is written behind the damage; after a restart it is there, and is not glued to anything."""
    desk = Desk(storage, "s")
    leaf_id = (await desk.session()).leaf_id
    parent = await desk.read(leaf_id) if leaf_id else None
    (entry,) = await desk.write([note("after it")], parent)
    session = await desk.session()
    await storage.close()
    again = JsonlStorage(home)
    assert (await again.entries([entry.id]))[entry.id].parent_id == leaf_id
    assert await again.session("s") == session
    codes = {problem.code for problem in await again.check_files()}
    assert not codes & {CODE.CUT_LINE, CODE.CUT_CHANGE, CODE.NO_NEWLINE}
    await again.close()


async def test_a_line_that_was_cut_takes_its_change_along_and_is_repaired_at_the_next(tmp_path: Path) -> None:
    storage, line, codes = await _opened(tmp_path, lambda lines, _: b"".join(lines)[:-20])
    assert sorted(codes) == [CODE.CUT_CHANGE, CODE.CUT_LINE]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4]
    (found,) = await storage.expired_answers(OWNER + "'s successor")
    assert found.answer.id == line[5].id, "its answer still runs, for the reaper to close"
    await _goes_on(storage, tmp_path)


async def test_a_change_that_was_cut_between_its_lines_is_left_out_as_a_whole(tmp_path: Path) -> None:
    storage, line, codes = await _opened(tmp_path, lambda lines, line: b"".join(lines[: _index(lines, line[4]) + 1]))
    assert codes == [CODE.CUT_CHANGE]
    assert await _ids(storage, line) == [0, 1, 2, 3]
    session = await storage.session("s")
    assert session is not None
    assert session.leaf_id == line[3].id
    await _goes_on(storage, tmp_path)


async def test_a_last_line_without_its_end_is_kept_and_never_glued_to(tmp_path: Path) -> None:
    storage, line, codes = await _opened(tmp_path, lambda lines, _: b"".join(lines)[:-1])
    assert codes == [CODE.NO_NEWLINE]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    await _goes_on(storage, tmp_path)


async def test_two_glued_lines_are_both_read(tmp_path: Path) -> None:
    def glue(lines: list[bytes], line: list[Entry]) -> bytes:
        at = _index(lines, line[1])
        return b"".join([*lines[:at], lines[at].rstrip(), *lines[at + 1 :]])

    storage, line, codes = await _opened(tmp_path, glue)
    assert codes == [CODE.GLUED_LINES]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    await _goes_on(storage, tmp_path)


async def test_a_line_glued_to_a_part_of_another_is_read(tmp_path: Path) -> None:
    def glue(lines: list[bytes], line: list[Entry]) -> bytes:
        at = _index(lines, line[3])
        return b"".join([*lines[:at], lines[at][:60] + lines[at], *lines[at + 1 :]])

    storage, line, codes = await _opened(tmp_path, glue)
    assert codes == [CODE.GLUED_LINES]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    await _goes_on(storage, tmp_path)


@pytest.mark.parametrize(
    ("garbage", "code"),
    [
        (b"\xff\xfe not text\n", CODE.BAD_LINE),
        (b'{"type":"message","id":\n', CODE.BAD_LINE),
        (b"[1, 2]\n", CODE.BAD_LINE),
        (b'{"type":"message","id":"x"}\n', CODE.BAD_LINE),
        (
            b'{"type":"message","id":"x","parentId":null,"timestamp":"noon","message":{"role":"user","content":"q"}}\n',
            CODE.BAD_LINE,
        ),
        (b'{"type":"hologram","id":"x"}\n', CODE.UNKNOWN_TYPE),
        (b"[" * 100_000 + b"\n", CODE.BAD_LINE),
        (b'{"type":"session","version":3,"id":"other"}\n', CODE.SECOND_HEADER),
        (b'{"type":"summary","targetId":"nowhere","state":"DONE"}\n', CODE.MISSING_TARGET),
        (b'{"type":"answer_renewed","answerId":"nowhere","leaseUntil":1,"after":0,"pieces":[]}\n', CODE.MISSING_TARGET),
    ],
)
async def test_a_bad_line_costs_only_itself(tmp_path: Path, garbage: bytes, code: ProblemCode) -> None:
    storage, line, codes = await _opened(
        tmp_path,
        lambda lines, line: b"".join(
            [*lines[: _index(lines, line[2]) + 2], garbage, *lines[_index(lines, line[2]) + 2 :]]
        ),
    )
    assert codes == [code]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    await _goes_on(storage, tmp_path)


async def test_a_spoilt_line_of_a_change_costs_only_itself(tmp_path: Path) -> None:
    def spoil(lines: list[bytes], line: list[Entry]) -> bytes:
        at = _index(lines, line[2])
        return b"".join([*lines[:at], b"\xff" + lines[at], *lines[at + 1 :]])

    storage, line, codes = await _opened(tmp_path, spoil)
    assert set(codes) == {CODE.BAD_LINE, CODE.MISSING_PARENT, CODE.MISSING_TARGET}
    assert await _ids(storage, line) == [0, 1, 3, 4, 5]
    root = (await storage.entries([line[3].id]))[line[3].id]
    assert root.parent_id is None
    assert [entry.id for entry in await storage.path_page(line[5].id, 9)] == [line[5].id, line[4].id, line[3].id]
    assert root.hash == line[3].hash, "what it was is not forgotten"
    await _goes_on(storage, tmp_path)


async def test_the_first_line_of_a_change_may_be_lost(tmp_path: Path) -> None:
    def lose(lines: list[bytes], line: list[Entry]) -> bytes:
        at = _index(lines, line[5]) - 1
        return b"".join([*lines[:at], b"{\n", *lines[at + 1 :]])

    storage, line, codes = await _opened(tmp_path, lose)
    assert codes == [CODE.BAD_LINE]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    session = await storage.session("s")
    assert session is not None
    assert session.leaf_id == line[5].id
    await _goes_on(storage, tmp_path)


async def test_a_line_that_was_taken_out_is_missed(tmp_path: Path) -> None:
    storage, line, codes = await _opened(
        tmp_path,
        lambda lines, line: b"".join(
            lines[: _index(lines, line[5])] + lines[_index(lines, line[5]) + 1 :] + [_change()]
        ),
    )
    assert CODE.MISSING_LINES in codes
    assert await _ids(storage, line) == [0, 1, 2, 3, 4]
    await storage.close()


def _change() -> bytes:
    change = {"type": "change", "lines": 0, "revision": 9, "leafId": None, "timestamp": NOON, "work": False}
    return json.dumps(change).encode() + b"\n"


async def test_the_header_may_be_lost(tmp_path: Path) -> None:
    storage, line, codes = await _opened(tmp_path, lambda lines, _: b"".join(lines[1:]))
    assert codes == [CODE.NO_HEADER]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    session = await storage.session("s")
    assert session is not None
    assert session.owner == "me"
    await _goes_on(storage, tmp_path)


async def test_a_byte_order_mark_and_crlf_do_no_harm(tmp_path: Path) -> None:
    storage, line, codes = await _opened(
        tmp_path, lambda lines, _: b"\xef\xbb\xbf" + b"".join(lines).replace(b"\n", b"\r\n")
    )
    assert codes == [CODE.BOM, CODE.CRLF]
    assert await _ids(storage, line) == [0, 1, 2, 3, 4, 5]
    await _goes_on(storage, tmp_path)


async def test_an_entry_that_was_changed_is_found(tmp_path: Path) -> None:
    storage, line, codes = await _opened(tmp_path, lambda lines, _: b"".join(lines).replace(b'"q1"', b'"Q1"'))
    assert codes == [CODE.CHANGED_ENTRY]
    assert storage.problems[0].entry_id == line[2].id
    changed = (await storage.entries([line[2].id]))[line[2].id]
    assert changed.hash != entry_hash(line[1].hash, changed)
    await storage.close()


def _foreign(entries: list[dict[str, Any]]) -> bytes:
    header = {"type": "session", "version": 3, "id": "s", "timestamp": NOON, "cwd": "/work"}
    return b"".join(json.dumps(line).encode() + b"\n" for line in (header, *entries))


async def _foreign_storage(home: Path, content: bytes) -> JsonlStorage:
    folder = home / "--work--"
    folder.mkdir(parents=True)
    (folder / "2026-11-30T12-00-00-000Z_s.jsonl").write_bytes(content)
    return JsonlStorage(home)


def _forms() -> list[dict[str, Any]]:
    return [entry_to_json(entry) for entry in path_of([*turns(2), note()])]


async def test_a_file_of_entries_alone_is_a_session_that_stands_at_its_last(tmp_path: Path) -> None:
    storage = await _foreign_storage(tmp_path, _foreign(_forms()))
    session = await storage.session("s")
    assert session is not None
    assert (session.entry_count, session.node_count, session.leaf_id, session.owner) == (5, 2, "e4", "local")
    assert storage.problems == []
    await _goes_on(storage, tmp_path)


@pytest.mark.parametrize(
    ("parents", "code", "roots"),
    [
        ({"e2": "e4"}, CODE.CYCLE, {"e0", "e2"}),
        ({"e2": "e2"}, CODE.CYCLE, {"e0", "e2"}),
        ({"e0": "e4"}, CODE.CYCLE, {"e0"}),
        ({"e2": "nowhere"}, CODE.MISSING_PARENT, {"e0", "e2"}),
    ],
)
async def test_no_entry_is_lost_to_a_wrong_parent(
    tmp_path: Path, parents: dict[str, str], code: ProblemCode, roots: set[str]
) -> None:
    forms = [raw | {"parentId": parents.get(raw["id"], raw["parentId"])} for raw in _forms()]
    storage = await _foreign_storage(tmp_path, _foreign(forms))
    assert [problem.code for problem in storage.problems] == [code]
    found = await storage.entries([f"e{number}" for number in range(5)])
    assert len(found) == 5
    assert {entry.id for entry in found.values() if entry.parent_id is None} == roots
    for entry in found.values():
        assert (await storage.path_page(entry.id, 100))[-1].id in roots
    await _goes_on(storage, tmp_path)


async def test_of_two_entries_with_one_id_the_first_counts(tmp_path: Path) -> None:
    forms = _forms()
    forms.insert(3, forms[0] | {"message": {"role": "user", "content": "another"}})
    storage = await _foreign_storage(tmp_path, _foreign(forms))
    (problem,) = storage.problems
    assert (problem.code, problem.line, problem.entry_id) == (CODE.DUPLICATE_ID, 5, "e0")
    assert (await storage.entries(["e0"]))["e0"].body == question("q1")
    session = await storage.session("s")
    assert session is not None
    assert session.entry_count == 5
    await storage.close()


async def test_children_may_come_before_their_parents(tmp_path: Path) -> None:
    storage = await _foreign_storage(tmp_path, _foreign(_forms()[::-1]))
    assert storage.problems == []
    assert [entry.id for entry in await storage.path_page("e4", 9)] == ["e4", "e3", "e2", "e1", "e0"]
    await storage.close()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", CODE.EMPTY),
        (b"\n\r\n  \n", CODE.EMPTY),
        (b"\x00" * 5000, CODE.UNREADABLE),
        (b'{"type":"session","version":3,"id":"s"', CODE.UNREADABLE),
        (_foreign([]).replace(b'"version": 3', b'"version": 4'), CODE.NEWER_VERSION),
    ],
)
async def test_files_without_a_session_are_reported_and_left_alone(
    tmp_path: Path, content: bytes, code: ProblemCode
) -> None:
    storage = await _foreign_storage(tmp_path, content)
    assert code in {problem.code for problem in storage.problems}
    assert await storage.session("s") is None
    await storage.close()
    assert _file(tmp_path).read_bytes() == content


async def test_of_two_files_of_one_session_the_first_counts(tmp_path: Path) -> None:
    storage = await _foreign_storage(tmp_path, _foreign(_forms()))
    await storage.close()
    copy = _file(tmp_path).with_name("2027_copy.jsonl")
    copy.write_bytes(_foreign(_forms()[:2]))
    storage = JsonlStorage(tmp_path)
    assert [(problem.code, problem.path) for problem in storage.problems] == [(CODE.SECOND_FILE, copy)]
    session = await storage.session("s")
    assert session is not None
    assert session.entry_count == 5
    await storage.close()


async def _busy(home: Path) -> bytes:
    """A file with lines of all types."""
    clock = Clock()
    storage = JsonlStorage(home, now=clock)
    desk = await Desk.fresh(storage, id="s")
    first = await desk.ask(None)
    for number in range(2):
        await desk.ask(first, f"q{number}")
    job = await storage.claim_summary("w", 60)
    assert job is not None
    await storage.finish_summary(job, "all so far", "echo")
    _, running = await desk.begin(first)
    await storage.renew_answer(running.id, OWNER, [], 60)
    await storage.cancel_answer(running.id)
    await storage.update_session("s", {"name": "n"})
    await storage.close()
    return _file(home).read_bytes()


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return asyncio.run(_busy(tmp_path_factory.mktemp("busy")))


@settings(deadline=None)
@given(cut=st.integers(0, 10_000))
def test_a_file_cut_anywhere_is_what_it_was_after_some_change(busy: bytes, cut: int) -> None:
    cut %= len(busy)
    reading = replay(Path("s.jsonl"), busy[:cut])
    assert reading.end <= cut
    whole = replay(Path("s.jsonl"), busy[: reading.end])
    assert not {problem.code for problem in whole.problems} - {CODE.EMPTY, CODE.NO_NEWLINE}
    assert whole.tree == reading.tree
    if reading.tree is not None:
        assert reading.problems or cut == reading.end
        assert set(reading.tree.entries) == {
            raw["id"] for raw in map(json.loads, busy[: reading.end].splitlines()) if raw["type"] == "message"
        }


@settings(deadline=None)
@given(at=st.integers(0, 10_000), junk=st.binary(min_size=1, max_size=30), cut=st.integers(0, 40))
def test_no_damage_stops_a_file_from_being_read(busy: bytes, at: int, junk: bytes, cut: int) -> None:
    at %= len(busy)
    reading = replay(Path("s.jsonl"), busy[:at] + junk + busy[at + cut :])
    lines = busy.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    # A line that the damage does not touch is there, but for one that stands behind the junk on the same line.
    good = [
        raw["id"]
        for start, line in zip(starts, lines, strict=True)
        if (start + len(line) < at or start > at + cut) and (raw := json.loads(line))["type"] == "message"
    ]
    if reading.tree is not None and CODE.CUT_CHANGE not in {problem.code for problem in reading.problems}:
        assert set(good) <= set(reading.tree.entries)


def test_what_runs_belongs_to_the_session_of_its_file(busy: bytes) -> None:
    tree = replay(Path("s.jsonl"), busy).tree
    assert tree is not None
    (running,) = tree.running.values()
    assert running.answer.session_id == "s"
    assert running.cancel
