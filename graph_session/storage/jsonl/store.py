"""The JSONL storage: the memory storage, with a file for each session."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import structlog

from graph_session.domain.errors import StorageUnavailable
from graph_session.domain.sessions import Session
from graph_session.storage.engines.home import LockedHome
from graph_session.storage.jsonl.files import (
    Label,
    SessionFile,
    create_file,
    labels_with,
    read_label,
    remove_file,
)
from graph_session.storage.jsonl.lines import change_lines, new_file
from graph_session.storage.jsonl.names import file_name, folder_name
from graph_session.storage.jsonl.problems import Problem, ProblemCode
from graph_session.storage.jsonl.replay import Reading, replay
from graph_session.storage.memory import MemoryStorage
from graph_session.storage.memory.records import Change
from graph_session.storage.memory.tree import Tree

log = structlog.get_logger(__name__)
T = TypeVar("T")


class JsonlStorage(MemoryStorage):
    """Sessions as files of JSON lines, `HOME/--WORKING-DIRECTORY--/TIMESTAMP_SESSIONID.jsonl`, only ever appended to.

    A change is on the disk before a method returns, and is there as a whole or not at all. One process at a time has
    the home, by a lock that dies with it. All sessions of the home are served, whatever their working directory.

    At the start only both ends of each file are read; the rest of it when its session is first used, and at once where
    an answer runs, a summary is due or an end is damaged. A session that has been read stays in memory. An id that is
    in no session read so far is looked for in the bytes of the files that are as new as it.

    What is wrong with a file is reported in `problems` when it is read, and costs only itself (`replay`).
    """

    def __init__(self, home: Path, *, cwd: Path | None = None, now: Callable[[], float] = time.time) -> None:
        """Opens a home folder, and makes it if it is not there. `cwd`: the working directory of new sessions, by
        default the process's. Raises HomeInUse, HomeUnusable."""
        super().__init__(now)
        self.problems: list[Problem] = []
        self._home = LockedHome.acquire(home)
        self._cwd = os.fspath(cwd or Path.cwd())
        self._files: dict[str, SessionFile] = {}
        self._unread: dict[str, Label] = {}
        self._known: dict[str, Path] = {}
        try:
            for unfinished in self._home.path.glob("--*--/.*.tmp"):
                unfinished.unlink()
            for path in sorted(self._home.path.glob("--*--/*.jsonl")):
                self._look_at(path)
        except BaseException:
            self._home.release()
            raise

    async def ping(self) -> None:
        if not await asyncio.to_thread(self._home.path.is_dir):
            raise StorageUnavailable(f"The folder {self._home.path} is gone.")

    async def close(self) -> None:
        self._home.release()

    async def check_files(self) -> list[Problem]:
        """Read all files that have not been read yet; what is wrong with any."""
        for session_id in list(self._unread):
            await self._tree(session_id)
        return list(self.problems)

    def _look_at(self, path: Path) -> None:
        label = read_label(path)
        if label is None:
            self._admit(_read(path))
        elif self._claim(label.session_id, path):
            self._unread[label.session_id] = label

    def _claim(self, session_id: str, path: Path) -> bool:
        """Whether this is the first file of a session."""
        first = self._known.setdefault(session_id, path)
        if first != path:
            message = f"{first.name} is of the same session and came first; this one was left alone"
            self._report([Problem(path, 0, ProblemCode.SECOND_FILE, message)])
        return first == path

    def _admit(self, reading: Reading) -> None:
        self._report(reading.problems)
        tree = reading.tree
        if tree is not None and self._claim(tree.session.id, reading.path):
            self._trees[tree.session.id] = tree
            self._files[tree.session.id] = SessionFile(reading.path, reading.end, reading.newline)
            for entry_id in tree.order.values():
                self._where.setdefault(entry_id, tree.session.id)

    def _report(self, problems: list[Problem]) -> None:
        self.problems += problems
        for found in problems:
            log.warning(
                "session_file_problem", file=found.path.name, line=found.line, code=found.code, entry_id=found.entry_id
            )

    async def _tree(self, session_id: str) -> Tree | None:
        label = self._unread.get(session_id)
        if label is not None:
            reading = await asyncio.to_thread(_read, label.path)
            # Somebody else may have read it meanwhile, and gone on from there.
            if self._unread.pop(session_id, None) is not None:
                self._admit(reading)
        return self._trees.get(session_id)

    async def _reach(self, ids: Iterable[str]) -> None:
        missing = [entry_id for entry_id in ids if entry_id not in self._where]
        if missing and self._unread:
            for label in await asyncio.to_thread(labels_with, list(self._unread.values()), missing):
                await self._tree(label.session_id)

    def _names(self) -> Iterable[tuple[str, str, str | None, str]]:
        yield from super()._names()
        for label in self._unread.values():
            yield label.session_id, label.owner, label.name, label.updated_at

    async def _create(self, session: Session) -> None:
        path = self._home.path / folder_name(self._cwd) / file_name(session.created_at, session.id)
        lines = new_file(session, os.fsencode(self._cwd).decode(errors="replace"))
        await asyncio.to_thread(create_file, path, lines)
        self._known[session.id] = path
        self._files[session.id] = SessionFile(path, len(lines))

    async def _commit(self, tree: Tree, change: Change) -> None:
        file, lines = self._files[tree.session.id], change_lines(tree, change)
        writing = asyncio.create_task(asyncio.to_thread(file.append, lines))
        try:
            await _outlast(writing)
        finally:
            # Also when the caller is gone: what is in the file must be in memory.
            if writing.exception() is None:
                self._carry_out(tree, change)

    async def _remove(self, session_id: str) -> None:
        # Without a wait, at which a cancel could part the file from what is in memory.
        remove_file(self._files.pop(session_id).path)
        del self._known[session_id]


def _read(path: Path) -> Reading:
    try:
        return replay(path, path.read_bytes())
    except OSError as error:
        message = f"the file cannot be read ({error.strerror})"
        return Reading(path, None, [Problem(path, 0, ProblemCode.UNREADABLE, message)], 0, False)


async def _outlast(task: asyncio.Task[T]) -> T:
    """What a task gives, whose end is waited for even by a caller that is cancelled."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
