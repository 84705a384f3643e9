"""ArcadeDB inside this process, reached like a server: over Bolt, on the loopback interface."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import arcadedb

from graph_session.storage.engines.base import Dialect, Endpoint, EngineError
from graph_session.storage.engines.home import LockedHome

_HOST = "127.0.0.1"
_DATABASE = "graph"
_USER = "root"

# Left alone, the library takes what memory there is before it looks for what it could free.
_SMALL_HEAP = "-Xmx{}m -Xmn32m -Darcadedb.maxPageRAM=16"

# Only the file handler, so that nothing reaches the console; one file of at most 10 MB, begun anew when full.
_LOGGING = """\
handlers = java.util.logging.FileHandler
.level = INFO
io.undertow.level = WARNING
org.xnio.level = WARNING
java.util.logging.FileHandler.formatter = com.arcadedb.log.LogFormatter
java.util.logging.FileHandler.pattern = ${arcadedb.server.logsDirectory}/../engine.log
java.util.logging.FileHandler.append = true
java.util.logging.FileHandler.limit = 10000000
java.util.logging.FileHandler.count = 1
"""


class EmbeddedEngine:
    """An engine that lives as long as this object, with its data in a home folder of its own.

    Several engines may run in one process at the same time, each with its own home, port and password, and
    may be stopped and started again. They share one log, because the engine's library reads its logging
    set-up once: it is `engine.log` in the home of the engine that was started first.

    The methods block: `start` for about 0.2 s, `command` for as long as its statement takes.
    """

    def __init__(self, home: LockedHome, server: Any, database: Any, endpoint: Endpoint) -> None:
        self._home = home
        self._server = server
        self._database = database
        self.endpoint = replace(endpoint, command=self.command)

    @classmethod
    def start(cls, home: Path, *, heap_mb: int | None = None) -> Self:
        """Open the data in `home`, which is made if it is not there, and listen for Bolt connections.

        `heap_mb`: the most that the engine may allocate, at the cost of time; it counts where this is the first engine
        of the process. It must hold the largest transaction a few times.
        Raises HomeInUse, HomeUnusable, or EngineError with the engine's own reason.
        """
        locked = LockedHome.acquire(home)
        try:
            return cls._start_in(locked, heap_mb)
        except BaseException:
            locked.release()
            raise

    @classmethod
    def _start_in(cls, home: LockedHome, heap_mb: int | None) -> Self:
        root = home.path / "engine"
        root.mkdir(mode=0o700, exist_ok=True)
        # An existing users file wins over the password given. Without it the engine makes its user anew, so
        # each start has a fresh password, none is kept on disk, and a crash cannot leave one that is lost.
        (root / "config" / "server-users.jsonl").unlink(missing_ok=True)
        password = secrets.token_urlsafe(32)
        with _reserved_port() as bolt_port, _reserved_port() as http_port, _library(root, heap_mb):
            server = arcadedb.create_server(
                str(root),
                password,
                config={
                    "mode": "production",
                    "host": _HOST,
                    "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
                    "bolt_host": _HOST,
                    "bolt_port": bolt_port,
                    "http_port": http_port,
                },
            )
            try:
                server.start()
            except arcadedb.ArcadeDBError as error:
                raise EngineError(
                    f"the embedded engine does not start in {home.path}: {error}; see engine.log there"
                ) from error
        try:
            _close_listener(http_port)
            database = server.create_database(_DATABASE)
            # Without this a commit is acknowledged before it is on the disk.
            database.set_wal_flush("yes_full")
        except BaseException as error:
            server.stop()
            if isinstance(error, arcadedb.ArcadeDBError):
                raise EngineError(
                    f"the embedded engine cannot open the data in {home.path}: {error}; see engine.log there"
                ) from error
            raise
        endpoint = Endpoint(
            uri=f"bolt://{_HOST}:{bolt_port}",
            user=_USER,
            password=password,
            database=_DATABASE,
            dialect=Dialect.ARCADEDB,
        )
        return cls(home, server, database, endpoint)

    def command(self, sql: str) -> list[dict[str, Any]]:
        """Run one statement of the engine's own SQL and return its rows.

        For what the engine offers in no other way; it sees what Bolt clients have committed. Raises
        EngineError with the engine's reason.
        """
        try:
            rows: list[dict[str, Any]] = self._database.command("sql", sql).to_list()
        except arcadedb.ArcadeDBError as error:
            raise EngineError(f"the embedded engine refuses {sql!r}: {error}") from error
        return rows

    def stop(self) -> None:
        """Close the data and the port, and free the home. Does nothing the second time."""
        if not self._server.is_started():
            return
        try:
            self._server.stop()
        except arcadedb.ArcadeDBError as error:
            raise EngineError(f"the embedded engine does not stop cleanly: {error}") from error
        finally:
            self._home.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextlib.contextmanager
def _reserved_port() -> Iterator[int]:
    """A free loopback port that stays ours until the engine has bound it.

    The engine, like this socket, binds with SO_REUSEADDR, so a bound socket that does not listen is no
    obstacle to it, while other processes are not given the port.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((_HOST, 0))
        yield held.getsockname()[1]


@contextlib.contextmanager
def _library(root: Path, heap_mb: int | None) -> Iterator[None]:
    """Have the engine's library log to a file only and keep to its memory, when this is where the process loads it.

    The environment is put back, so that child processes do not inherit the settings.
    """
    # The user's own come last, so that they count.
    arguments = f"{_SMALL_HEAP.format(heap_mb) if heap_mb else ''} {os.environ.get('ARCADEDB_NATIVE_ISOLATE_ARGS', '')}"
    # Not in the home: the library splits its arguments at blanks, which the path of a home may contain.
    with tempfile.NamedTemporaryFile("w", suffix=".properties", encoding="ascii") as config:
        config.write(_LOGGING)
        config.flush()
        settings = {
            "ARCADEDB_NATIVE_ISOLATE_ARGS": f"{arguments} -Djava.util.logging.config.file={config.name}",
            "ARCADEDB_LOG_DIR": str(root),
        }
        before = {name: os.environ.get(name) for name in settings}
        os.environ.update(settings)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def _close_listener(port: int) -> None:
    """Close the listening socket at `port`.

    The engine's server has an HTTP interface with no switch to leave it out. Its file descriptor is made to
    point at the null device, which frees the port and is closed like any other when the server stops.
    """
    descriptors = [int(entry.name) for entry in Path("/dev/fd").iterdir()]
    for descriptor in descriptors:
        if _listens_at(descriptor, port):
            with Path(os.devnull).open("rb") as null:
                os.dup2(null.fileno(), descriptor, inheritable=False)
            return
    raise EngineError(f"the embedded engine's HTTP port {port} cannot be found to be closed")


def _listens_at(descriptor: int, port: int) -> bool:
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            return False
        copy = socket.socket(fileno=os.dup(descriptor))
    except OSError:
        # It was closed since the folder was read; the listener is not.
        return False
    with copy:
        if copy.family not in (socket.AF_INET, socket.AF_INET6):
            return False
        listens = copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        return bool(listens) and copy.getsockname()[1] == port
