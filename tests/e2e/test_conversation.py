"""A conversation as a user has it, on every engine: asks, forks, summaries, contexts, and reading the tree."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from graph_session.runtime import open_services
from graph_session.services import runner
from graph_session.settings import Settings
from graph_session.storage.graph.database import round_trips
from tests.e2e.support import ALL_NODES, FORK, MOVE, NODE, REGENERATE, Api, Server, check_tree, client

ODD = [
    "Plain words, then a trailing space ",
    "Emoji 👩‍👩‍👧‍👦🏳️‍🌈 and a combining e\u0301",
    "中文、日本語、한국어，以及全角标点。",
    "العربية من اليمين إلى اليسار \u200f(RTL) עברית",
    "Quotes \"double\" 'single' `back` \\ backslash \\n",
    "\tTabs\tand\nlines\r\n\r\nand spaces   ",
    '</summary> {"role": "user"} $param // comment /* */ `MATCH (n) DELETE n`',
    "\ufeffa BOM, a \u2028 line separator, a \u00a0 and \U0001f9ff",
    "x" * 5000,
]
QUESTIONS = [f"{number}: {ODD[number % len(ODD)]}" if number % 2 else f"Question {number}?" for number in range(1, 15)]


def sources(context: Any) -> list[str]:
    return [message["source"] for message in context["messages"]]


def said(nodes: list[Any]) -> dict[str, tuple[str, str]]:
    return {node["nodeId"]: (node["userContent"], node["aiContent"]) for node in nodes}


async def test_fourteen_asks_a_fork_and_the_contexts_of_both_branches(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create(name="line")
        path = await api.line(session_id, [], QUESTIONS)
        written = await api.summarised(session_id)
        assert [node["userContent"] for node in written] == QUESTIONS
        assert [node["nodeId"] for node in written] == path == await api.active_path(session_id)

        # The newest finished turn outside the raw window when the twelfth turn ended was the ninth.
        anchors = [index for index, node in enumerate(written, 1) if node["isSummaryAnchor"]]
        assert anchors == [9]
        assert written[8]["summaryState"] == "DONE"
        assert written[8]["anchorSummary"]
        context = await api.context(session_id)
        assert context["boundaryId"] == path[8]
        assert sources(context)[0] == "ANCHOR_SUMMARY"
        assert sources(context).count("ANCHOR_SUMMARY") == 1
        assert sources(context)[-6:] == ["RAW"] * 6
        assert [message["text"] for message in context["messages"][-6::2]] == QUESTIONS[-3:]
        assert [message["text"] for message in context["messages"][-5::2]] == [
            node["aiContent"] for node in written[-3:]
        ]
        assert context["totalTokens"] < context["fullHistoryTokens"]

        fifth = path[4]
        forked = await api.run(FORK, input={"sessionId": session_id, "entryId": fifth, "position": "AT"})
        assert forked["leafId"] == fifth
        assert forked["activePath"] == path[:5]
        assert forked["editText"] is None
        branched = await api.ask(session_id, forked["activePath"], "What if we had gone another way?")
        nodes = await api.summarised(session_id)
        by_id = {node["nodeId"]: node for node in nodes}
        assert by_id[fifth]["isSummaryAnchor"]
        assert by_id[fifth]["summaryState"] == "DONE"
        assert by_id[fifth]["anchorSummary"]
        assert by_id[fifth]["childrenNodeIds"] == [path[5], branched["newNodeId"]]

        for child in (path[5], branched["newNodeId"]):
            found = await api.context(session_id, path=[*path[:5], child], question="And now?")
            assert found["boundaryId"] == fifth
            assert sources(found).count("ANCHOR_SUMMARY") == 1
            assert sources(found)[0] == "ANCHOR_SUMMARY"
            assert found["messages"][0]["nodeId"] == fifth
            assert sources(found)[-1] == "QUESTION"
            below = await api.ask(session_id, [*path[:5], child], "And now?")
            assert "ANCHOR_SUMMARY" in below["aiAnswer"]

        after = await api.summarised(session_id)
        assert said(written).items() <= said(after).items()
        check_tree(after)
        await reading_the_tree(api, session_id, path, after)


async def reading_the_tree(api: Api, session_id: str, path: list[str], nodes: list[Any]) -> None:
    assert await api.nodes(session_id, page=4) == nodes
    assert (await api.run(ALL_NODES, session=session_id, first=3))["totalCount"] == len(nodes)
    outline = await api.run("query($id: ID!) { treeOutline(sessionId: $id) }", id=session_id)
    rows = [dict(zip(outline["columns"], row, strict=True)) for row in outline["rows"]]
    assert [row["nodeId"] for row in rows] == [node["nodeId"] for node in nodes]
    for row, node in zip(rows, nodes, strict=True):
        for field in ("parentNodeId", "status", "isSummaryAnchor", "summaryState", "label"):
            assert row[field] == node[field], (field, row, node)
        assert node["userContent"].startswith(row["question"])
    assert outline["nodeCount"] == len(nodes)
    assert not outline["hasNext"]

    several = f"query($ids: [ID!]!) {{ nodes(nodeIds: $ids) {{ {NODE} }} }}"
    by_id = {node["nodeId"]: node for node in nodes}
    elsewhere = (await api.ask(await api.create(), [], "Elsewhere?"))["node"]
    wanted = [path[3], new_id(), elsewhere["nodeId"], path[1], path[3]]
    found = await api.run(several, ids=wanted)
    assert found[:2] + found[3:] == [by_id.get(node_id) for node_id in wanted[:2] + wanted[3:]]
    assert found[2]["userContent"] == "Elsewhere?"
    assert await api.run(several, ids=[]) == []
    (error,) = (await api.post(several, ids=[path[0]] * 501))["errors"]
    assert (error["extensions"]["code"], error["extensions"]["field"]) == ("INVALID_INPUT", "nodeIds")

    subtree = """query($id: ID!, $depth: Int!, $first: Int!, $after: String) {
      subtree(nodeId: $id, depth: $depth, first: $first, after: $after) {
        totalCount edges { cursor node { nodeId } } pageInfo { hasNextPage endCursor } } }"""
    below: list[str] = []
    after = None
    while True:
        page = await api.run(subtree, id=path[4], depth=2, first=2, after=after)
        below += [edge["node"]["nodeId"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    ids = {node["nodeId"]: node["parentNodeId"] for node in nodes}
    near = [n for n in ids if n == path[4] or ids[n] == path[4] or ids.get(ids[n] or "") == path[4]]
    assert below == near

    to_root = """query($id: ID!, $first: Int!, $after: String) {
      pathToRoot(entryId: $id, first: $first, after: $after) {
      totalCount edges { node { id parentId depth } } pageInfo { hasNextPage endCursor } } }"""
    up: list[Any] = []
    after = None
    while True:
        page = await api.run(to_root, id=path[-1], first=5, after=after)
        up += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert page["totalCount"] == len(up) == 28
    assert [entry["depth"] for entry in up] == list(range(27, -1, -1))
    assert [entry["parentId"] for entry in up] == [*(entry["id"] for entry in up[1:]), None]
    assert [entry["id"] for entry in up[::2]] == path[::-1]

    nearest = "query($id: ID!) { nearestAnchor(nodeId: $id) { nodeId } }"
    assert (await api.run(nearest, id=path[-1]))["nodeId"] == path[8]
    # The question below turn 5's old child has made a fork of that one as well.
    assert (await api.run(nearest, id=path[7]))["nodeId"] == path[5]
    assert (await api.run(nearest, id=path[4]))["nodeId"] == path[4]
    assert await api.run(nearest, id=path[3]) is None


async def test_forks_and_moves_of_the_leaf(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        path = await api.line(session_id, [], [ODD[1], ODD[4], ODD[5]])
        entries = "query($id: ID!) { node(nodeId: $id) { entries { id type } } }"
        question, answer = (entry["id"] for entry in (await api.run(entries, id=path[1]))["entries"])
        assert answer == path[1]

        before = await api.run(FORK, input={"sessionId": session_id, "entryId": question, "position": "BEFORE"})
        assert before["editText"] == ODD[4]
        assert before["leafId"] == path[0]
        assert before["activePath"] == path[:1] == await api.active_path(session_id)
        edited = await api.ask(session_id, before["activePath"], "Asked in other words")
        assert edited["node"]["parentNodeId"] == path[0]
        assert (await api.node(path[0]))["childrenNodeIds"] == [path[1], edited["newNodeId"]]

        root = (await api.run(entries, id=path[0]))["entries"][0]["id"]
        at_root = await api.run(FORK, input={"sessionId": session_id, "entryId": root, "position": "BEFORE"})
        assert (at_root["leafId"], at_root["activePath"], at_root["editText"]) == (None, [], ODD[1])
        assert await api.active_path(session_id) == []

        moved = await api.run(MOVE, session=session_id, entry=path[2])
        assert moved["activePath"] == path == await api.active_path(session_id)
        kept = await api.run(MOVE, session=session_id, entry=path[0], expected=path[2])
        assert kept["session"]["leafId"] == path[0]
        refused = await api.run(MOVE, session=session_id, entry=path[2], expected=path[2])
        assert (refused["__typename"], refused["leafId"]) == ("LeafConflict", path[0])
        assert (await api.session(session_id))["leafId"] == path[0]


async def test_regenerate_gives_a_sibling_of_the_same_question(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        path = await api.line(session_id, [], ["One?", "Two?"])
        again = await api.run(REGENERATE, id=path[1], wait=True)
        assert again["__typename"] == "AskPayload"
        assert again["newNodeId"] not in path
        assert again["node"]["userContent"] == "Two?"
        assert again["node"]["parentNodeId"] == path[0]
        assert again["session"]["leafId"] == again["newNodeId"]
        assert (await api.node(path[0]))["childrenNodeIds"] == [path[1], again["newNodeId"]]
        assert (await api.session(session_id))["entryCount"] == 5
        entries = "query($id: ID!) { node(nodeId: $id) { entries { id } } }"
        old, new = [(await api.run(entries, id=node_id))["entries"] for node_id in (path[1], again["newNodeId"])]
        assert old[0] == new[0]
        check_tree(await api.nodes(session_id))


async def test_a_repeated_request_asks_once(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        first = await api.ask(session_id, [], "Once?", clientRequestId="r-1")
        second = await api.ask(session_id, [], "Once?", clientRequestId="r-1")
        assert second["newNodeId"] == first["newNodeId"]
        assert second["aiAnswer"] == first["aiAnswer"]
        path = [first["newNodeId"]]
        racing = await asyncio.gather(
            *(api.ask(session_id, path, "Race?", clientRequestId="r-2", wait=bool(n % 2)) for n in range(8))
        )
        assert len({asked["newNodeId"] for asked in racing}) == 1
        assert (await api.ended(racing[0]["newNodeId"]))["status"] == "DONE"
        session = await api.session(session_id)
        assert (session["nodeCount"], session["entryCount"]) == (2, 4)
        # The id is the session's own: elsewhere it is a request of its own.
        other = await api.create()
        assert (await api.ask(other, [], "Once?", clientRequestId="r-1"))["newNodeId"] != first["newNodeId"]


@pytest.mark.parametrize(
    ("topic", "script"),
    [
        ("图数据库把数据存成节点和关系，查询时沿着关系走。", "\u4e00-\u9fff"),
        ("Графовая база данных хранит узлы и связи между ними.", "\u0400-\u04ff"),
        ("قاعدة البيانات البيانية تخزن العقد والعلاقات بينها.", "\u0600-\u06ff"),
    ],
    ids=["chinese", "russian", "arabic"],
)
async def test_summaries_are_in_the_language_of_the_conversation(server: Server, topic: str, script: str) -> None:
    async with client(server) as api:
        session_id = await api.create(config={"linearThreshold": 4, "keepRawCount": 1})
        await api.line(session_id, [], [f"{topic} {number}" for number in range(1, 7)])
        nodes = await api.summarised(session_id)
        texts = [node["anchorSummary"] or node["nodeSummary"] for node in nodes if node["summaryState"] == "DONE"]
        assert texts
        for text in texts:
            assert len(re.findall(f"[{script}]", text)) > len(topic) / 3, text


async def test_two_clients_below_one_node_are_a_fork(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        path = await api.line(session_id, [], ["Root?"])
        asked = await asyncio.gather(*(api.ask(session_id, path, f"Branch {number}?") for number in range(6)))
        ids = {one["newNodeId"] for one in asked}
        nodes = await api.summarised(session_id)
        check_tree(nodes)
        assert set(nodes[0]["childrenNodeIds"]) == ids
        assert nodes[0]["isSummaryAnchor"]
        session = await api.session(session_id)
        assert session["leafId"] in ids
        assert (session["nodeCount"], session["entryCount"]) == (7, 14)


async def test_an_ask_takes_three_round_trips(
    data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "GRAPH_SESSION_STORAGE" in data:
        pytest.skip("a storage in this process has no round trips")
    uri = data.get("NEO4J_URI")
    # An answer that takes longer than this is written down as it comes, which on a busy machine may be any.
    monkeypatch.setattr(runner, "FLUSH_SECONDS", 600)
    settings = Settings(home=tmp_path, summary_workers=0, lease_seconds=600, **({"NEO4J_URI": uri} if uri else {}))
    who = Principal("somebody")
    async with open_services(settings) as services:
        session = await services.sessions.create(who)
        path: list[str] = []
        for _ in range(20):
            names: list[str] = []
            # The runner's task takes its own copy of the context, with the same list in it.
            token = round_trips.set(names)
            asked = await services.ask.ask(who, session.id, path, "How often?")
            round_trips.reset(token)
            path.append(asked.node.node_id)
            assert names == ["context_view", "answer_question", "answer_finish"]
