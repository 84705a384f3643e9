"""How the page is built: what is installed for it, and when `make` does so."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.support import ROOT
from tests.web.support import WEB, environment

PAGE = "graph_session/web/index.html"
INSTALL, BUILD = "npm ci --no-progress", "npm run --silent build"

_NPM = """#!/bin/sh
echo "npm $*" >> "$LOG"
case "$*" in *build*) [ -z "$BROKEN" ] && mkdir -p ../graph_session/web && touch ../graph_session/web/index.html;;
*) mkdir -p node_modules;; esac
"""
_SERVER = """#!/bin/sh
echo "graph-session $*" >> "$LOG"
"""


def test_the_lock_names_no_registry_and_has_a_checksum_for_everything() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    installed = {name: package for name, package in lock["packages"].items() if name}
    assert len(installed) > 100
    assert [name for name, package in installed.items() if "resolved" in package] == []
    assert [name for name, package in installed.items() if not package.get("integrity")] == []


def test_every_version_is_pinned_and_content_with_the_node_that_is_asked_for() -> None:
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert package["engines"]["node"] == ">=20.19"
    versions = {**package["dependencies"], **package["devDependencies"], **package["overrides"]}
    assert {name: it for name, it in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+|\$\w+", it)} == {}
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    wanted = {name: str(it.get("engines", {}).get("node", "")) for name, it in lock["packages"].items()}
    assert [it for it in wanted.items() if re.match(r"[>=^ ]*2[1-9]", it[1]) and "20." not in it[1]] == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a Node, an npm and a server that only note how they are called."""
    for name in ("Makefile", "schema.graphql", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(WEB, tmp_path / "web", ignore=shutil.ignore_patterns("node_modules", "generated"))
    programs = {
        "node/node": "#!/bin/sh\nexit $OLD\n",
        "node/npm": _NPM,
        "bin/python": "#!/bin/sh\n",
        "bin/graph-session": _SERVER,
    }
    for name, text in programs.items():
        program = tmp_path / ".venv" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
    (tmp_path / ".venv" / "installed").touch()
    return tmp_path


def made(checkout: Path, target: str, **settings: str) -> list[str]:
    """What `make` ran, in its order."""
    log = checkout / "log"
    log.write_text("", encoding="utf-8")
    env = {**environment(), "LOG": str(log), "OLD": "0", "BROKEN": "", **settings}
    done = subprocess.run(["make", "--silent", target], cwd=checkout, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return log.read_text(encoding="utf-8").splitlines()


def test_the_page_is_built_when_something_it_is_made_of_has_changed(checkout: Path) -> None:
    assert made(checkout, "web") == [INSTALL, BUILD]
    assert made(checkout, "web") == []
    for changed in ("web/src/main.tsx", "web/index.html", "web/public/assets/icon.svg", "schema.graphql"):
        saved(checkout / changed, checkout)
        assert made(checkout, "web") == [BUILD], changed
    saved(checkout / "web" / "src" / "extra.ts", checkout)
    assert made(checkout, "web") == [BUILD]
    saved(checkout / "README.md", checkout)
    assert made(checkout, "web") == []
    (checkout / "web" / "src" / "extra.ts").unlink()
    assert made(checkout, "web") == [BUILD]
    saved(checkout / "web" / "package-lock.json", checkout)
    assert made(checkout, "web") == [INSTALL, BUILD]
    (checkout / PAGE).unlink()
    assert made(checkout, "web") == [BUILD]
    assert made(checkout, "web") == []


def test_make_run_builds_the_page_first_where_there_is_a_node(checkout: Path) -> None:
    serve = "graph-session serve --port 8000"
    assert made(checkout, "run") == [INSTALL, BUILD, serve]
    assert made(checkout, "run") == [serve]


def test_make_run_serves_without_a_node_that_is_new_enough(checkout: Path) -> None:
    assert made(checkout, "run", OLD="1", PORT="9000") == ["graph-session serve --port 9000"]


def test_make_run_serves_when_the_page_cannot_be_built(checkout: Path) -> None:
    assert made(checkout, "run", BROKEN="1") == [INSTALL, BUILD, "graph-session serve --port 8000"]


def saved(file: Path, checkout: Path) -> None:
    """As if the file was saved, a while after all else."""
    for it in checkout.rglob("*"):
        os.utime(it, ns=(it.stat().st_atime_ns, it.stat().st_mtime_ns - 10**10))
    file.write_bytes(file.read_bytes() if file.exists() else b"")
