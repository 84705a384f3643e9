"""What the commands `verify`, `export` and `import` do: on the storage alone, with neither server nor worker.

Results go to standard output and everything else to standard error.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

import click

from graph_session.domain.errors import GraphSessionError
from graph_session.domain.principal import DEFAULT_OWNER, Principal
from graph_session.runtime import open_storage
from graph_session.services.exchange import ExchangeService, Imported
from graph_session.services.verify import VerifyReport, VerifyService
from graph_session.settings import Settings

EXIT_FOUND = 1
_EVERY_SECONDS = 1.0
# What an embedded engine needs to read a session, and to write one whose entries are of usual size.
_READ_HEAP_MB = 112
_WRITE_HEAP_MB = 80
_USUAL_BYTES = 512 * 1024
_ME = Principal(DEFAULT_OWNER)
T = TypeVar("T")


class _Progress:
    """A line on standard error at most once a second, so that a long run shows that it goes on."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._said = time.monotonic()

    def __call__(self, entries: int) -> None:
        if time.monotonic() - self._said >= _EVERY_SECONDS:
            self._said = time.monotonic()
            _say(f"{self._what}: {entries:,} entries")


async def verify(settings: Settings, session_id: str | None) -> int:
    """Check one session or all; the exit code."""
    async with open_storage(settings, heap_mb=_READ_HEAP_MB) as storage:
        service = VerifyService(storage)
        try:
            if session_id is not None:
                reports = [_shown(await service.verify(_ME, session_id))]
            else:
                reports = [_shown(report) async for report in service.verify_all(_ME)]
        except GraphSessionError as error:
            return _failed(error)
    problems = sum(problems for _, problems, _ in reports)
    entries = sum(entries for entries, _, _ in reports)
    found = f"{problems:,} problems" if problems else "no problem"
    click.echo(f"{len(reports):,} sessions, {entries:,} entries: {found}")
    return 0 if all(ok for _, _, ok in reports) else EXIT_FOUND


async def export(settings: Settings, session_id: str, out: IO[bytes]) -> int:
    """Write a session's file; the exit code."""
    progress, entries = _Progress("exporting"), -1
    async with open_storage(settings, heap_mb=_READ_HEAP_MB) as storage:
        try:
            async for lines in ExchangeService(storage).export(_ME, session_id):
                out.writelines(lines)
                entries += 1
                progress(entries)
            out.flush()
        except GraphSessionError as error:
            return _failed(error)
    _say(f"exported {session_id}: {entries:,} entries")
    return 0


async def bring_in(settings: Settings, files: Sequence[Path], format_name: str | None, fresh_ids: bool) -> int:
    """Import each file as a session and print its id; the exit code."""
    failed = 0
    async with contextlib.AsyncExitStack() as stack:
        opened: list[tuple[Path, IO[bytes]]] = []
        for path in files:
            try:
                opened.append((path, stack.enter_context(_opened(path))))
            except OSError as error:
                failed = _failed(error, path)
        usual = all(_has_usual_lines(file) for _, file in opened)
        heap_mb = _WRITE_HEAP_MB if usual else None
        storage = await stack.enter_async_context(open_storage(settings, heap_mb=heap_mb))
        service = ExchangeService(storage)
        for path, file in opened:
            try:
                done = await service.bring_in(
                    _ME, file, format=format_name, fresh_ids=fresh_ids, progress=_Progress(f"importing {path}")
                )
            except (GraphSessionError, OSError) as error:
                failed = _failed(error, path)
                continue
            _tell(path, done)
            click.echo(done.session.id)
    return failed


def _shown(report: VerifyReport) -> tuple[int, int, bool]:
    for problem in report.problems:
        where = f" entry {problem.entry_id}" if problem.entry_id else ""
        click.echo(f"{report.session.id}{where}: {problem.severity.lower()} {problem.code}: {problem.message}")
    if report.problem_count > len(report.problems):
        click.echo(f"{report.session.id}: {report.problem_count - len(report.problems):,} more")
    if not report.settled:
        click.echo(f"{report.session.id}: somebody is writing to it, so counts were not checked")
    return report.entries, report.problem_count, report.ok


def _tell(path: Path, done: Imported) -> None:
    for fault in done.report.faults:
        where = f"{path}:{fault.line}" if fault.line else str(path)
        _say(f"{where}: {fault.code}: {fault.message}")
    more = done.report.codes.total() - len(done.report.faults)
    if more:
        _say(f"{path}: {more:,} more")
    lost = f", {done.report.lost:,} places where something was left out" if done.report.lost else ""
    _say(f"imported {path} ({done.report.format}): {done.report.entries:,} entries{lost}")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file; standard input (-) by way of a temporary file, since files are read twice."""
    if str(path) != "-":
        with path.open("rb") as file:
            yield file
        return
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.seek(0)
        yield spool


def _has_usual_lines(file: IO[bytes]) -> bool:
    usual = True
    while usual and (line := file.readline(_USUAL_BYTES)):
        usual = len(line) < _USUAL_BYTES
    file.seek(0)
    return usual


def _failed(error: Exception, path: Path | None = None) -> int:
    message = f"{error.strerror}" if isinstance(error, OSError) else str(error)
    _say(f"graph-session: {f'{path}: ' if path else ''}{message}")
    return EXIT_FOUND


def _say(line: str) -> None:
    click.echo(line, err=True)
