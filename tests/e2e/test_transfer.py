"""The commands verify, export and import, run as a user runs them, and the same over GraphQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from graph_session.api.connection import encode_cursor
from graph_session.domain.ids import new_id
from graph_session.storage.engines import Dialect, EmbeddedEngine
from graph_session.storage.graph.migrations import migrations
from tests.e2e.support import FAILURE, ROOT, Server, client
from tests.interchange.files import HEAD, lines, said


def _run(home: Mapping[str, str], *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, standard output and standard error of a command."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GRAPH_SESSION", "NEO4J"))}
    done = subprocess.run(
        [sys.executable, "-m", "graph_session", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**inherited, "PYTHONPATH": str(ROOT), **home},
    )
    return done.returncode, done.stdout, done.stderr.decode()


def _file(*forms: dict[str, Any], **head: Any) -> bytes:
    return lines({**HEAD, "formatVersion": 1, "id": new_id(), **head}, *forms)


def test_a_session_goes_out_and_in(home: Mapping[str, str], tmp_path: Path) -> None:
    session, first = new_id(), new_id()
    given = tmp_path / "given.jsonl"
    given.write_bytes(_file(said(first, None), said(new_id(), first), id=session, name="图"))
    code, out, err = _run(home, "import", str(given))
    assert (code, out) == (0, f"{session}\n".encode())
    assert err == f"imported {given} (graph_session): 2 entries\n"

    code, exported, err = _run(home, "export", session)
    assert (code, err) == (0, f"exported {session}: 2 entries\n")
    assert orjson.loads(exported.splitlines()[0])["name"] == "图"

    code, out, err = _run(home, "import", str(given))
    assert (code, out) == (1, b"")
    assert err.startswith(f"graph-session: {given}: There is a session {session} already.")

    other = {"GRAPH_SESSION_HOME": str(tmp_path / "other")}
    assert _run(other, "import", "-", stdin=exported)[:2] == (0, f"{session}\n".encode())
    assert _run(other, "export", session)[1] == exported

    code, out, _ = _run(home, "import", "--new-id", str(given))
    assert code == 0
    assert out.decode().strip() not in ("", session)
    assert _run(home, "verify") == (0, b"2 sessions, 4 entries: no problem\n", "")
    assert _run(home, "verify", session) == (0, b"1 sessions, 2 entries: no problem\n", "")


def test_what_is_wrong_with_files_is_said_by_line(home: Mapping[str, str], tmp_path: Path) -> None:
    bad, missing, empty = tmp_path / "bad.jsonl", tmp_path / "missing.jsonl", tmp_path / "empty.jsonl"
    bad.write_bytes(_file(said(new_id(), None)) + b"{cut")
    empty.touch()
    code, out, err = _run(home, "import", str(missing), str(empty), str(bad))
    assert code == 1
    assert len(out.splitlines()) == 1
    assert f"graph-session: {missing}: No such file or directory" in err
    assert f"graph-session: {empty}: The file is empty" in err
    assert f"{bad}:3: DAMAGED_LINE: The line is cut or not JSON; it was left out." in err
    assert f"imported {bad} (graph_session): 1 entries, 1 places where something was left out" in err
    assert _run(home, "import", str(bad), "--format", "word")[0] == 1


def test_verify_finds_what_was_changed_behind_its_back(home: Mapping[str, str]) -> None:
    session, entry = new_id(), new_id()
    assert _run(home, "import", "-", stdin=_file(said(entry, None), id=session))[0] == 0
    with EmbeddedEngine.start(Path(home["GRAPH_SESSION_HOME"])) as engine:
        engine.command(f"UPDATE Entry SET text = 'never said' WHERE id = '{entry}'")  # noqa: S608 - an id of ours
    code, out, _ = _run(home, "verify")
    assert code == 1
    first, last = out.decode().splitlines()
    assert first.startswith(f"{session} entry {entry}: error HASH_MISMATCH: ")
    assert last == "1 sessions, 1 entries: 1 problems"
    code, out, err = _run(home, "verify", "nobody")
    assert (code, out, err) == (1, b"", "graph-session: There is no session 'nobody'.\n")
    assert _run(home, "export", "nobody")[:2] == (1, b"")


def test_a_home_of_the_version_before_gets_its_index(home: Mapping[str, str]) -> None:
    """Entries that were there before the full-text index was made are found by it."""
    session, entry = new_id(), new_id()
    assert _run(home, "import", "-", stdin=_file(said(entry, None, "dragons"), id=session))[0] == 0
    search = next(step for step in migrations(Dialect.ARCADEDB) if step.name == "search")
    with EmbeddedEngine.start(Path(home["GRAPH_SESSION_HOME"])) as engine:
        engine.command("DROP INDEX `Entry[text]`")
        engine.command(f"DELETE FROM Migration WHERE version = {search.version}")  # noqa: S608 - a number
    assert _run(home, "verify")[0] == 0
    with EmbeddedEngine.start(Path(home["GRAPH_SESSION_HOME"])) as engine:
        found = engine.command("SELECT id FROM Entry WHERE SEARCH_INDEX('Entry[text]', 'dragons') = true")
    assert [row["id"] for row in found] == [entry]


IMPORT = f"""mutation($input: ImportInput!) {{ importConversation(input: $input) {{ __typename
  ... on ImportPayload {{ session {{ id entryCount leafId }}
    report {{ format filename entries problemCount problems {{ line code message lost }} }} }}
  ... on SessionExists {{ sessionId }} {FAILURE} }} }}"""
VERIFY = (
    "query($id: ID!) { verify(sessionId: $id) { ok entries problemCount problems { code entryId message severity } } }"
)
EXPORT = "query($id: ID!, $after: String) { exportSession(sessionId: $id, after: $after) { text cursor hasNext } }"
SEARCH = """query($text: String!, $session: ID, $first: Int, $after: String) {
  search(text: $text, sessionId: $session, first: $first, after: $after) {
    edges { cursor node { snippet tipIds entry { id } node { nodeId userContent } session { id } } }
    pageInfo { hasNextPage endCursor } } }"""


async def test_import_verify_and_search_over_graphql(server: Server) -> None:
    first, answered, second = new_id(), new_id(), new_id()
    reply = {
        "type": "message",
        "id": answered,
        "parentId": first,
        "timestamp": HEAD["timestamp"],
        "message": {"role": "assistant", "content": [{"type": "text", "text": "グラフデータベースは便利です"}]},
    }
    content = _file(said(first, None, "数据库 " * 50 + "zebrafish"), reply, said(second, answered, "zebras?")) + b"{"
    async with client(server) as api:
        done = await api.run(IMPORT, input={"content": content.decode(), "filename": "a.jsonl"})
        assert done["__typename"] == "ImportPayload"
        assert done["session"]["leafId"] == second
        report = done["report"]
        assert (report["format"], report["filename"], report["entries"]) == ("graph_session", "a.jsonl", 3)
        assert [(one["line"], one["code"], one["lost"]) for one in report["problems"]] == [(5, "DAMAGED_LINE", True)]
        session = done["session"]["id"]

        again = await api.run(IMPORT, input={"content": content.decode()})
        assert (again["__typename"], again["code"], again["sessionId"]) == ("SessionExists", "SESSION_EXISTS", session)

        checked = await api.run(VERIFY, id=session)
        assert checked == {"ok": True, "entries": 3, "problemCount": 0, "problems": []}

        found = (await api.run(SEARCH, text="データベース", session=session))["edges"]
        assert [edge["node"]["entry"]["id"] for edge in found] == [answered]
        assert found[0]["node"]["node"]["nodeId"] == answered
        assert found[0]["node"]["tipIds"] == [second]
        assert found[0]["node"]["session"]["id"] == session

        page = await api.run(SEARCH, text="Zebra", session=session, first=1)
        rest = await api.run(SEARCH, text="Zebra", session=session, after=page["pageInfo"]["endCursor"])
        hits = {edge["node"]["entry"]["id"]: edge["node"] for edge in page["edges"] + rest["edges"]}
        assert hits.keys() == {first, second}
        assert hits[first]["snippet"].startswith("…")
        assert hits[first]["snippet"].endswith("zebrafish")
        assert hits[first]["tipIds"] == [second]
        assert hits[first]["node"]["nodeId"] == answered
        assert (page["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"]) == (True, False)


async def test_the_pages_of_a_session_are_the_file_that_export_writes(home: Mapping[str, str]) -> None:
    session = new_id()
    ids = [new_id() for _ in range(4500)]
    forms = [said(at, above, "x" * 300) for at, above in zip(ids, [None, *ids], strict=False)]
    assert _run(home, "import", "-", stdin=_file(*forms, id=session, name="图"))[0] == 0
    with Server(home) as server:
        async with client(server) as api:
            pages, after = [], None
            while not pages or pages[-1]["hasNext"]:
                pages.append(await api.run(EXPORT, id=session, after=after))
                after = pages[-1]["cursor"]
            for variables, code in (
                ({"id": session, "after": "rubbish"}, "INVALID_CURSOR"),
                ({"id": session, "after": encode_cursor("7")}, "INVALID_INPUT"),
                ({"id": new_id()}, "NOT_FOUND"),
            ):
                (error,) = (await api.post(EXPORT, **variables))["errors"]
                assert error["extensions"]["code"] == code
    assert len(pages) == 3
    assert after is None
    code, exported, _ = _run(home, "export", session)
    assert code == 0
    assert "".join(page["text"] for page in pages).encode() == exported


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"text": " "}, "INVALID_INPUT"),
        ({"text": "x" * 1001}, "INVALID_INPUT"),
        ({"text": "x", "first": 101}, "INVALID_INPUT"),
        ({"text": "x", "after": "rubbish"}, "INVALID_CURSOR"),
        ({"text": "x", "session": "nobody"}, "NOT_FOUND"),
    ],
)
async def test_searches_that_cannot_be(server: Server, variables: dict[str, Any], code: str) -> None:
    async with client(server) as api:
        (error,) = (await api.post(SEARCH, **variables))["errors"]
        assert error["extensions"]["code"] == code
