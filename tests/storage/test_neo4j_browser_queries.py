"""The queries and the style for Neo4j Browser, on real servers: what each query returns of a session that is known."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from neo4j import EagerResult

from graph_session.domain.entries import (
    ActiveToolsChange,
    Compaction,
    Custom,
    Label,
    LeafMove,
    SessionInfo,
    SummaryKind,
    SummaryScope,
    SummaryState,
    ThinkingLevelChange,
)
from graph_session.domain.ids import new_id
from graph_session.storage.engines import Endpoint, connect
from graph_session.storage.graph.store import open_graph
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import (
    branch,
    failed,
    note,
    other_model,
    tool_result,
    tool_use,
    turns,
)
from tests.storage.desk import OWNER, Desk, claim, due
from tests.storage.trip import Trip, plan_trip
from tests.support.engines import EMBEDDED, ENGINES, EnginePool
from tests.support.neo4j_guide import ANY_SESSION, PAGE, STYLE, parse_style, queries

TEXTS = {query.name: query.text for query in queries()}
ABOUT_ONE = [name for name, text in TEXTS.items() if ANY_SESSION in text]


@pytest.fixture(scope="module", params=[name for name in ENGINES if name != EMBEDDED])
async def endpoint(request: pytest.FixtureRequest, engine_pool: EnginePool) -> Endpoint:
    return engine_pool.shared(request.param).endpoint


@pytest.fixture(scope="module")
async def storage(endpoint: Endpoint) -> AsyncIterator[SessionStorage]:
    opened = await open_graph(endpoint)
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
async def trip(storage: SessionStorage) -> Trip:
    return await plan_trip(storage)


async def run(endpoint: Endpoint, name: str, session: str = "") -> EagerResult:
    """What a query of the guide returns, of the session with that name or of the one that was used last."""
    text = TEXTS[name].replace(ANY_SESSION, f"WITH '{session}' AS name", 1)
    async with await connect(endpoint) as driver:
        found = await driver.execute_query(text, database_=endpoint.database)
    assert found.summary.query_type == "r"
    assert not found.summary.counters.contains_updates
    return found


async def rows(endpoint: Endpoint, name: str, session: str = "") -> list[dict[str, Any]]:
    return [record.data() for record in (await run(endpoint, name, session)).records]


async def test_sessions(endpoint: Endpoint, trip: Trip) -> None:
    found = (await rows(endpoint, "01_sessions"))[0]
    session = await trip.desk.session()
    assert found == {
        "name": trip.name,
        "entries": 19,
        "turns": 10,
        "made": session.created_at,
        "used": session.updated_at,
        "owner": "somebody",
        "leaf": trip.back.id,
        "session": trip.desk.id,
    }


@pytest.mark.parametrize("name", ABOUT_ONE)
async def test_without_a_name_it_is_the_session_that_was_used_last(endpoint: Endpoint, trip: Trip, name: str) -> None:
    assert await rows(endpoint, name, trip.name) == await rows(endpoint, name)
    assert (await run(endpoint, name, "nothing is called so")).records == []


async def test_the_tree(endpoint: Endpoint, trip: Trip) -> None:
    graph = await _graph(endpoint, "02_tree", trip.name)
    assert len(graph["Session"]) == 1
    assert len(graph["Entry"]) == 19
    assert graph["Answer"] == {trip.running_id}
    assert len(graph["PARENT"]) == 17
    assert graph["ROOT"] == {(trip.desk.id, trip.questions[key]) for key in ("where", "stay")}
    assert graph["ANSWERS"] == {(trip.running_id, trip.back.id)}
    assert (trip.questions["plane"], trip.answers["where"].id) in graph["PARENT"]


def _upwards(trip: Trip, *keys: str) -> list[str]:
    """The ids of the entries of these turns and of the last question, oldest first."""
    return [it for key in keys for it in (trip.questions[key], trip.answers[key].id)] + [trip.back.id]


async def test_the_path_from_the_leaf_to_the_root(endpoint: Endpoint, trip: Trip) -> None:
    (found,) = (await run(endpoint, "03_path", trip.name)).records
    path = _upwards(trip, "where", "train", "long", "again")
    assert [node["id"] for node in found["entries"]] == path
    assert {(edge.start_node["id"], edge.end_node["id"]) for edge in found["parents"]} == set(
        zip(path[1:], path, strict=False)
    )
    assert found["s"]["id"] == trip.desk.id
    assert found["root"].end_node["id"] == path[0]


async def test_what_a_question_at_the_leaf_builds_on(endpoint: Endpoint, trip: Trip) -> None:
    """The nearest anchor has failed and the next is waiting, so it is the first one."""
    (found,) = (await run(endpoint, "04_context", trip.name)).records
    path = _upwards(trip, "where", "train", "long", "again")[1:]
    assert [node["id"] for node in found["entries"]] == path
    assert len(found["parents"]) == len(path) - 1
    view = await trip.desk.storage.view_at(trip.desk.id, trip.back.id)
    assert view is not None
    assert {entry.id for entry in view.path} >= set(path[1:-1])


async def test_the_anchors(endpoint: Endpoint, trip: Trip) -> None:
    def row(turn: int, question: str, state: SummaryState, key: str) -> dict[str, Any]:
        summary = "They travel." if state is SummaryState.DONE else None
        anchor = trip.answers[key].id
        return {
            "turn": turn,
            "question": question,
            "ways_on": 2,
            "state": state,
            "summary": summary,
            "anchor": anchor,
        }

    assert await rows(endpoint, "05_anchors", trip.name) == [
        row(1, "Where to?", SummaryState.DONE, "where"),
        row(2, "By train?", SummaryState.FAILED, "train"),
        row(3, "How long?", SummaryState.PENDING, "long"),
    ]


async def test_the_forks(endpoint: Endpoint, trip: Trip) -> None:
    def row(turn: int, question: str | None, questions: list[str], fork: str | None) -> dict[str, Any]:
        return {
            "turn": turn,
            "question": question,
            "ways_on": 2,
            "questions": questions,
            "fork": fork and trip.answers[fork].id,
        }

    assert await rows(endpoint, "06_forks", trip.name) == [
        row(0, None, ["Where to?", "Stay at home?"], None),
        row(1, "Where to?", ["By train?", "By plane?"], "where"),
        row(2, "By train?", ["When?", "How long?"], "train"),
        row(3, "How long?", ["By bus?", "By bus?"], "long"),
    ]


async def test_the_cost_of_each_branch(endpoint: Endpoint, trip: Trip) -> None:
    def row(tip: str, question: str, turns: int, model: str, all_of_it: list[int], alone: list[int]) -> dict[str, Any]:
        total = sum(all_of_it)
        return {
            "last_question": question,
            "turns": turns,
            "model": model,
            "calls": len(all_of_it),
            "input": total,
            "output": 10 * total,
            "cache_read": 100 * total,
            "cache_write": 1000 * total,
            "alone": 1111 * sum(alone),
            "branch": trip.answers[tip].id,
        }

    assert await rows(endpoint, "07_cost", trip.name) == [
        row("stay", "Stay at home?", 1, "one", [9], [9]),
        row("again", "By bus?", 4, "one", [1, 2], []),
        row("again", "By bus?", 4, "two", [5, 8], [8]),
        row("bus", "By bus?", 4, "one", [1, 2, 7], [7]),
        row("bus", "By bus?", 4, "two", [5], []),
        row("cheaper", "Cheaper?", 4, "one", [1, 2, 4], [4]),
        row("cheaper", "Cheaper?", 4, "two", [6], [6]),
        row("plane", "By plane?", 2, "one", [1], []),
        row("plane", "By plane?", 2, "two", [3], [3]),
    ]


async def test_the_summaries_that_are_not_there_yet(endpoint: Endpoint, trip: Trip) -> None:
    found = await rows(endpoint, "08_summaries", trip.name)
    assert [
        (row["state"], row["kind"], row["question"], row["attempts"], row["error"], row["entry"]) for row in found
    ] == [
        (SummaryState.FAILED, SummaryKind.ANCHOR, "By train?", 1, "overloaded", trip.answers["train"].id),
        (SummaryState.RUNNING, SummaryKind.NODE, "When?", 1, None, trip.answers["when"].id),
        (SummaryState.PENDING, SummaryKind.ANCHOR, "How long?", 0, None, trip.answers["long"].id),
    ]
    assert [row["due"] is None for row in found] == [True, False, False]


async def test_the_answers_that_are_running(endpoint: Endpoint, trip: Trip) -> None:
    found = next(row for row in await rows(endpoint, "09_running") if row["answer"] == trip.running_id)
    running = await trip.desk.storage.running_answer(trip.running_id)
    assert running is not None
    assert found["held_until"].tzinfo is not None
    del found["held_until"]
    assert found == {
        "session": trip.name,
        "question": "And back?",
        "model": "echo",
        "since": running.started,
        "process": OWNER,
        "answer": trip.running_id,
    }


async def test_the_labels(endpoint: Endpoint, trip: Trip) -> None:
    train = trip.answers["train"]
    assert await rows(endpoint, "10_labels", trip.name) == [
        {
            "label": "the plan",
            "who": "assistant",
            "text": "Answer 2.",
            "written": train.timestamp,
            "entry": train.id,
        }
    ]


async def test_all_have_limits(endpoint: Endpoint, storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage, name=new_id())
    line = [due(entry, SummaryKind.ANCHOR) if entry.ends_turn else entry for entry in desk.line(turns(120))]
    labels = desk.line([Label(target_id=entry.id, label="l") for entry in line], line[-1])
    await storage.append(desk.id, [*line, *labels])
    expected = {"02_tree": 200, "05_anchors": 100, "08_summaries": 100, "10_labels": 100}
    for name in ABOUT_ONE:
        found = (await run(endpoint, name, (await desk.session()).name or "")).records
        if name in ("03_path", "04_context"):
            assert len(found[0]["entries"]) == 150
        assert len(found) == expected.get(name, len(found)), name
    # Its summaries would be what other tests are given to make.
    await storage.delete_session(desk.id)
    await storage.finish_deletions()


async def _graph(endpoint: Endpoint, name: str, session: str) -> dict[str, set[Any]]:
    """The ids of the nodes by their labels, and the edges by their types."""
    graph: dict[str, set[Any]] = {}
    for record in (await run(endpoint, name, session)).records:
        for it in record.values():
            if hasattr(it, "labels"):
                for label in it.labels:
                    graph.setdefault(label, set()).add(it["id"])
            elif it is not None:
                graph.setdefault(it.type, set()).add((it.start_node["id"], it.end_node["id"]))
    return graph


async def test_the_style_names_what_the_graph_has(endpoint: Endpoint, trip: Trip, storage: SessionStorage) -> None:
    """Each label and each property of a caption, and no label of a session is without colours."""
    desk = await Desk.fresh(storage, name="all types")
    (asked, ended) = await desk.write(turns(1))
    everything = [
        *(failed(), tool_use("c"), tool_result("c"), note(), other_model(), ThinkingLevelChange(level="high")),
        *(ActiveToolsChange(tool_names=()), SessionInfo(name="n"), Label(target_id=asked.id, label="l")),
        Compaction(summary="s", first_kept_entry_id=asked.id, tokens_before=1),
        *(branch("", SummaryScope.BRANCH), Custom(custom_type="c", data=None), LeafMove(target_id=None)),
    ]
    written = [
        due(entry, SummaryKind.BRANCH) if entry.type == "branch_summary" else entry
        for entry in desk.line(everything, ended)
    ]
    await storage.append(desk.id, written)
    # Others wait, and are to wait on.
    jobs = [await claim(storage, "w")]
    while jobs[-1].session.id != desk.id:
        jobs.append(await claim(storage, "w"))
    await storage.finish_summary(jobs.pop(), "elsewhere", "echo")
    for job in jobs:
        await storage.release_summary(job)
    await desk.begin(written[-1])
    found = await _labels(endpoint, desk.id)
    for label, names in (await _labels(endpoint, trip.desk.id)).items():
        found.setdefault(label, set()).update(names)

    rules = parse_style(STYLE.read_text(encoding="utf-8"))
    styled = {selector.partition(".")[2]: rule for selector, rule in rules.items() if selector.startswith("node.")}
    assert styled.keys() == found.keys()
    for label, rule in styled.items():
        assert set(re.findall(r"\{(\w+)\}", rule["caption"])) <= found[label], label
    kinds = {selector for selector in rules if selector.startswith("relationship.")}
    assert kinds <= {"relationship.PARENT", "relationship.ROOT", "relationship.ANSWERS"}
    listed = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {label for cell in listed for label in re.findall(r"\w+", cell)} == found.keys()


async def _labels(endpoint: Endpoint, session_id: str) -> dict[str, set[str]]:
    """The labels of a session's nodes, each with the properties that any of those nodes has."""
    text = "MATCH (n) WHERE n.id = $id OR n.session_id = $id UNWIND labels(n) AS label UNWIND keys(n) AS key RETURN *"
    async with await connect(endpoint) as driver:
        found = (await driver.execute_query(text, id=session_id, database_=endpoint.database)).records
    labels: dict[str, set[str]] = {}
    for row in found:
        labels.setdefault(row["label"], set()).add(row["key"])
    return labels
