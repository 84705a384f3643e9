"""Bad input, on every engine: each with a failure that a client can act on, and nothing written."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.e2e.support import ASK, CREATE, FORK, MOVE, REGENERATE, Api, Server, client, open_socket

NOWHERE = "00000000-0000-7000-8000-000000000000"
QUERY = "query($id: ID!) { session(id: $id) { id } }"


@pytest.fixture(scope="module")
def strict(data: dict[str, str]) -> Iterator[Server]:
    """A server with room for 2 MB of body and a thousand characters of question."""
    with Server(data | {"GRAPH_SESSION_MAX_QUESTION_CHARS": "1000", "GRAPH_SESSION_MAX_BODY_BYTES": "2000000"}) as it:
        yield it
    assert it.log == ""


@asynccontextmanager
async def unchanged(api: Api, session_id: str) -> AsyncIterator[None]:
    """Nothing in the session is other after the block than before."""
    before = await api.session(session_id), await api.nodes(session_id)
    yield
    assert (await api.session(session_id), await api.nodes(session_id)) == before


async def test_paths_that_are_none(strict: Server) -> None:
    async with client(strict) as api:
        session_id, other = await api.create(), await api.create()
        path = await api.line(session_id, [], ["One?", "Two?", "Three?"])
        foreign = await api.line(other, [], ["Foreign?"])
        entries = (await api.run("query($id: ID!) { node(nodeId: $id) { entries { id } } }", id=path[2]))["entries"]
        odd = "\x00'}) DETACH DELETE n //"
        bad = {
            "unknown": ([*path, NOWHERE], NOWHERE),
            "unknown before": ([NOWHERE, *path[1:]], NOWHERE),
            "foreign": ([*path, *foreign], foreign[0]),
            "foreign alone": (foreign, foreign[0]),
            "order": ([path[1], path[0], path[2]], path[1]),
            "order at the end": ([path[0], path[2], path[1]], path[2]),
            "gap": ([path[0], path[2]], path[2]),
            "no root": (path[1:], path[1]),
            "duplicate": ([path[0], path[0], *path[1:]], path[0]),
            "duplicate at the end": ([*path, path[2]], path[2]),
            "entry": ([*path[:2], entries[0]["id"]], entries[0]["id"]),
            "empty": ([*path, ""], ""),
            "odd": ([*path, odd], odd),
            "session": ([session_id], session_id),
            "long": ([*path, *([NOWHERE] * 5000)], NOWHERE),
        }
        async with unchanged(api, session_id), unchanged(api, other):
            for name, (given, bad_id) in bad.items():
                refused = await api.try_ask(session_id, given, "What now?")
                assert refused["__typename"] == "InvalidActivePath", (name, refused)
                assert (refused["code"], refused["badId"]) == ("INVALID_ACTIVE_PATH", bad_id), name
                assert refused["activePath"] == path, name
                shown = await api.post(
                    "query($s: ID!, $p: [ID!]) { context(sessionId: $s, activePath: $p) { totalTokens } }",
                    s=session_id,
                    p=given,
                )
                assert shown["errors"][0]["extensions"]["badId"] == bad_id, name
        assert (await api.ask(session_id, refused["activePath"], "What now?"))["node"]["parentNodeId"] == path[2]


async def test_texts_that_cannot_be_taken(strict: Server) -> None:
    async with client(strict) as api:
        session_id = await api.create()
        path = await api.line(session_id, [], ["One?"])
        async with unchanged(api, session_id):
            for text in ("", " ", "\n\t\u3000\u00a0", "x" * 1001, "x" * 1_000_000, "a\x00b"):
                refused = await api.try_ask(session_id, path, text)
                assert (refused["__typename"], refused["field"]) == ("InvalidInput", "userQuestion"), text[:5]
                assert refused["code"] == "INVALID_INPUT"
                assert len(refused["message"]) < 200
            for request_id in ("", "x" * 201, "\x00"):
                refused = await api.try_ask(session_id, path, "Why?", clientRequestId=request_id)
                assert (refused["__typename"], refused["field"]) == ("InvalidInput", "clientRequestId")
            # Half a surrogate pair can be written in JSON but is no text.
            asking = {"sessionId": session_id, "activePath": path, "userQuestion": "half \ud83d"}
            body = json.dumps({"query": ASK, "variables": {"input": asking}}).encode()
            response = await api.http.post("/graphql", content=body, headers={"Content-Type": "application/json"})
            assert response.status_code == 400
            async with open_socket(strict.port) as socket:
                await socket.start(ASK, input=asking)
                code, _ = await socket.closed()
                assert code in (4400, 1007)
        assert (await api.ask(session_id, path, "x" * 1000))["node"]["status"] == "DONE"
        for given in ({"name": "x" * 501}, {"model": "\x00"}, {"config": {"keepRawCount": -1}}):
            assert (await api.run(CREATE, input=given))["__typename"] == "InvalidInput", given


async def test_sessions_entries_and_leaves_that_are_not_there(strict: Server) -> None:
    async with client(strict) as api:
        session_id, other = await api.create(), await api.create()
        path = await api.line(session_id, [], ["One?", "Two?"])
        foreign = await api.line(other, [], ["Foreign?"])
        async with unchanged(api, session_id):
            for unknown in (NOWHERE, "", "x", path[0]):
                missing = await api.try_ask(unknown, [], "Anybody?")
                assert (missing["__typename"], missing["code"], missing["id"]) == ("NotFound", "NOT_FOUND", unknown)
            for leaf in (NOWHERE, path[0], None):
                conflict = await api.try_ask(session_id, path, "Where?", expectedLeaf=leaf)
                assert (conflict["__typename"], conflict["leafId"]) == ("LeafConflict", path[1])
                conflict = await api.run(
                    FORK,
                    input={"sessionId": session_id, "entryId": path[0], "position": "AT", "expectedLeaf": leaf},
                )
                assert (conflict["__typename"], conflict["leafId"]) == ("LeafConflict", path[1])
            for entry in (NOWHERE, foreign[0]):
                forking = {"sessionId": session_id, "entryId": entry, "position": "AT"}
                assert (await api.run(FORK, input=forking))["__typename"] == "NotFound"
                assert (await api.run(MOVE, session=session_id, entry=entry))["__typename"] == "NotFound"
            assert (await api.run(REGENERATE, id=NOWHERE, wait=True))["__typename"] == "NotFound"
        assert (await api.ask(session_id, path, "Here?", expectedLeaf=path[1]))["node"]["parentNodeId"] == path[1]
        fresh = await api.create()
        assert (await api.ask(fresh, [], "At all?", expectedLeaf=None))["session"]["entryCount"] == 2
        assert await api.session(NOWHERE) is None
        assert await api.node(NOWHERE) is None
        for query in ("activePath(sessionId: $id)", "context(sessionId: $id) { totalTokens }"):
            result = await api.post(f"query($id: ID!) {{ {query} }}", id=NOWHERE)
            assert result["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_bodies_that_are_no_request(strict: Server) -> None:
    async with client(strict) as api:
        json_type = {"Content-Type": "application/json"}
        for body in (b"", b"{", b"null", b"[]", b"1", b'"x"', b"\xff", b"{}", b'{"query": 1}', b'{"query": null}'):
            response = await api.http.post("/graphql", content=body, headers=json_type)
            assert response.status_code == 400, body
            assert "errors" in response.json(), body
        odd = {"query": "{ __typename }", "variables": []}
        assert (await api.http.post("/graphql", json=odd)).status_code == 400
        big = {"query": "{ __typename }", "variables": {"x": "x" * 3_000_000}}
        assert (await api.http.post("/graphql", json=big)).status_code == 413
        assert (await api.http.get("/graphql", params={"query": "{ __typename }"})).status_code == 405
        listing = "{ allNodes(sessionId: $id, %s) { totalCount } }"
        session_id = await api.create()
        for paging in ("first: -1", "first: 501", 'after: "x"', 'after: ""', "first: 0"):
            result = await api.post("query($id: ID!) " + listing % paging, id=session_id)
            assert result["errors"][0]["extensions"]["code"] in ("INVALID_INPUT", "INVALID_CURSOR"), paging


async def test_a_name_of_another_host_or_page_is_refused(strict: Server) -> None:
    async with client(strict) as api:
        body: dict[str, Any] = {"query": QUERY, "variables": {"id": NOWHERE}}
        assert (await api.http.post("/graphql", json=body, headers={"Host": "evil.example"})).status_code == 400
        other_page = {"Origin": "https://evil.example"}
        assert (await api.http.post("/graphql", json=body, headers=other_page)).status_code == 403
        assert (await api.http.post("/graphql", json=body)).json() == {"data": {"session": None}}
