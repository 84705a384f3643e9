"""docker-compose.yml and the Dockerfile, as far as they can be checked without a Docker engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

_CHECKOUT = Path(__file__).resolve().parents[1]
_COMPOSE = _CHECKOUT / "docker-compose.yml"
_SECRETS = {"NEO4J_PASSWORD": "a-password", "GRAPH_SESSION_TOKEN": "a-token"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load(_COMPOSE.read_text(encoding="utf-8"))
    found: dict[str, Any] = parsed["services"]
    assert set(found) == {"neo4j", "server"}
    return found


def test_the_database_is_neo4j_with_its_data_on_a_named_volume(services: dict[str, Any]) -> None:
    neo4j = services["neo4j"]
    assert neo4j["image"] == "neo4j:5.26-community"
    volume, _, mounted = neo4j["volumes"][0].partition(":")
    assert mounted == "/data"
    assert volume in yaml.safe_load(_COMPOSE.read_text(encoding="utf-8"))["volumes"]
    # Only the server has to reach it.
    assert "ports" not in neo4j


def test_both_say_whether_they_are_well_and_the_server_waits(services: dict[str, Any]) -> None:
    assert all(service["healthcheck"]["test"] for service in services.values())
    assert services["server"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


def test_the_health_check_of_the_server_is_a_program(services: dict[str, Any]) -> None:
    command, option, program = services["server"]["healthcheck"]["test"][1:]
    assert (command, option) == ("python", "-c")
    compile(program, "healthcheck", "exec")


def test_no_secret_has_a_default(services: dict[str, Any]) -> None:
    text = _COMPOSE.read_text(encoding="utf-8")
    for name in _SECRETS:
        assert f"${{{name}:?" in text
        assert not re.search(rf"\${{{name}(:?-|}})", text)
    assert services["server"]["environment"]["GRAPH_SESSION_HOST"] == "0.0.0.0"  # noqa: S104 - in a container
    assert services["server"]["environment"]["GRAPH_SESSION_TOKEN"]


def test_only_this_machine_reaches_it_unless_asked(services: dict[str, Any]) -> None:
    assert services["server"]["ports"] == ["${PUBLISH:-127.0.0.1}:${PORT:-8000}:8000"]


def test_the_image_runs_the_wheel_with_its_page_as_an_ordinary_user() -> None:
    lines = (_CHECKOUT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "USER app" in lines
    assert any(line.startswith("FROM node:") and line.endswith(" AS page") for line in lines)
    assert "COPY --from=page /src/graph_session/web graph_session/web" in lines
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            for source in sources:
                assert (_CHECKOUT / source).exists(), f"the Dockerfile copies {source}"


def _compose(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode != 0:
        pytest.skip("there is no `docker compose` here to read docker-compose.yml")
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [docker, "compose", "--env-file", os.devnull, "-f", str(_COMPOSE), "config", "--quiet"]
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True)


def test_docker_compose_accepts_it() -> None:
    done = _compose(_SECRETS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("secret", _SECRETS)
def test_docker_compose_refuses_it_without_a_secret(secret: str) -> None:
    done = _compose({name: value for name, value in _SECRETS.items() if name != secret})
    assert done.returncode != 0
    assert secret in done.stderr
