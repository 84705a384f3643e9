"""How the engines are reached, and what the embedded one promises about its home folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from neo4j import AsyncDriver

from graph_session.storage.engines import (
    Dialect,
    EmbeddedEngine,
    Endpoint,
    EngineError,
    EngineUnavailable,
    HomeInUse,
    HomeUnusable,
    InvalidEndpoint,
    connect,
    server_endpoint,
)
from graph_session.storage.engines import driver as driver_module

_CHECKOUT = Path(__file__).resolve().parents[2]


async def _count(driver: AsyncDriver, endpoint: Endpoint, label: str) -> int:
    result = await driver.execute_query(f"MATCH (n:{label}) RETURN count(n) AS nodes", database_=endpoint.database)
    nodes: int = result.records[0]["nodes"]
    return nodes


async def test_each_engine_keeps_what_is_written(endpoint: Endpoint) -> None:
    async with await connect(endpoint) as driver:
        before = await _count(driver, endpoint, "Reached")
        await driver.execute_query("CREATE (:Reached)", database_=endpoint.database)
        assert await _count(driver, endpoint, "Reached") == before + 1


@pytest.mark.parametrize("turn", [1, 2])
async def test_an_empty_engine_is_empty_each_time(empty_endpoint: Endpoint, turn: int) -> None:
    async with await connect(empty_endpoint) as driver:
        assert await _count(driver, empty_endpoint, "Left") == 0
        await driver.execute_query(
            "CREATE CONSTRAINT left_id FOR (n:Left) REQUIRE n.id IS UNIQUE", database_=empty_endpoint.database
        )
        await driver.execute_query("CREATE (:Left {id: $id})", id=turn, database_=empty_endpoint.database)


async def test_a_restart_keeps_the_data_and_changes_the_password(tmp_path: Path) -> None:
    passwords = set()
    for start in range(3):
        with EmbeddedEngine.start(tmp_path) as engine:
            passwords.add(engine.endpoint.password)
            async with await connect(engine.endpoint) as driver:
                await driver.execute_query("CREATE (:Kept)", database_=engine.endpoint.database)
                assert await _count(driver, engine.endpoint, "Kept") == start + 1
    assert len(passwords) == 3


def test_kill_9_loses_no_acknowledged_commit(tmp_path: Path) -> None:
    for _ in range(2):
        command = [sys.executable, "-m", "tests.storage.crashing_writer", str(tmp_path)]
        with subprocess.Popen(command, cwd=_CHECKOUT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged = [int(line) for line in _lines_until(writer, 100)]
        with EmbeddedEngine.start(tmp_path) as engine:
            found = {row["number"] for row in engine.command("SELECT number FROM Written")}
            assert set(acknowledged) <= found
            # Each node was committed before the next was begun, so there is no gap among them either.
            assert found == set(range(len(found)))


def _lines_until(writer: subprocess.Popen[str], wanted: int) -> Iterator[str]:
    """All lines that a process has printed when it is killed after so many of them."""
    assert writer.stdout is not None
    for number, line in enumerate(writer.stdout, 1):
        yield line
        if number == wanted:
            writer.kill()


def test_a_home_is_for_one_engine(tmp_path: Path) -> None:
    with EmbeddedEngine.start(tmp_path):
        with pytest.raises(HomeInUse) as caught:
            EmbeddedEngine.start(tmp_path)
        assert caught.value.pid == os.getpid()

        command = [sys.executable, "-m", "tests.storage.crashing_writer", str(tmp_path)]
        other = subprocess.run(command, cwd=_CHECKOUT, capture_output=True, text=True, check=False)
        assert other.returncode != 0
        assert f"{tmp_path} is in use by process {os.getpid()}" in other.stderr
    EmbeddedEngine.start(tmp_path).stop()


def test_only_bolt_listens_and_only_on_loopback(tmp_path: Path) -> None:
    before = _listening()
    with EmbeddedEngine.start(tmp_path) as engine:
        opened = _listening() - before
        assert opened == {("127.0.0.1", int(engine.endpoint.uri.rpartition(":")[2]))}
    assert _listening() == before


def _listening() -> set[tuple[str, int]]:
    """Address and port of every TCP socket of this process that listens."""
    output = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
    own = [line.split()[3] for line in output.splitlines() if f"pid={os.getpid()}," in line]
    addresses = (address.rpartition(":") for address in own)
    return {(host.strip("[]").removeprefix("::ffff:"), int(port)) for host, _, port in addresses}


async def test_engines_of_one_process_are_apart(tmp_path: Path) -> None:
    with EmbeddedEngine.start(tmp_path / "one") as one, EmbeddedEngine.start(tmp_path / "two") as two:
        async with await connect(one.endpoint) as driver:
            await driver.execute_query("CREATE (:Mine)", database_=one.endpoint.database)
        async with await connect(two.endpoint) as driver:
            assert await _count(driver, two.endpoint, "Mine") == 0
        with pytest.raises(EngineUnavailable, match="refuses the login"):
            await connect(replace(two.endpoint, password=one.endpoint.password))


def test_the_home_is_private_and_the_console_silent(tmp_path: Path) -> None:
    home = tmp_path / "with a blank" / "home"
    program = (
        "import sys; from pathlib import Path; from graph_session.storage.engines import EmbeddedEngine\n"
        "EmbeddedEngine.start(Path(sys.argv[1])).stop()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(home)], cwd=_CHECKOUT, capture_output=True, text=True, check=True
    )
    assert done.stdout == done.stderr == ""
    assert home.stat().st_mode & 0o777 == 0o700
    log = (home / "engine.log").read_text(encoding="utf-8")
    assert "ArcadeDB Server started" in log


def test_a_folder_that_cannot_be_a_home(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeUnusable, match="GRAPH_SESSION_HOME"):
        EmbeddedEngine.start(tmp_path / "file")


def test_a_command_the_engine_does_not_take(tmp_path: Path) -> None:
    with EmbeddedEngine.start(tmp_path) as engine, pytest.raises(EngineError, match="NONSENSE"):
        engine.command("NONSENSE")


@contextmanager
def _silent_listener() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"bolt://127.0.0.1:{listener.getsockname()[1]}"


async def test_what_is_wrong_is_said_without_the_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "_CONNECT_DEADLINE", 0.5)
    with EmbeddedEngine.start(tmp_path) as engine, _silent_listener() as silent:
        right = engine.endpoint
        wrong = {
            "check NEO4J_USER and NEO4J_PASSWORD": replace(right, password="not-the-password"),
            "has no database 'other'": replace(right, database="other"),
            "nothing usable answers": replace(right, uri="bolt://127.0.0.1:1"),
            "does not answer": replace(right, uri=silent),
        }
        for said, endpoint in wrong.items():
            with pytest.raises(EngineUnavailable, match=said) as caught:
                await connect(endpoint)
            assert endpoint.password not in str(caught.value)
            assert endpoint.password not in repr(endpoint)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("http://localhost:7474", "begins with 'http'"),
        ("localhost:7687", "begins with 'localhost'"),
        ("", "no scheme"),
        ("neo4j://", "names no host"),
        ("bolt://localhost:99999", "not a valid address"),
        ("neo4j://neo4j:secret@localhost", "holds a login"),
    ],
)
def test_addresses_that_no_driver_takes(uri: str, said: str) -> None:
    with pytest.raises(InvalidEndpoint, match=said) as caught:
        server_endpoint(uri, "neo4j", "secret", "neo4j")
    assert "secret" not in str(caught.value)


def test_a_server_speaks_the_dialect_of_neo4j() -> None:
    endpoint = server_endpoint("neo4j+s://db.example:7687", "neo4j", "secret", "neo4j")
    assert endpoint.dialect is Dialect.NEO4J
