"""What Neo4j Browser, a page of another origin, loads from the server."""

from __future__ import annotations

import io
import zipfile

import pytest

from graph_session.api.neo4j_browser import MEDIA_TYPES, PATH, SHOWN_ADDRESS
from graph_session.resources import neo4j_browser_dir
from tests.api.support import client, make_app

pytestmark = pytest.mark.anyio

ORIGIN = {"origin": "http://localhost:7474"}
GUIDE = f"{PATH}guide.html"


@pytest.mark.parametrize("name", MEDIA_TYPES)
async def test_the_files_are_open_to_every_origin_and_need_no_token(name: str) -> None:
    async with client(make_app(token="t")) as http:
        asked = {"access-control-request-method": "GET", "access-control-request-headers": "cache-control,pragma,own"}
        preflight = await http.options(PATH + name, headers=ORIGIN | asked)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == "*"
        assert preflight.headers["access-control-allow-headers"] == asked["access-control-request-headers"]
        found = await http.get(PATH + name, headers=ORIGIN)
        assert found.status_code == 200
        assert found.headers["access-control-allow-origin"] == "*"
        assert found.headers["content-type"].startswith(MEDIA_TYPES[name])
        # Credentials are not for pages that may be anybody's.
        assert "access-control-allow-credentials" not in found.headers
        assert (await http.head(PATH + name)).status_code == 200


async def test_the_guide_names_the_style_by_the_address_that_it_came_from() -> None:
    async with client(make_app()) as http:
        found = (await http.get(GUIDE, headers={"host": "localhost:8123"})).text
        assert f"style http://localhost:8123{PATH}graph_session.grass" in found
        assert SHOWN_ADDRESS not in found
        original = neo4j_browser_dir().joinpath("guide.html").read_text(encoding="utf-8")
        assert found == original.replace(SHOWN_ADDRESS, "http://localhost:8123")
        style = await http.get(f"{PATH}graph_session.grass")
        assert style.text == neo4j_browser_dir().joinpath("graph_session.grass").read_text(encoding="utf-8")
        archive = zipfile.ZipFile(io.BytesIO((await http.get(f"{PATH}favorites.zip")).content))
        assert archive.testzip() is None


@pytest.mark.parametrize("path", ["/neo4j-browser", PATH, f"{PATH}queries/01_sessions.cypher", f"{PATH}../guide.html"])
async def test_nothing_else_is_open_there(path: str) -> None:
    async with client(make_app(token="t")) as http:
        response = await http.get(path, headers=ORIGIN)
        assert response.status_code == 401
        assert "access-control-allow-origin" not in response.headers
    async with client(make_app()) as http:
        assert (await http.get(path)).status_code == 404


async def test_the_files_can_only_be_read_and_only_under_a_name_of_the_server() -> None:
    async with client(make_app(token="t")) as http:
        assert (await http.post(GUIDE, headers=ORIGIN)).status_code == 403
        assert (await http.get(GUIDE, headers={"host": "evil.example"})).status_code == 400
