"""Schema migrations: numbered folders in `cypher/migrations`, carried out once, in order, under a lock.

`0001_name/` holds one statement a file, run in the order of their names; `NAME.DIALECT.cypher` is for one dialect
alone, and `NAME.DIALECT.sql` is in that engine's own SQL, for what it offers in no other way. A migration is recorded
when all its statements have run, so each must do no harm when it runs again after a crash.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from graph_session.domain.ids import new_id, timestamp_now
from graph_session.resources import cypher_dir
from graph_session.storage.engines.base import Dialect
from graph_session.storage.graph.database import Database
from graph_session.storage.graph.statements import statement
from graph_session.storage.protocol import Duplicate

# Renewed before each statement; how long the next start waits after one that was killed in the middle.
_LEASE_MS = 15_000
_POLL_SECONDS = 0.2


class NativeSql(str):
    """A statement in an engine's own SQL."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step; `checksum` is over the texts of its statements."""

    version: int
    name: str
    statements: tuple[str, ...]
    checksum: str


class MigrationError(Exception):
    """The database cannot be brought to this version of the program."""


def migrations(dialect: Dialect, folder: Traversable | None = None) -> list[Migration]:
    """The migrations this version of the program knows (or those in the folder), in order."""
    folder = cypher_dir() / "migrations" if folder is None else folder
    return [
        _migration(step.name, [_text(file) for file in files])
        for step in sorted(folder.iterdir(), key=lambda step: step.name)
        if step.is_dir()
        for files in [
            [
                file
                for file in sorted(step.iterdir(), key=lambda file: file.name)
                if file.name.split(".")[1:] in (["cypher"], [dialect.value, "cypher"], [dialect.value, "sql"])
            ]
        ]
    ]


async def migrate(database: Database, steps: Sequence[Migration] | None = None) -> list[int]:
    """Bring the database to this version: the versions carried out now. Waits while another process migrates.

    Raises MigrationError if the database has been migrated by a newer program, or with other statements.
    """
    steps = migrations(database.dialect) if steps is None else steps
    await database.schema(statement("migration_constraint", database.dialect).text)
    if not _missing(await database.rows("migration_list"), steps):
        return []
    owner = new_id()
    while not await _locked(database, owner):  # noqa: ASYNC110 - what is waited for happens in another process
        await asyncio.sleep(_POLL_SECONDS)
    try:
        missing = _missing(await database.rows("migration_list"), steps)
        for step in missing:
            for text in step.statements:
                await _locked(database, owner)
                await (database.native(text) if isinstance(text, NativeSql) else database.schema(text))
            await database.rows(
                "migration_record",
                version=step.version,
                name=step.name,
                checksum=step.checksum,
                now=timestamp_now(),
            )
        return [step.version for step in missing]
    finally:
        await database.rows("migration_unlock", owner=owner)


async def _locked(database: Database, owner: str) -> bool:
    try:
        return await database.row("migration_lock", owner=owner, lease_ms=_LEASE_MS) is not None
    except Duplicate:
        # Another starter made the lock's record between our look and our write.
        return False


def _missing(applied: Sequence[dict[str, object]], steps: Sequence[Migration]) -> list[Migration]:
    known = {step.version: step for step in steps}
    done = set()
    for row in applied:
        step = known.get(int(str(row["version"])))
        if step is None:
            raise MigrationError(
                f"the database has migration {row['version']} ({row['name']}), which this version of graph_session "
                "does not know; use the newer version that made it"
            )
        if step.checksum != row["checksum"]:
            raise MigrationError(
                f"migration {row['version']} ({row['name']}) of the database differs from this version's; use the "
                "version of graph_session that made it"
            )
        done.add(step.version)
    return [step for step in steps if step.version not in done]


def _text(file: Traversable) -> str:
    text = file.read_text(encoding="utf-8")
    return NativeSql(text) if file.name.endswith(".sql") else text


def _migration(folder: str, texts: list[str]) -> Migration:
    version, _, name = folder.partition("_")
    checksum = hashlib.sha256("\n;\n".join(texts).encode()).hexdigest()
    return Migration(int(version), name, tuple(texts), checksum)
