from __future__ import annotations

from typing import Any

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st

from graph_session.api.connection import (
    MAX_PAGE,
    Connection,
    InvalidCursor,
    InvalidPageSize,
    decode_cursor,
    encode_cursor,
    page_size,
)
from tests.api.support import NAMES, Thing, ask, make_app, make_schema

pytestmark = pytest.mark.anyio

THINGS = """
    query Things($first: Int! = 2, $after: String) {
      things(first: $first, after: $after) {
        totalCount
        edges { cursor node { name } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
"""


@strawberry.type(name="SearchConnection")
class Found(Connection[Thing]):
    pass


@strawberry.type
class Root:
    @strawberry.field
    def search(self) -> Found:
        raise NotImplementedError


def test_the_generated_types_have_the_names_of_the_api() -> None:
    sdl = make_schema().as_str()
    assert "type ThingConnection {\n  edges: [ThingEdge!]!\n  pageInfo: PageInfo!" in sdl
    assert "type ThingEdge {\n  node: Thing!\n  cursor: String!\n}" in sdl


def test_a_connection_may_choose_its_name() -> None:
    sdl = strawberry.Schema(Root).as_str()
    assert "type SearchConnection {\n  edges: [ThingEdge!]!" in sdl


async def test_walking_all_pages_gives_everything_once() -> None:
    app = make_app()
    names: list[str] = []
    after: str | None = None
    pages: list[Any] = []
    while not pages or pages[-1]["pageInfo"]["hasNextPage"]:
        page = (await ask(app, THINGS, after=after))["data"]["things"]
        names += [edge["node"]["name"] for edge in page["edges"]]
        assert page["totalCount"] == len(NAMES)
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        assert page["pageInfo"]["startCursor"] == page["edges"][0]["cursor"]
        after = page["pageInfo"]["endCursor"]
        assert after == page["edges"][-1]["cursor"]
        pages.append(page)
    assert names == NAMES
    assert len(pages) == 3


async def test_an_empty_page_has_no_cursors() -> None:
    page = (await ask(make_app(), THINGS, after=encode_cursor("z")))["data"]["things"]
    assert page["edges"] == []
    assert page["pageInfo"] == {
        "hasNextPage": False,
        "hasPreviousPage": True,
        "startCursor": None,
        "endCursor": None,
    }


async def test_wrong_arguments_are_typed_errors() -> None:
    app = make_app()
    wrong_cursor = (await ask(app, THINGS, after="???"))["errors"][0]
    assert wrong_cursor["extensions"] == {"code": "INVALID_CURSOR", "field": "after"}
    too_many = (await ask(app, THINGS, first=MAX_PAGE + 1))["errors"][0]
    assert too_many["extensions"] == {"code": "INVALID_INPUT", "field": "first"}
    assert "500" in too_many["message"]


@pytest.mark.parametrize("first", [0, -1, MAX_PAGE + 1])
def test_page_size_has_bounds(first: int) -> None:
    assert page_size(1) == 1
    assert page_size(MAX_PAGE) == MAX_PAGE
    with pytest.raises(InvalidPageSize):
        page_size(first)


@given(st.text(max_size=200))
def test_cursors_go_there_and_back(position: str) -> None:
    cursor = encode_cursor(position)
    assert cursor.isascii()
    assert not set("+/=") & set(cursor)
    assert decode_cursor(cursor) == position


@given(st.text())
def test_other_text_is_no_cursor(text: str) -> None:
    try:
        position = decode_cursor(text)
    except InvalidCursor:
        return
    assert position is not None
    assert encode_cursor(position) == text


@pytest.mark.parametrize("cursor", ["", "a", "dg", "djE6YQ=", "djE6YQ==", "ZTE6YQ", "é", "A" * 5000])
def test_altered_cursors_are_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        decode_cursor(cursor)
