"""The folder that holds an embedded engine's data, and the lock that keeps it to one engine."""

from __future__ import annotations

import fcntl
import os
from io import TextIOWrapper
from pathlib import Path
from typing import Self

from graph_session.storage.engines.base import HomeInUse, HomeUnusable


class LockedHome:
    """A home folder held by this engine until `release`, or until the process ends in whatever way.

    The lock is the kernel's and dies with its holder, so what the file says is never stale news of a lock:
    the pid in it is read only when the lock is found taken.
    """

    def __init__(self, path: Path, lock: TextIOWrapper) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def acquire(cls, path: Path) -> Self:
        """Make the folder (mode 0700) if it is not there, and lock it.

        Raises HomeInUse if an engine holds it, this process's own included, and HomeUnusable if it cannot
        be made or written.
        """
        path = path.expanduser().absolute()
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (path / "lock").open("a+", encoding="ascii")
        except OSError as error:
            raise HomeUnusable(
                f"{path} cannot be used as the home folder ({error.strerror}): "
                "mend it, or name another one in GRAPH_SESSION_HOME"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with lock:
                raise HomeInUse(path, _pid_in(lock)) from None
        except OSError as error:
            lock.close()
            raise HomeUnusable(f"{path} lies where files cannot be locked ({error.strerror})") from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return cls(path, lock)

    def release(self) -> None:
        self._lock.close()


def _pid_in(lock: TextIOWrapper) -> int | None:
    lock.seek(0)
    text = lock.read()
    return int(text) if text.isdigit() else None
