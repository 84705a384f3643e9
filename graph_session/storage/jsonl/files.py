"""Session files on disk: made whole, appended to durably, looked through."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import orjson

from graph_session.domain.errors import StorageUnavailable
from graph_session.storage.jsonl.lines import ENTRY_VERSION, HEADER, STORAGE_VERSION

_TAIL = 4096
_HEADER = 1 << 22
_CHANGE_LINE = b'\n{"type":"change",'
# A file is written at most so long before the id of what stands in it was made, by clocks that disagree.
_CLOCK_SECONDS = 60


@dataclass(slots=True)
class SessionFile:
    """A file that has been read. `end`: where the next lines go, bytes; what lies behind it was cut short, by a crash
    or a full disk, and goes when they come. `newline`: what lies before it lacks one."""

    path: Path
    end: int
    newline: bool = False

    def append(self, lines: bytes) -> None:
        """Write lines, and wait until the disk has them. Raises StorageUnavailable; then none of them counts."""
        if self.newline:
            lines = b"\n" + lines
        try:
            handle = os.open(self.path, os.O_WRONLY)
            try:
                if os.fstat(handle).st_size != self.end:
                    os.ftruncate(handle, self.end)
                _write_all(handle, lines, self.end)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise _unavailable(self.path, error) from error
        self.end += len(lines)
        self.newline = False


@dataclass(frozen=True, slots=True)
class Label:
    """What a file's header and its last change say of its session, without reading the rest. `written`: when the file
    was last written, seconds since 1970."""

    path: Path
    session_id: str
    owner: str
    name: str | None
    updated_at: str
    written: float


def read_label(path: Path) -> Label | None:
    """The label of a file whose ends are in order and where no answer runs and no summary is due. None: the whole file
    has to be read now, and says the rest."""
    try:
        with path.open("rb") as file:
            header = orjson.loads(file.readline(_HEADER))
            size = os.fstat(file.fileno()).st_size
            tail, start = b"", size
            while _CHANGE_LINE not in tail and start > 0:
                start = max(0, size - max(_TAIL, 4 * len(tail)))
                file.seek(start)
                tail = file.read()
            written = os.fstat(file.fileno()).st_mtime
        lines = tail[tail.rindex(_CHANGE_LINE) + 1 :].split(b"\n")
        change = orjson.loads(lines[0])
        is_ours = header["type"] == HEADER and header["version"] == ENTRY_VERSION
        is_whole = header["storage"] == STORAGE_VERSION and len(lines) == change["lines"] + 2 and not lines[-1]
        if not (is_ours and is_whole) or change["work"]:
            return None
        return Label(path, header["id"], change["owner"], change["name"], change["timestamp"], written)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def labels_with(labels: Iterable[Label], ids: Iterable[str]) -> list[Label]:
    """The labels of the files in which one of the ids stands. An id says when it was made (UUIDv7), so that a new one
    is not looked for in files that have not been written since."""
    wanted = [(orjson.dumps(entry_id)[1:-1], _made_at(entry_id)) for entry_id in ids]
    return [label for label in labels if _holds(label, [text for text, made in wanted if made <= label.written])]


def create_file(path: Path, lines: bytes) -> None:
    """Make a file that is there with all its lines or not at all, also after a crash. Raises StorageUnavailable."""
    unfinished = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            _write_all(handle, lines, 0)
            os.fsync(handle)
        finally:
            os.close(handle)
        unfinished.rename(path)
        _sync_folder(path.parent)
        _sync_folder(path.parent.parent)
    except OSError as error:
        raise _unavailable(path, error) from error


def remove_file(path: Path) -> None:
    """Remove a file for good. Raises StorageUnavailable."""
    try:
        path.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise _unavailable(path, error) from error


def _holds(label: Label, texts: list[bytes]) -> bool:
    if not texts:
        return False
    try:
        with label.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(text) >= 0 for text in texts)
    except (OSError, ValueError):
        return False


def _made_at(entry_id: str) -> float:
    """The least time at which a file with this id can have been written, seconds since 1970."""
    try:
        made = UUID(entry_id)
    except ValueError:
        return 0
    return (made.int >> 80) / 1000 - _CLOCK_SECONDS if made.version == 7 else 0


def _write_all(handle: int, data: bytes, at: int) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(handle, rest, at)
        rest, at = rest[written:], at + written


def _sync_folder(path: Path) -> None:
    """Names are the folder's, so it has to reach the disk too."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unavailable(path: Path, error: OSError) -> StorageUnavailable:
    return StorageUnavailable(
        f"{path.name} cannot be written ({error.strerror}). Nothing was changed by this call; mend that and try again."
    )
