"""Two server processes and a worker on one Neo4j: nothing is lost, and nothing is made twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import NEO4J, asking, place
from tests.e2e.support import Api, Server, check_tree, client
from tests.support.anthropic_reply import last_text, summary_of
from tests.support.anthropic_standin import AnthropicStandin
from tests.support.engines import EnginePool

CLIENTS = 8
ASKS = {NEO4J[-1]: 40}
FEWER_ASKS = 10


def summaries_made(standin: AnthropicStandin) -> Counter[tuple[str, str]]:
    """How often each node and kind was summarised: a prompt says the kind, and quotes the node's question last."""
    made: Counter[tuple[str, str]] = Counter()
    for body in standin.requests:
        if summary_of(body):
            kind = "NODE" if "one turn of" in body["system"][0]["text"] else "ANCHOR"
            asked = [line for line in last_text(body).split("\n") if line.startswith('{"role":"user"')]
            made[asked[-1], kind] += 1
    return made


async def chat(api: Api, session_id: str, name: str, asks: int, acknowledged: dict[str, tuple[str, str]]) -> None:
    """One client: most of the time it goes on from its own last answer, now and then from where the leaf is."""
    path: list[str] = []
    for number in range(asks):
        if number % 5 == 4:
            path = await finished_path(api, session_id)
        question = f"{name} asks for the {number}th time."
        asked = await api.ask(session_id, path, question)
        acknowledged[asked["newNodeId"]] = (question, asked["aiAnswer"])
        path = [*path, asked["newNodeId"]]


async def finished_path(api: Api, session_id: str) -> list[str]:
    """The leaf's path, without an answer at its end that another client is waiting for."""
    path = await api.active_path(session_id)
    while path and (await api.node(path[-1]))["status"] == "RUNNING":
        path = path[:-1]
    return path


@pytest.mark.parametrize("release", NEO4J)
async def test_eight_clients_on_one_session(engine_pool: EnginePool, standin: AnthropicStandin, release: str) -> None:
    settings = place(release, engine_pool, Path()) | asking(standin)
    asks = ASKS.get(release, FEWER_ASKS)
    with Server(settings) as one, Server(settings) as two:
        async with client(one) as first, client(two) as second:
            # So that no anchor outgrows its budget, which would take another request.
            session_id = await first.create(config={"anchorBudgetTokens": 100_000})
            acknowledged: dict[str, tuple[str, str]] = {}
            await asyncio.gather(
                *(
                    chat((first, second)[number % 2], session_id, f"Client {number}", asks, acknowledged)
                    for number in range(CLIENTS)
                )
            )
            nodes = await second.summarised(session_id, 60)
            assert nodes == await first.nodes(session_id)
            check_tree(nodes)
            assert len(acknowledged) == len(nodes) == CLIENTS * asks
            for node in nodes:
                assert node["status"] == "DONE"
                assert acknowledged[node["nodeId"]] == (node["userContent"], node["aiContent"])
                assert node["aiContent"] == f"Echo: {node['userContent']}"
            session = await first.session(session_id)
            assert (session["nodeCount"], session["entryCount"]) == (CLIENTS * asks, 2 * CLIENTS * asks)
            assert session["leafId"] in acknowledged
            forks = [node for node in nodes if len(node["childrenNodeIds"]) > 1]
            assert forks
            check_summaries(nodes, summaries_made(standin))


def check_summaries(nodes: list[Any], made: Counter[tuple[str, str]]) -> None:
    """Every fork is an anchor, every summary is there, and none was asked for twice."""
    for node in nodes:
        assert node["summaryState"] in ("DONE", "NONE"), node
        assert (node["anchorSummary"] is not None) == node["isSummaryAnchor"]
        if len(node["childrenNodeIds"]) > 1:
            assert node["isSummaryAnchor"]
    assert made
    assert set(made.values()) == {1}, made.most_common(3)
    # A node may have got its own summary before it became an anchor, so that there are more requests than states.
    assert len(made) >= sum(node["summaryState"] == "DONE" for node in nodes)


async def test_a_worker_makes_the_summaries_of_servers_without_one(
    newest_neo4j: dict[str, str], standin: AnthropicStandin
) -> None:
    settings = newest_neo4j | asking(standin)
    with Server(settings | {"GRAPH_SESSION_SUMMARY_WORKERS": "0"}) as server:
        async with client(server) as api:
            session_id = await api.create(config={"linearThreshold": 4, "keepRawCount": 1})
            path = await api.line(session_id, [], [f"Question {number}?" for number in range(8)])
            await asyncio.sleep(1.5)
            waiting = await api.nodes(session_id)
            assert [node["summaryState"] for node in waiting].count("PENDING") == 7
            worker = Server(settings, command="worker")
            with worker:
                assert "Making summaries" in worker.announced
                nodes = await api.summarised(session_id)
                assert [node["nodeId"] for node in nodes] == path
                assert [node["summaryState"] for node in nodes].count("DONE") == 7
                code, seconds = worker.stop()
                assert (code, worker.log) == (0, "")
                assert seconds < 5
            check_summaries(nodes, summaries_made(standin))
