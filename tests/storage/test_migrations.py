"""The schema is brought up to date once, by one starter at a time, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from neo4j.exceptions import Neo4jError

from graph_session.storage.engines import Dialect, Endpoint, connect
from graph_session.storage.graph.database import Database
from graph_session.storage.graph.migrations import MigrationError, migrate, migrations
from graph_session.storage.graph.store import open_graph
from tests.domain.trees import question
from tests.storage.desk import Desk


@pytest.fixture
async def database(empty_endpoint: Endpoint) -> AsyncIterator[Database]:
    """A database with nothing in it."""
    opened = Database(await connect(empty_endpoint), empty_endpoint)
    yield opened
    await opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two migrations: things with a unique id; then, on the data of the first, a count that they did not have."""
    files = {
        "0001_things/01_id.cypher": "CREATE CONSTRAINT thing_id IF NOT EXISTS FOR (t:Thing) REQUIRE t.id IS UNIQUE",
        "0001_things/02_first.cypher": "MERGE (t:Thing {id: 1})",
        "0002_counts/01_count.cypher": "MATCH (t:Thing) WHERE t.count IS NULL SET t.count = 10",
        "0002_counts/02_index.neo4j.cypher": "CREATE INDEX thing_count IF NOT EXISTS FOR (t:Thing) ON (t.count)",
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("no migration", encoding="utf-8")
    return tmp_path


async def _rows(endpoint: Endpoint, query: str) -> list[dict[str, Any]]:
    async with await connect(endpoint) as driver:
        result = await driver.execute_query(query, database_=endpoint.database)
        return [dict(record) for record in result.records]


async def _recorded(endpoint: Endpoint) -> list[int]:
    return [
        row["v"]
        for row in await _rows(endpoint, "MATCH (m:Migration) WHERE m.version > 0 RETURN m.version AS v ORDER BY v")
    ]


def test_each_dialect_takes_its_own_files(folder: Path) -> None:
    neo4j, embedded = migrations(Dialect.NEO4J, folder), migrations(Dialect.ARCADEDB, folder)
    assert [(step.version, step.name, len(step.statements)) for step in neo4j] == [(1, "things", 2), (2, "counts", 2)]
    assert [len(step.statements) for step in embedded] == [2, 1]
    assert neo4j[0].checksum == embedded[0].checksum
    assert neo4j[1].checksum != embedded[1].checksum


async def test_an_empty_database_is_migrated_once(empty_endpoint: Endpoint) -> None:
    for _ in range(2):
        storage = await open_graph(empty_endpoint)
        desk = await Desk.fresh(storage)
        await desk.write([question()])
        await storage.close()
    steps = migrations(empty_endpoint.dialect)
    assert await _recorded(empty_endpoint) == [step.version for step in steps]
    assert (await _rows(empty_endpoint, "MATCH (s:Session) RETURN count(s) AS sessions")) == [{"sessions": 2}]


async def test_starters_at_the_same_time_migrate_once(empty_endpoint: Endpoint, folder: Path) -> None:
    steps = migrations(empty_endpoint.dialect, folder)
    databases = [Database(await connect(empty_endpoint), empty_endpoint) for _ in range(4)]
    try:
        done = await asyncio.gather(*(migrate(database, steps) for database in databases))
    finally:
        for database in databases:
            await database.close()
    assert sorted(done) == [[], [], [], [1, 2]]
    assert await _rows(empty_endpoint, "MATCH (t:Thing) RETURN t.id AS id, t.count AS count") == [
        {"id": 1, "count": 10}
    ]


async def test_a_later_version_finds_the_data_of_the_one_before(
    empty_endpoint: Endpoint, database: Database, folder: Path
) -> None:
    first, second = migrations(database.dialect, folder)
    assert await migrate(database, [first]) == [1]
    await _rows(empty_endpoint, "CREATE (:Thing {id: 2}), (:Thing {id: 3, count: 7})")
    assert await migrate(database, [first, second]) == [2]
    things = await _rows(empty_endpoint, "MATCH (t:Thing) RETURN t.id AS id, t.count AS count ORDER BY id")
    assert [(thing["id"], thing["count"]) for thing in things] == [(1, 10), (2, 10), (3, 7)]
    assert await migrate(database, [first, second]) == []


async def test_a_migration_that_broke_off_is_carried_out_again_from_its_beginning(
    empty_endpoint: Endpoint, database: Database, folder: Path
) -> None:
    steps = migrations(database.dialect, folder)
    broken = [steps[0], replace(steps[1], statements=(*steps[1].statements, "THIS IS NO STATEMENT"))]
    with pytest.raises(Neo4jError):
        await migrate(database, broken)
    assert await _recorded(empty_endpoint) == [1]
    await _rows(empty_endpoint, "CREATE (:Thing {id: 2})")
    assert await migrate(database, steps) == [2], "neither the lock nor a half-done step stands in the way"
    things = await _rows(empty_endpoint, "MATCH (t:Thing) RETURN t.count AS count")
    assert things == [{"count": 10}, {"count": 10}]


async def test_the_lock_of_a_starter_that_was_killed_runs_out(database: Database, folder: Path) -> None:
    steps = migrations(database.dialect, folder)
    await migrate(database, steps[:1])
    assert await database.row("migration_lock", owner="killed", lease_ms=2000) is not None
    assert await database.row("migration_lock", owner="another", lease_ms=2000) is None
    async with asyncio.timeout(20):
        assert await migrate(database, steps) == [2]


async def test_a_database_of_a_newer_program_is_left_alone(database: Database, folder: Path) -> None:
    steps = migrations(database.dialect, folder)
    await migrate(database, steps)
    with pytest.raises(MigrationError, match=r"has migration 2 \(counts\), .* use the newer version"):
        await migrate(database, steps[:1])


async def test_a_migration_that_was_changed_afterwards_is_refused(database: Database, folder: Path) -> None:
    await migrate(database, migrations(database.dialect, folder))
    changed = folder / "0001_things" / "02_first.cypher"
    changed.write_text(changed.read_text(encoding="utf-8") + " // changed", encoding="utf-8")
    with pytest.raises(MigrationError, match=r"migration 1 \(things\) of the database differs"):
        await migrate(database, migrations(database.dialect, folder))
