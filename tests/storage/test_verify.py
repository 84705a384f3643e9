"""What somebody changes, takes away or adds in the database behind the program's back is found, on every engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from graph_session.domain.entries import Compaction
from graph_session.domain.errors import DamagedSession
from graph_session.domain.principal import Principal
from graph_session.domain.verify import StoredEntry
from graph_session.services.exchange import ExchangeService
from graph_session.services.verify import VerifyReport, VerifyService
from graph_session.storage.engines import Endpoint, connect
from graph_session.storage.graph.store import open_graph
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer, other_model, question, tool_result, tool_use, turns
from tests.storage.desk import NO_MARKS, OWNER, Desk

ME = Principal("somebody")
Behind = Callable[..., Awaitable[None]]


@pytest.fixture
async def graph(endpoint: Endpoint) -> AsyncIterator[SessionStorage]:
    opened = await open_graph(endpoint)
    yield opened
    await opened.close()


@pytest.fixture
async def behind(endpoint: Endpoint) -> AsyncIterator[Behind]:
    """Runs a statement without the program's knowledge."""
    async with await connect(endpoint) as driver:

        async def run(text: str, **parameters: Any) -> None:
            await driver.execute_query(text, parameters, database_=endpoint.database)

        yield run


async def _verified(desk: Desk) -> VerifyReport:
    return await VerifyService(desk.storage).verify(ME, desk.id)


async def _codes(desk: Desk) -> set[tuple[str, str | None]]:
    report = await _verified(desk)
    assert report.ok is not bool(report.problems)
    return {(problem.code, problem.entry_id) for problem in report.problems}


async def _tree(storage: SessionStorage) -> tuple[Desk, list[str]]:
    desk = await Desk.fresh(storage)
    line = await desk.write([*turns(3), question(), tool_use("c"), tool_result("c"), answer()])
    await desk.write([other_model(), *turns(1)], line[1])
    kept = Compaction(summary="all", first_kept_entry_id=line[2].id, tokens_before=9)
    await desk.write([kept, question()], line[5])
    return desk, [entry.id for entry in line]


async def test_a_session_that_nobody_touched_is_whole(storage: SessionStorage) -> None:
    desk, _ = await _tree(storage)
    waiting, running = await desk.begin(None)
    report = await _verified(desk)
    assert (report.ok, report.problems, report.entries, report.settled) == (True, (), 16, True)
    await storage.finish_answer(desk.ended(waiting, running), owner=OWNER, marks=NO_MARKS)
    assert (await _verified(desk)).problems == ()
    reports = [report async for report in VerifyService(storage).verify_all(ME)]
    assert desk.id in {report.session.id for report in reports}


async def test_entries_are_read_in_order_of_creation(storage: SessionStorage) -> None:
    desk, ids = await _tree(storage)
    found = [stored async for stored in storage.stored_entries(desk.id)]
    assert [stored.id for stored in found][:10] == ids
    assert [stored.sequence for stored in found] == list(range(15))
    assert found[1] == StoredEntry(
        id=ids[1],
        sequence=1,
        entry=await desk.read(ids[1]),
        parent_ids=(ids[0],),
        children=2,
        is_root=False,
    )
    assert found[0].is_root
    assert (await storage.entry_counts())[desk.id] == 15
    assert [stored async for stored in storage.stored_entries("nobody")] == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("SET e.text = 'never said'", "HASH_MISMATCH"),
        ("SET e.role = 'user'", "HASH_MISMATCH"),
        ("SET e.timestamp = '2020-01-01T00:00:00Z'", "HASH_MISMATCH"),
        ("SET e.extra = '{\"x\":1}'", "HASH_MISMATCH"),
        ("SET e.hash = 'abc'", "HASH_MISMATCH"),
        ("SET e.depth = 7", "WRONG_PLACE"),
        ("SET e.question_id = 'x'", "WRONG_PLACE"),
        ("REMOVE e.hash", "UNREADABLE"),
        ("SET e.type = 'hologram'", "UNREADABLE"),
        ("SET e.data = 'no json'", "UNREADABLE"),
        ("SET e.is_node = false", "NODE_MARK"),
        ("SET e.is_summary_anchor = true", "SUMMARY"),
    ],
)
async def test_a_changed_entry(graph: SessionStorage, behind: Behind, change: str, code: str) -> None:
    desk, ids = await _tree(graph)
    await behind(f"MATCH (e:Entry {{id: $id}}) {change}", id=ids[3])
    assert (code, ids[3]) in await _codes(desk)


@pytest.mark.parametrize("index", [0, 3, 9])
async def test_a_lost_entry(graph: SessionStorage, behind: Behind, index: int) -> None:
    desk, ids = await _tree(graph)
    await behind("MATCH (e:Entry {id: $id}) DETACH DELETE e", id=ids[index])
    found = await _codes(desk)
    assert ("ENTRY_COUNT", None) in found
    assert index == 9 or ("PARENT_LOST", ids[index + 1]) in found


ADDED = "SET n = e {.*, id: $new, position: "


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (f"CREATE (n:Entry)-[:PARENT]->(e) {ADDED} e.session_id + ':000000000900'}}", "ENTRY_COUNT"),
        (f"CREATE (n:Entry)-[:PARENT]->(e) {ADDED} e.position + 'x'}}", "ENTRY_COUNT"),
        (f"CREATE (n:Entry)-[:PARENT]->(e) {ADDED} null}}", "STRAY_CHILD"),
        (f"CREATE (n:Entry) {ADDED} null}}", "STRAY_ENTRIES"),
        ("CREATE (n:Entry {id: $new})-[:PARENT]->(e)", "STRAY_CHILD"),
    ],
)
async def test_an_added_entry(graph: SessionStorage, behind: Behind, statement: str, code: str) -> None:
    desk, ids = await _tree(graph)
    await behind(f"MATCH (e:Entry {{id: $id}}) {statement}", id=ids[3], new=f"x{ids[3]}")
    assert code in {code for code, _ in await _codes(desk)}


async def test_edges_that_are_moved(graph: SessionStorage, behind: Behind) -> None:
    desk, ids = await _tree(graph)
    await behind(
        "MATCH (e:Entry {id: $id})-[r:PARENT]->(), (p:Entry {id: $other}) DELETE r CREATE (e)-[:PARENT]->(p)",
        id=ids[4],
        other=ids[1],
    )
    assert {("HASH_MISMATCH", ids[4]), ("WRONG_PLACE", ids[4])} <= await _codes(desk)

    desk, ids = await _tree(graph)
    await behind("MATCH (e:Entry {id: $id}), (p:Entry {id: $other}) CREATE (e)-[:PARENT]->(p)", id=ids[4], other=ids[1])
    assert ("SEVERAL_PARENTS", ids[4]) in await _codes(desk)
    with pytest.raises(DamagedSession, match=ids[4]):
        async for _ in ExchangeService(graph).export(ME, desk.id):
            pass

    desk, ids = await _tree(graph)
    await behind("MATCH (e:Entry {id: $id}), (p:Entry {id: $other}) CREATE (e)-[:PARENT]->(p)", id=ids[0], other=ids[3])
    assert ("CYCLE", ids[0]) in await _codes(desk)


async def test_a_leaf_that_is_nowhere_and_counts_that_are_off(graph: SessionStorage, behind: Behind) -> None:
    desk, _ = await _tree(graph)
    await behind("MATCH (s:Session {id: $id}) SET s.leaf_id = 'x', s.node_count = 99", id=desk.id)
    assert await _codes(desk) == {("LEAF_MISSING", "x"), ("NODE_COUNT", None)}
