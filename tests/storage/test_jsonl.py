"""The JSONL storage: names, lines, what is on the disk when, one writer, lazy reading."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given

from graph_session.domain.answers import Piece
from graph_session.domain.entries import Body, EntryType
from graph_session.domain.errors import StorageUnavailable
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.turns import write_under
from graph_session.storage.engines import HomeInUse, HomeUnusable
from graph_session.storage.jsonl import JsonlStorage
from graph_session.storage.jsonl.entry_lines import entry_line, entry_of
from graph_session.storage.jsonl.lines import session_of
from graph_session.storage.jsonl.names import file_name, folder_name
from graph_session.storage.memory.tree import new_tree
from graph_session.storage.protocol import Duplicate
from tests.domain.strategies import bodies, extras
from tests.domain.trees import NOON, answer, note, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk

_CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def storage(home: Path) -> AsyncIterator[JsonlStorage]:
    opened = JsonlStorage(home, cwd=Path("/home/me/my-app"))
    yield opened
    await opened.close()


def _files(home: Path) -> list[Path]:
    return list(home.glob("*/*.jsonl"))


def _file(home: Path) -> Path:
    (path,) = _files(home)
    return path


def _lines(home: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in _file(home).read_text(encoding="utf-8").splitlines()]


async def test_a_session_is_one_file_readable_line_by_line(storage: JsonlStorage, home: Path) -> None:
    desk = await Desk.fresh(storage, id="s1", created_at=NOON, updated_at=NOON, name="Bäume")
    asked, running = await desk.begin(None, "Why 🌳?", request_id="r")
    said = desk.ended(asked, running)
    await storage.finish_answer(said, owner=OWNER, marks=NO_MARKS)
    await storage.move_leaf("s1", asked.id, said.id)
    await storage.update_session("s1", {"name": "Trees", "keep_raw_count": 1})

    assert _file(home) == home / "--home-me-my%2Dapp--" / "2026-11-30T12-00-00-000Z_s1.jsonl"
    header, *rest = _lines(home)
    assert (header["type"], header["version"], header["id"], header["timestamp"], header["cwd"], header["name"]) == (
        *("session", 3, "s1", NOON, "/home/me/my-app", "Bäume"),
    )
    entries = [line for line in rest if line["type"] in set(EntryType)]
    assert entries == [json.loads(json.dumps(entry_to_json(entry))) for entry in (asked, said)]
    assert [line["type"] for line in rest] == [
        *("change", "change", "message", "answer_started", "change", "message", "change", "change", "session_change"),
    ]
    changes = [line for line in rest if line["type"] == "change"]
    assert [line["leafId"] for line in changes] == [None, asked.id, said.id, asked.id, asked.id]
    assert [line["work"] for line in changes] == [False, True, False, False, False]
    assert changes[2]["hashes"] == {said.id: said.hash}


async def test_lines_are_only_ever_added(storage: JsonlStorage, home: Path) -> None:
    desk = await Desk.fresh(storage)
    before = _file(home).read_bytes()
    for _ in range(3):
        await desk.ask(None)
        after = _file(home).read_bytes()
        assert after.startswith(before)
        assert after.endswith(b"\n")
        before = after


async def test_a_stream_is_written_once(storage: JsonlStorage, home: Path) -> None:
    desk = await Desk.fresh(storage)
    _, running = await desk.begin(None)
    text = ""
    for number in range(50):
        text += f"word {number} "
        await storage.renew_answer(running.id, OWNER, [Piece(text, False)], 60)
    written = [line["pieces"] for line in _lines(home) if line["type"] == "answer_renewed"]
    assert "".join(str(piece[0]) for pieces in written for piece in pieces) == text  # type: ignore[attr-defined]


@given(bodies, extras)
def test_every_entry_survives_its_line(body: Body, extra: dict[str, object]) -> None:
    entry = write_under(None, id="the entry", session_id="s", timestamp=NOON, body=body, extra=extra)
    tree = new_tree(session_of({}, "s", None))
    raw = json.loads(json.dumps(entry_to_json(entry)))
    read, is_whole = entry_of(entry_line(raw, 1, {"the entry": entry.hash}), tree)
    assert is_whole
    assert replace(read, is_node=False) == replace(entry, is_node=False)


@pytest.mark.parametrize(
    ("cwd", "folder"),
    [
        ("/home/me/project", "--home-me-project--"),
        ("/home/me-project", "--home-me%2Dproject--"),
        ("/", "----"),
        ("/工作/树", "--工作-树--"),
        ("/a:b\\c%2D", "--a%3Ab%5Cc%252D--"),
    ],
)
def test_folders_tell_working_directories_apart(cwd: str, folder: str) -> None:
    assert folder_name(cwd) == folder
    assert "/" + unquote(folder[2:-2].replace("-", "/")) == cwd


def test_names_fit_into_a_file_system() -> None:
    long = ["/树" * 200 + end for end in ("a", "b")]
    names = {folder_name(cwd) for cwd in long} | {file_name(NOON, "i" * 300 + end) for end in "ab"}
    assert len(names) == 4
    assert all(len(name.encode()) <= 255 for name in names)
    assert file_name("../../etc", "../x") == "------etc_..%2Fx.jsonl"
    assert folder_name("/x/\udcff") == "--x-%FF--"


async def test_a_change_is_on_the_disk_before_the_call_returns(
    storage: JsonlStorage, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def noted(handle: int) -> None:
        fsync(handle)
        synced.append(os.fstat(handle).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    desk = await Desk.fresh(storage)
    assert _file(home).stat().st_size in synced
    (entry,) = await desk.write([note()])
    for change in (
        desk.begin(entry),
        storage.update_session(desk.id, {"name": "n"}),
        storage.append(desk.id, desk.line([note()], entry)),
    ):
        synced.clear()
        await change
        assert synced == [_file(home).stat().st_size]


def test_kill_9_loses_no_acknowledged_write(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.storage.crashing_file_writer", str(tmp_path)]
    with subprocess.Popen(command, cwd=_CHECKOUT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = []
        for number, line in enumerate(writer.stdout):
            acknowledged.append(line.strip())
            if number == 150:
                writer.kill()

    async def check() -> None:
        storage = JsonlStorage(tmp_path)
        session = await storage.session("s")
        assert session is not None
        assert session.leaf_id is not None
        path = [entry.id for entry in await storage.path_page(session.leaf_id, 100_000)]
        assert set(acknowledged) <= set(path)
        assert len(path) == session.entry_count
        assert len(path) % 2 == 0, "no change is there by half"
        await storage.close()

    asyncio.run(check())


async def test_a_home_is_for_one_process(storage: JsonlStorage, home: Path) -> None:
    with pytest.raises(HomeInUse) as caught:
        JsonlStorage(home)
    assert caught.value.pid == os.getpid()
    command = [sys.executable, "-m", "tests.storage.crashing_file_writer", str(home)]
    other = await asyncio.to_thread(subprocess.run, command, cwd=_CHECKOUT, capture_output=True, text=True, check=False)
    assert other.returncode != 0
    assert f"{home} is in use by process {os.getpid()}" in other.stderr
    await storage.close()
    await JsonlStorage(home).close()


def test_a_folder_that_cannot_be_a_home(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeUnusable, match="GRAPH_SESSION_HOME"):
        JsonlStorage(tmp_path / "file")


async def test_a_full_disk_refuses_the_change_and_nothing_else(
    storage: JsonlStorage, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await Desk.fresh(storage)
    (first,) = await desk.write([note()])
    before = await desk.counts()
    pwrite = os.pwrite
    written = iter([20, OSError(28, "No space left on device")])

    def full(handle: int, data: memoryview, at: int) -> int:
        outcome = next(written)
        if isinstance(outcome, OSError):
            raise outcome
        return pwrite(handle, data[:outcome], at)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(StorageUnavailable, match="No space left"):
            await desk.write([note("lost")], first)
    assert await desk.counts() == before
    assert not _file(home).read_bytes().endswith(b"\n"), "half a line is there"
    (second,) = await desk.write([note("kept")], first)
    await storage.close()
    again = JsonlStorage(home)
    assert (await again.entries([first.id, second.id])).keys() == {first.id, second.id}
    assert await again.check_files() == []
    await again.close()


async def test_a_caller_that_goes_away_leaves_file_and_memory_alike(
    storage: JsonlStorage, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await Desk.fresh(storage)
    fsync = os.fsync

    def slow(handle: int) -> None:
        time.sleep(0.1)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    writing = asyncio.create_task(desk.write([note()]))
    await asyncio.sleep(0.03)
    writing.cancel()
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert (await desk.session()).entry_count == 1
    assert [line["type"] for line in _lines(home)].count("custom_message") == 1


async def _many(home: Path, count: int) -> list[Desk]:
    storage = JsonlStorage(home)
    desks = [await Desk.fresh(storage, owner="me", name=f"n{number}") for number in range(count)]
    for desk in desks:
        await desk.ask(None)
    await storage.close()
    return desks


async def test_only_what_is_used_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desks = await _many(home, 5)
    read: list[str] = []
    read_bytes = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append(path.name)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    storage = JsonlStorage(home)
    assert read == []
    page = await storage.sessions("me", "n3", None, 10)
    assert [session.id for session in page.items] == [desks[3].id]
    assert len(read) == 1
    session = await storage.session(desks[1].id)
    assert session is not None
    assert len(read) == 2
    await Desk(storage, desks[1].id).write([note()])
    assert (await storage.sessions("me", "", None, 2)).items[0].id == desks[1].id
    assert (await storage.revisions([desk.id for desk in desks])).keys() == {desk.id for desk in desks}
    assert len(read) == 5
    await storage.close()


async def test_an_entry_is_found_in_files_that_were_not_read_yet(home: Path) -> None:
    desks = await _many(home, 3)
    storage = JsonlStorage(home)
    leaf_id = next(line["leafId"] for line in reversed(_read(home, desks[2].id)) if line["type"] == "change")
    assert isinstance(leaf_id, str)
    entry = (await storage.entries([leaf_id]))[leaf_id]
    assert entry.session_id == desks[2].id
    with pytest.raises(Duplicate):
        await storage.append(desks[0].id, [replace(entry, session_id=desks[0].id, parent_id=None)])
    await storage.close()


def _read(home: Path, session_id: str) -> list[dict[str, object]]:
    (path,) = home.glob(f"*/*{session_id}.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def test_what_a_crash_left_running_is_found_at_the_start(home: Path) -> None:
    storage = JsonlStorage(home)
    desk = await Desk.fresh(storage)
    asked, running = await desk.begin(None, owner="crashed")
    await storage.renew_answer(running.id, "crashed", [Piece("half", False)], 600)
    await storage.close()
    storage = JsonlStorage(home)
    (found,) = await storage.expired_answers(OWNER)
    assert (found.answer.id, found.answer.partial[0].text) == (running.id, "half")
    entry = desk.ended(asked, found.answer, answer("half"))
    assert await storage.finish_answer(entry, owner=OWNER, marks=NO_MARKS, expired=True) is not None
    assert (await storage.nodes([running.id]))[running.id].ai_content == "half"
    await storage.close()


async def test_a_deleted_session_leaves_no_file(storage: JsonlStorage, home: Path) -> None:
    desk = await Desk.fresh(storage)
    await desk.ask(None)
    await storage.delete_session(desk.id)
    assert _files(home) == []


async def test_a_session_id_is_taken_in_files_that_were_not_read_yet(home: Path) -> None:
    (desk,) = await _many(home, 1)
    storage = JsonlStorage(home)
    with pytest.raises(Duplicate):
        await Desk.fresh(storage, id=desk.id)
    await storage.close()


async def test_ten_thousand_entries_open_in_little_time(home: Path) -> None:
    storage = JsonlStorage(home)
    desk = await Desk.fresh(storage)
    line = desk.line(turns(5000))
    for start in range(0, len(line), 1000):
        await storage.append(desk.id, line[start : start + 1000])
    await storage.close()
    began = time.perf_counter()
    storage = JsonlStorage(home)
    opened = time.perf_counter() - began
    path = await storage.path_page(line[-1].id, 20_000)
    read = time.perf_counter() - began
    assert [entry.hash for entry in reversed(path)] == [entry.hash for entry in line]
    assert storage.problems == []
    assert opened < 0.5
    assert read < 10
    await storage.close()


async def test_a_folder_that_goes_away_is_noticed(storage: JsonlStorage, home: Path) -> None:
    await storage.ping()
    await asyncio.to_thread(home.rename, home.with_name("elsewhere"))
    with pytest.raises(StorageUnavailable):
        await storage.ping()
