"""The Cypher files: found by name, checked when they are loaded, understood by every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_session.storage.engines import Dialect, Endpoint, connect
from graph_session.storage.graph import statements as module
from graph_session.storage.graph.database import _checked
from graph_session.storage.graph.migrations import NativeSql, migrations
from graph_session.storage.graph.statements import (
    Access,
    BadStatement,
    UnknownStatement,
    parse,
    statement,
    statements,
)
from graph_session.storage.graph.store import open_graph


def test_a_statement_is_sent_as_it_stands_in_its_file() -> None:
    text = "// find (READ): finds. $ignored\nMATCH (n {id: $id}) // not $this\nWHERE n.x = $x RETURN n\n"
    found = parse("find", text)
    assert (found.name, found.access, found.text) == ("find", Access.READ, text)
    assert found.parameters == {"id", "x"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RETURN 1",
        "// find: finds\nRETURN 1",
        "// find (ADMIN): finds\nRETURN 1",
        "// other (READ): finds\nRETURN 1",
        "\n// find (READ): finds\nRETURN 1",
    ],
)
def test_a_file_must_say_its_name_and_whether_it_writes(text: str) -> None:
    with pytest.raises(BadStatement, match=r"find\.cypher must begin with"):
        parse("find", text)


def test_a_name_that_is_not_there_gives_those_that_are() -> None:
    with pytest.raises(UnknownStatement, match=r"no statement 'pong'; there are .*ping.*"):
        statement("pong", Dialect.NEO4J)


@pytest.mark.parametrize(("dialect", "sent"), [(Dialect.NEO4J, "2"), (Dialect.ARCADEDB, "1")])
def test_a_variant_for_a_dialect_takes_the_place_of_the_common_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: Dialect, sent: str
) -> None:
    (tmp_path / "one.cypher").write_text("// one (READ): for all\nRETURN 1")
    (tmp_path / "one.neo4j.cypher").write_text("// one (READ): for Neo4j\nRETURN 2")
    (tmp_path / "README.md").write_text("no statement")
    monkeypatch.setattr(module, "cypher_dir", lambda: tmp_path)
    statements.cache_clear()
    try:
        assert statements(dialect).keys() == {"one"}
        assert statement("one", dialect).text.endswith(f"RETURN {sent}")
    finally:
        statements.cache_clear()


def test_a_statement_that_is_called_with_other_parameters_is_refused_before_it_is_sent() -> None:
    with pytest.raises(TypeError, match=r"session_read takes \['session_id'\], not \['id'\]"):
        _checked("session_read", Dialect.NEO4J, {"id": "s"})


async def test_every_engine_understands_every_statement(endpoint: Endpoint) -> None:
    await (await open_graph(endpoint)).close()
    texts = {name: found.text for name, found in statements(endpoint.dialect).items()}
    for step in migrations(endpoint.dialect):
        # What is in the engine's own SQL has run when the storage was opened.
        cypher = [text for text in step.statements if not isinstance(text, NativeSql)]
        texts |= {f"{step.name} {number}": text for number, text in enumerate(cypher)}
    async with await connect(endpoint) as driver, driver.session(database=endpoint.database) as session:
        for name, text in texts.items():
            # The embedded engine takes EXPLAIN only as the first word of what is left without comments.
            bare = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
            summary = await (await session.run(f"EXPLAIN {bare}", dict.fromkeys(_parameters(text)))).consume()
            assert summary.plan is not None or "CREATE" in bare, name


def _parameters(text: str) -> frozenset[str]:
    return parse("any", f"// any (READ): any\n{text}").parameters
