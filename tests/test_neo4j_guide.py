"""The queries for Neo4j Browser are the same wherever they are shown, and are written so that it takes them."""

from __future__ import annotations

import io
import re
import zipfile
from html.parser import HTMLParser

import pytest

from graph_session.api.neo4j_browser import PATH, SHOWN_ADDRESS
from tests.support.neo4j_guide import (
    FAVORITES,
    GUIDE,
    IMAGES,
    PAGE,
    STYLE,
    Query,
    favorites,
    guide,
    page,
    parse_style,
    queries,
)

QUERIES = queries()
MAKE = "run: python -m tests.support.neo4j_guide"


class _Links(HTMLParser):
    """What clicks in a guide do."""

    def __init__(self) -> None:
        super().__init__()
        self.populate: list[str] = []
        self.execute: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.populate += filter(None, [given.get("data-populate")])
        self.execute += filter(None, [given.get("data-exec")])


def _links() -> _Links:
    links = _Links()
    links.feed(GUIDE.read_text(encoding="utf-8"))
    return links


def test_what_is_made_from_the_queries_is_in_step() -> None:
    assert GUIDE.read_text(encoding="utf-8") == guide(), MAKE
    assert FAVORITES.read_bytes() == favorites(), MAKE
    assert PAGE.read_text(encoding="utf-8") == page(PAGE.read_text(encoding="utf-8")), MAKE


def test_guide_favourites_and_page_have_the_same_queries() -> None:
    assert _links().populate == [query.text.rstrip() for query in QUERIES]
    archive = zipfile.ZipFile(io.BytesIO(FAVORITES.read_bytes()))
    assert [archive.read(name).decode() for name in archive.namelist()] == _links().populate
    shown = re.findall(r"^```cypher\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [text.rstrip() for text in shown] == [query.statement.rstrip() for query in QUERIES]


def test_the_readme_sends_to_the_page_and_has_no_queries_of_its_own() -> None:
    readme = (PAGE.parents[1] / "README.md").read_text(encoding="utf-8")
    assert "(docs/neo4j-browser.md)" in readme
    assert "```cypher" not in readme


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_a_query_says_what_it_returns(query: Query) -> None:
    """Its first line is what Neo4j Browser calls a favourite, so titles sort as the files do."""
    assert query.title[:2] == query.name[:2]
    assert re.match(r"(Lists|Draws) ", query.says)
    assert query.says.endswith(".")
    assert query.text.endswith("\n")
    assert ";\n" not in query.text


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_neo4j_browser_leaves_a_query_as_it_is(query: Query) -> None:
    """It takes what looks like a handler of events (` on… = …`) out of a guide, and knows no escapes in a .cypher."""
    assert not re.search(r"\s(on[^\s=]+)\s*=\s*", query.text, re.IGNORECASE)
    assert "javascript:" not in query.text.lower()


def test_the_style_is_what_neo4j_browser_can_read() -> None:
    """It knows no comments, and splits at every colon and semicolon."""
    text = STYLE.read_text(encoding="utf-8")
    assert "/*" not in text
    for line in text.splitlines():
        assert re.fullmatch(r"[\w.]+ \{|\}|  [\w-]+: (#[0-9A-F]{6}|\d+px|'[^':;]*');", line), line
    assert sum(map(len, parse_style(text).values())) == text.count(";\n")


def test_the_guide_loads_the_style_from_the_server_it_came_from() -> None:
    assert _links().execute == [f"style {SHOWN_ADDRESS}{PATH}{STYLE.name}"]
    assert f":guide {SHOWN_ADDRESS}{PATH}{GUIDE.name}\n" in PAGE.read_text(encoding="utf-8")
    assert f":style {SHOWN_ADDRESS}{PATH}{STYLE.name}\n" in PAGE.read_text(encoding="utf-8")


def test_every_picture_is_shown_and_small() -> None:
    shown = set(re.findall(r"\]\(images/([\w.-]+)\)", PAGE.read_text(encoding="utf-8")))
    pictures = {file.name: file.stat().st_size for file in IMAGES.glob("neo4j-browser-*.png")}
    assert shown == pictures.keys()
    assert max(pictures.values()) < 300_000
