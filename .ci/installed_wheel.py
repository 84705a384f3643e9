"""Run by the Python of an environment in which the wheel was installed: it holds all it needs, and serves its page.

No Node has to be on the path, and the folder of the checkout must not be the current one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

import graph_session
from graph_session.api.web import FOLDER
from graph_session.resources import cypher_dir, neo4j_browser_dir, schema_text

PACKAGE = Path(graph_session.__file__).parent


def check_files() -> None:
    assert Path(sys.prefix) in PACKAGE.parents, PACKAGE
    assert PACKAGE == Path(str(cypher_dir())).parent == FOLDER.parent
    assert any(it.name.endswith(".cypher") for it in cypher_dir().iterdir())
    assert "type Query" in schema_text()
    for name in ("guide.html", "graph_session.grass", "favorites.zip"):
        assert neo4j_browser_dir().joinpath(name).is_file(), name
    assert {it.name for it in FOLDER.iterdir()} == {"index.html", "assets"}
    strays = [it for it in PACKAGE.rglob("*") if it.name in ("node_modules", "package.json") or it.suffix == ".tsx"]
    assert not strays, strays


def check_server(home: str) -> None:
    assert shutil.which("node") is None
    environment = {"PATH": os.environ["PATH"], "GRAPH_SESSION_HOME": home}
    command = [str(Path(sys.executable).with_name("graph-session")), "serve", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/$", said.strip())
            assert address, f"the server does not say first where the page is: {said}"
            page = read(address[0])
            assert '<div id="root">' in page
            assert read(f"{address[0]}s/some/n/thing") == page
            scripts = re.findall(r'src="/(assets/[^"]+\.js)"', page)
            assert scripts, page
            for script in scripts:
                assert read(address[0] + script)
            answer = read(f"{address[0]}graphql", b'{"query": "{ __typename }"}')
            assert answer == '{"data":{"__typename":"Query"}}', answer
        finally:
            server.terminate()
    assert server.returncode == 0


def read(url: str, data: bytes | None = None) -> str:
    with urlopen(Request(url, data, {"Content-Type": "application/json"}), timeout=30) as response:  # noqa: S310
        text: str = response.read().decode()
        return text


if __name__ == "__main__":
    check_files()
    with tempfile.TemporaryDirectory() as home:
        check_server(home)
