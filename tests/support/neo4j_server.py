"""Real Neo4j Community servers, fetched with Maven and run with Java, for tests and for demos.

By hand, with Neo4j Browser at the address it prints:
    python -m tests.support.neo4j_server 5.26 --port 7687
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graph_session.storage.engines import Endpoint, server_endpoint

_HERE = Path(__file__).resolve().parent
_CACHE = _HERE.parents[1] / ".cache" / "neo4j"
_START_DEADLINE = 120.0

# Has the kernel kill the server when the thread that started it is gone, however that came about. Done in a
# process of its own that becomes Java, since code between fork and exec is unsafe in a process with threads.
_DIE_WITH_PARENT = """
import ctypes, os, sys
parent, java = int(sys.argv[1]), sys.argv[2:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
if os.getppid() != parent:
    sys.exit("the process that wanted this server has ended")
os.execv(java[0], java)
"""

_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.lang")


class EngineMissing(Exception):
    """A server cannot run on this machine; the text is one line that says what it lacks."""


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    java: int
    main_class: str


RELEASES = {
    "5.26": Release("5.26.30", java=17, main_class="org.neo4j.server.CommunityEntryPoint"),
    "2026": Release("2026.08.1", java=21, main_class="org.neo4j.server.Neo4jCommunity"),
}


def fetch(release: Release) -> Path:
    """The folder of the release's jars, fetched with Maven the first time (about 140 MB).

    Raises EngineMissing if there is no Maven or if it fails.
    """
    folder = _CACHE / release.version
    folder.mkdir(parents=True, exist_ok=True)
    jars = folder / "lib"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if jars.is_dir():
            return jars
        maven = shutil.which("mvn")
        if maven is None:
            raise EngineMissing("Maven (mvn), which fetches the server, is not installed")
        # Under another name until it is whole, so that an interrupted fetch is not taken for a server.
        partial = folder / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        command = [
            *(maven, "-q", "-B", "-f", str(_HERE / "neo4j" / "pom.xml"), "dependency:copy-dependencies"),
            *("-DincludeScope=runtime", f"-Dneo4j.version={release.version}", f"-DoutputDirectory={partial}"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).strip().splitlines() or ["no reason given"]
            raise EngineMissing(f"Maven could not fetch Neo4j {release.version}: {lines[0]}")
        partial.rename(jars)
    return jars


def find_java(at_least: int) -> Path:
    """The `java` of the lowest version that is new enough: of JAVA_HOME*, the path, and Debian's folder.

    Raises EngineMissing if there is none.
    """
    homes = [Path(value) for name, value in sorted(os.environ.items()) if name.startswith("JAVA_HOME")]
    on_path = shutil.which("java")
    if on_path is not None:
        homes.append(Path(on_path).resolve().parents[1])
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    found = {version: home for home in reversed(homes) if (version := _java_version(home)) is not None}
    good = [version for version in found if version >= at_least]
    if not good:
        have = f"found only {', '.join(map(str, sorted(found)))}" if found else "found none"
        raise EngineMissing(f"it needs Java {at_least} or newer, {have}; JAVA_HOME may name one")
    return found[min(good)] / "bin" / "java"


def _java_version(home: Path) -> int | None:
    if not (home / "bin" / "java").is_file():
        return None
    try:
        text = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    match = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(match[1]) if match else None


class Neo4jServer:
    """One running server without authentication, on loopback ports, with data that goes when it stops."""

    def __init__(self, process: subprocess.Popen[bytes], home: Path, bolt_port: int, http_port: int) -> None:
        self._process = process
        self._home = home
        self.endpoint: Endpoint = server_endpoint(f"bolt://127.0.0.1:{bolt_port}", "", "", "neo4j")
        self.browser = f"http://127.0.0.1:{http_port}/browser/"

    @classmethod
    def start(cls, release: Release, bolt_port: int | None = None) -> Self:
        """Fetch the release if need be, start it, and return when it answers (6 to 15 s).

        Raises EngineMissing if it cannot be had or does not come up.
        """
        java = find_java(release.java)
        jars = fetch(release)
        bolt_port = bolt_port or _free_port()
        http_port = _free_port()
        home = Path(tempfile.mkdtemp(prefix="neo4j-for-tests-"))
        _configure(home, bolt_port, http_port)
        command = [
            *(str(java), "-Xmx512m", "-XX:+UseSerialGC", *(f"--add-opens={it}=ALL-UNNAMED" for it in _OPENS)),
            # The web server unpacks there what it serves, and leaves it when it is killed.
            f"-Djava.io.tmpdir={home}",
            *("-cp", f"{jars}/*", release.main_class, f"--home-dir={home}", f"--config-dir={home}/conf"),
        ]
        with (home / "output.log").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-c", _DIE_WITH_PARENT, str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # A Ctrl-C at the terminal is for the tests, which then stop the server.
                start_new_session=True,
            )
        server = cls(process, home, bolt_port, http_port)
        try:
            server._wait(release)
        except BaseException:
            server.stop()
            raise
        return server

    def _wait(self, release: Release) -> None:
        deadline = time.monotonic() + _START_DEADLINE
        while True:
            ended = self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                how = "ended while it started" if ended else f"did not answer in {_START_DEADLINE:.0f} s"
                raise EngineMissing(f"Neo4j {release.version} {how}: {self._last_words()}")
            try:
                with GraphDatabase.driver(self.endpoint.uri, connection_timeout=5) as driver:
                    driver.verify_connectivity()
                    # The first query takes long on a busy machine, longer than ours waits for a database.
                    driver.execute_query("RETURN 1")
                    return
            except (DriverError, Neo4jError, OSError):
                time.sleep(0.2)

    def _last_words(self) -> str:
        for log in (self._home / "logs" / "neo4j.log", self._home / "output.log"):
            if log.is_file() and (lines := log.read_text(errors="replace").strip().splitlines()):
                return lines[-1].strip()
        return "it wrote no log"

    def stop(self) -> None:
        """Kill the server: its data are thrown away with it, so there is nothing to close in order."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._home, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _configure(home: Path, bolt_port: int, http_port: int) -> None:
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{bolt_port}",
        # Neo4j Browser fills in this address.
        "server.bolt.advertised_address": f"127.0.0.1:{bolt_port}",
        "server.http.listen_address": f"127.0.0.1:{http_port}",
        "server.http.advertised_address": f"127.0.0.1:{http_port}",
        "dbms.security.auth_enabled": "false",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "server.memory.pagecache.size": "64m",
        "db.tx_log.preallocate": "false",
    }
    (home / "conf").mkdir()
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (home / "conf" / "neo4j.conf").write_text(text, encoding="ascii")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a Neo4j server until interrupted, then drop its data.")
    parser.add_argument("release", choices=RELEASES)
    parser.add_argument("--port", type=int, help="Bolt port (default: a free one)")
    arguments = parser.parse_args()
    # So that a plain `kill` stops the server and removes its data, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Neo4jServer.start(RELEASES[arguments.release], arguments.port) as server:
            print(f"NEO4J_URI={server.endpoint.uri} (no login)\nNeo4j Browser: {server.browser}", flush=True)
            signal.pause()
    except EngineMissing as missing:
        sys.exit(f"Neo4j {arguments.release} does not run: {missing}")
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main()
