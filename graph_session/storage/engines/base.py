"""What every engine is to the rest of the program: an endpoint to connect to, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Dialect(StrEnum):
    """Which variant of a statement an engine takes, where one statement cannot serve all."""

    NEO4J = "neo4j"
    ARCADEDB = "arcadedb"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how a driver connects. An empty `user` means that the server asks for none. `command`: runs one
    statement of the engine's own SQL, where the engine is in this process; it blocks, and raises EngineError."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str
    dialect: Dialect
    command: Callable[[str], object] | None = field(default=None, repr=False, compare=False)


class EngineError(Exception):
    """An engine cannot be started or reached. The text says what to do and holds no password."""


class InvalidEndpoint(EngineError):
    """The address of a server is not one that a driver can use."""


class EngineUnavailable(EngineError):
    """The server cannot be reached, refuses the login, or does not have the database."""


class HomeUnusable(EngineError):
    """The home folder cannot be made, read or written."""


class HomeInUse(EngineError):
    """Another engine has the home folder open; `pid` is its process, or None if that is not known."""

    def __init__(self, home: Path, pid: int | None) -> None:
        self.home = home
        self.pid = pid
        holder = f"process {pid}" if pid is not None else "another process"
        super().__init__(
            f"{home} is in use by {holder}: stop it, or give this one another home with GRAPH_SESSION_HOME"
        )
