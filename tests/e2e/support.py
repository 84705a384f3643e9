"""The real program, as processes of their own, and clients that speak to them as a user's would: HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

from tests.api.support import Socket, open_socket

ROOT = Path(__file__).resolve().parents[2]
START_DEADLINE = 90.0
_OURS = re.compile(r"(GRAPH_SESSION|NEO4J|ANTHROPIC)_")
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:(\d+)/")

SESSION = "id name leafId rootNodeId revision nodeCount entryCount updatedAt"
NODE = """nodeId parentNodeId childrenNodeIds userContent aiContent createTime status isSummaryAnchor anchorSummary
  nodeSummary summaryState summaryError label model error"""
FAILURE = "... on Failure { message code }"
CONFLICT = "... on LeafConflict { leafId }"
INVALID = "... on InvalidInput { field }"
MISSING = "... on NotFound { id }"
ANSWERED = f"""__typename
  ... on AskPayload {{ newNodeId aiAnswer node {{ {NODE} }} session {{ {SESSION} }} }}
  ... on ModelFailure {{ retryable failed: node {{ {NODE} }} }}
  ... on InvalidActivePath {{ badId activePath }}
  {CONFLICT} {INVALID} {MISSING} {FAILURE}"""
ASK = f"mutation Ask($input: AskInput!) {{ ask(input: $input) {{ {ANSWERED} }} }}"
REGENERATE = f"mutation($id: ID!, $wait: Boolean!) {{ regenerate(nodeId: $id, wait: $wait) {{ {ANSWERED} }} }}"
CREATE = f"""mutation($input: CreateSessionInput!) {{ createSession(input: $input) {{
  __typename ... on CreateSessionPayload {{ session {{ {SESSION} }} }} {INVALID} {FAILURE} }} }}"""
CANCEL = f"""mutation($id: ID!) {{ cancelAnswer(nodeId: $id) {{
  __typename ... on CancelAnswerPayload {{ node {{ {NODE} }} }} {MISSING} {FAILURE} }} }}"""
FORK = f"""mutation($input: ForkInput!) {{ fork(input: $input) {{
  __typename ... on ForkPayload {{ leafId activePath editText session {{ {SESSION} }} }}
  {CONFLICT} {INVALID} {MISSING} {FAILURE} }} }}"""
MOVE = f"""mutation($session: ID!, $entry: ID, $expected: ID) {{
  moveLeaf(sessionId: $session, entryId: $entry, expectedLeaf: $expected) {{
  __typename ... on MoveLeafPayload {{ activePath session {{ {SESSION} }} }} {CONFLICT} {MISSING} {FAILURE} }} }}"""
DELETE = f"""mutation($id: ID!) {{ deleteSession(id: $id) {{
  __typename ... on DeleteSessionPayload {{ id }} {FAILURE} }} }}"""
RETRY = f"""mutation($id: ID!) {{ retrySummary(nodeId: $id) {{
  __typename ... on RetrySummaryPayload {{ node {{ {NODE} }} }} {FAILURE} }} }}"""
CONTEXT = """query($session: ID!, $path: [ID!], $entry: ID, $question: String) {
  context(sessionId: $session, activePath: $path, entryId: $entry, question: $question) {
    boundaryId totalTokens fullHistoryTokens omitted { entryId reason }
    messages { role text source nodeId entryIds tokens } } }"""
ALL_NODES = f"""query($session: ID!, $first: Int!, $after: String) {{
  allNodes(sessionId: $session, first: $first, after: $after) {{
  totalCount edges {{ cursor node {{ {NODE} }} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
ANSWER = f"""subscription($node: ID!, $after: Int!) {{ answer(nodeId: $node, afterSequence: $after) {{
  __typename nodeId sequence
  ... on AnswerDelta {{ text thinking }}
  ... on AnswerDone {{ node {{ {NODE} }} }}
  ... on AnswerFailed {{ code message node {{ {NODE} }} }} }} }}"""
SUMMARIES = f"""subscription($session: ID!, $after: Int) {{
  summaryCompleted(sessionId: $session, afterRevision: $after) {{
  nodeId kind state summary revision node {{ {NODE} }} }} }}"""


class Server:
    """One `graph-session serve` process (or another command) with the given settings and no others of this machine.

    checkout: whose package it runs.
    """

    def __init__(
        self, settings: Mapping[str, str], *arguments: str, command: str = "serve", port: int = 0, checkout: Path = ROOT
    ) -> None:
        self._checkout = checkout
        self._command = [sys.executable, "-m", "graph_session", command, *arguments]
        if command == "serve":
            self._command += ["--port", str(port)]
        inherited = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
        self._env = {**inherited, "PYTHONPATH": str(checkout), "PYTHONUNBUFFERED": "1", **settings}
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.announced = ""
        self.log = ""

    def start(self) -> Self:
        """Start, and return when the process has said that it is there."""
        # For the test that fails before it comes to its own end.
        atexit.register(self.kill)
        self._process = process = subprocess.Popen(
            self._command,
            env=self._env,
            cwd=self._checkout,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._stderr(),
        )
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], START_DEADLINE)
        first = process.stdout.readline() if ready else b""
        if not first:
            self.kill()
            raise AssertionError(f"the server did not start: {self.log}")
        self.announced = first.decode()
        address = _ADDRESS.search(first)
        self.port = int(address[1]) if address else 0
        return self

    def next_line(self) -> str:
        """What it has said after `announced`."""
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode()

    def run(self, seconds: float = START_DEADLINE) -> tuple[int, str, str]:
        """Run a command that ends by itself: exit code, stdout, stderr."""
        done = subprocess.run(
            self._command,
            env=self._env,
            cwd=self._checkout,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._ended()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Ask the process to end: the exit code, and how long it took."""
        assert self._process is not None
        begin = time.monotonic()
        self._process.send_signal(number)
        try:
            code = self._process.wait(20)
        finally:
            self.kill()
        return code, time.monotonic() - begin

    def output(self) -> str:
        """All that the process has logged."""
        self._errors.flush()
        return Path(self._errors.name).read_text(encoding="utf-8")

    def _stderr(self) -> Any:
        self._errors = tempfile.NamedTemporaryFile(mode="w+b", suffix=".log")  # noqa: SIM115 - closed in _ended
        return self._errors

    def _ended(self) -> None:
        assert self._process is not None
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self.log += self.output()
        self._errors.close()
        self._process = None
        atexit.unregister(self.kill)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()
        if error is None:
            assert "Traceback" not in self.log, self.log


class Api:
    """GraphQL over HTTP to one server, and the operations that the tests need most."""

    def __init__(self, http: httpx2.AsyncClient, port: int) -> None:
        self.http = http
        self.port = port

    async def post(self, query: str, **variables: Any) -> Any:
        """The whole JSON of one operation."""
        response = await self.http.post("/graphql", json={"query": query, "variables": variables})
        return response.json()

    async def run(self, query: str, **variables: Any) -> Any:
        """The data of one operation that has no errors; of its only field, if there is one."""
        result = await self.post(query, **variables)
        assert "errors" not in result, result["errors"]
        data = result["data"]
        return next(iter(data.values())) if len(data) == 1 else data

    async def create(self, **input: Any) -> str:
        made = await self.run(CREATE, input=input)
        assert made["__typename"] == "CreateSessionPayload", made
        session_id: str = made["session"]["id"]
        return session_id

    async def try_ask(self, session_id: str, path: list[str], question: str, **more: Any) -> Any:
        """The result of an ask, whatever it is."""
        asking = {"sessionId": session_id, "activePath": path, "userQuestion": question, **more}
        return await self.run(ASK, input=asking)

    async def ask(self, session_id: str, path: list[str], question: str, **more: Any) -> Any:
        """The payload of an ask that succeeds."""
        result = await self.try_ask(session_id, path, question, **more)
        assert result["__typename"] == "AskPayload", result
        return result

    async def line(self, session_id: str, path: list[str], questions: list[str]) -> list[str]:
        """Ask one question below the other; the path after them."""
        for question in questions:
            path = [*path, (await self.ask(session_id, path, question))["newNodeId"]]
        return path

    async def session(self, session_id: str) -> Any:
        return await self.run(f"query($id: ID!) {{ session(id: $id) {{ {SESSION} }} }}", id=session_id)

    async def node(self, node_id: str) -> Any:
        return await self.run(f"query($id: ID!) {{ node(nodeId: $id) {{ {NODE} }} }}", id=node_id)

    async def nodes(self, session_id: str, page: int = 500) -> list[Any]:
        """All nodes of a session, page by page."""
        found: list[Any] = []
        after = None
        while True:
            got = await self.run(ALL_NODES, session=session_id, first=page, after=after)
            found += [edge["node"] for edge in got["edges"]]
            after = got["pageInfo"]["endCursor"]
            if not got["pageInfo"]["hasNextPage"]:
                return found

    async def active_path(self, session_id: str) -> list[str]:
        path: list[str] = await self.run("query($id: ID!) { activePath(sessionId: $id) }", id=session_id)
        return path

    async def context(self, session_id: str, **where: Any) -> Any:
        return await self.run(CONTEXT, session=session_id, **where)

    async def summarised(self, session_id: str, seconds: float = 30) -> list[Any]:
        """All nodes, when no summary is due or being made any more."""
        async with asyncio.timeout(seconds):
            while True:
                nodes = await self.nodes(session_id)
                if not any(node["summaryState"] in ("PENDING", "RUNNING") for node in nodes):
                    return nodes
                await asyncio.sleep(0.1)

    async def settled(self, session_id: str, boundary_id: str, seconds: float = 20) -> None:
        """Waits until the context at the leaf begins at a summary."""
        async with asyncio.timeout(seconds):
            while True:
                if (await self.context(session_id))["boundaryId"] == boundary_id:
                    return
                await asyncio.sleep(0.05)

    async def begun(self, session_id: str) -> Any:
        """The first node of a session, when there is one."""
        async with asyncio.timeout(10):
            while True:
                nodes = await self.nodes(session_id)
                if nodes:
                    return nodes[0]
                await asyncio.sleep(0.02)

    async def ended(self, node_id: str, seconds: float = 20) -> Any:
        """The node when its answer has ended."""
        async with asyncio.timeout(seconds):
            while True:
                node = await self.node(node_id)
                if node["status"] != "RUNNING":
                    return node
                await asyncio.sleep(0.05)

    async def written_down(self, node_id: str, text: str, seconds: float = 20) -> None:
        """Waits until this much of an answer is stored, so that a server that dies does not take it along."""
        async with asyncio.timeout(seconds):
            while True:
                if text in (await self.node(node_id))["aiContent"]:
                    return
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def client(server: Server, *, token: str | None = None, seconds: float = 60) -> AsyncIterator[Api]:
    """A client of a running server."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    base = f"http://127.0.0.1:{server.port}"
    async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=seconds, trust_env=False) as http:
        yield Api(http, server.port)


async def follow(socket: Socket, node_id: str, after: int = 0, id: str = "1") -> list[Any]:
    """The events of an answer up to its end."""
    frames = await socket.run(ANSWER, id, node=node_id, after=after)
    assert frames[-1]["type"] == "complete", frames[-1]
    return [frame["payload"]["data"]["answer"] for frame in frames[:-1]]


def text_of(events: list[Any]) -> str:
    """The text that the deltas put together."""
    return "".join(event["text"] for event in events if event["__typename"] == "AnswerDelta" and not event["thinking"])


def check_tree(nodes: list[Any]) -> None:
    """What holds for the nodes of every session: ids once, parents before children, children as the parents say."""
    by_id = {node["nodeId"]: node for node in nodes}
    assert len(by_id) == len(nodes)
    seen: set[str] = set()
    below: dict[str, list[str]] = {}
    for node in nodes:
        parent = node["parentNodeId"]
        assert parent is None or parent in seen
        seen.add(node["nodeId"])
        if parent is not None:
            below.setdefault(parent, []).append(node["nodeId"])
    for node in nodes:
        assert node["childrenNodeIds"] == below.get(node["nodeId"], [])


__all__ = ["Api", "Server", "Socket", "client", "follow", "open_socket"]
