"""The documents say what is so: what they show is run, and what they list is compared with the code."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from graph_session.api import limits, transport
from graph_session.api.connection import MAX_PAGE
from graph_session.api.extensions import QUERY_TIMEOUT
from graph_session.domain.appending import entries_from_json
from graph_session.domain.entries import EntryType, Role
from graph_session.domain.jsonform import entry_to_json
from graph_session.models.choose import ANSWER_MODEL, SUMMARY_MODEL
from graph_session.settings import Settings, default_home

_CHECKOUT = Path(__file__).resolve().parents[1]
_README = _CHECKOUT / "README.md"
_API = _CHECKOUT / "docs" / "api.md"
_DOCUMENTS = (_README, *sorted((_CHECKOUT / "docs").glob("*.md")))
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SHOWN_ADDRESS = "127.0.0.1:8000"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document."""

    language: str
    text: str


def blocks(document: Path) -> list[Block]:
    """All fenced blocks with a language."""
    found = re.findall(r"^```(\w+)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(language, text) for language, text in found]


def masked(text: str) -> str:
    """Ids are different each time."""
    return _ID.sub("ID", text).strip()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as `make run` starts it, on a free port, with nothing configured."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GRAPH_SESSION_", "NEO4J_", "ANTHROPIC_"))
    }
    command = [sys.executable, "-m", "graph_session", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--home", str(tmp_path_factory.mktemp("home"))],
        cwd=_CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        shown = re.search(r"http://([^/\s]+)/", server.stdout.readline())
        assert shown is not None
        yield shown[1]
        server.send_signal(signal.SIGTERM)


def test_the_first_conversation_gives_what_the_readme_shows(address: str) -> None:
    missing = [tool for tool in ("bash", "curl", "python3") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    with subprocess.Popen(
        ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as shell:
        _converse(shell, address)


def _converse(shell: subprocess.Popen[str], address: str) -> None:
    said = ""
    shown = [block for block in blocks(_README) if block.language in ("bash", "text")]
    assert sum(block.language == "text" for block in shown) == 6
    for block in shown:
        if block.language == "text":
            assert masked(said) == masked(block.text)
            said = ""
        else:
            assert not said.strip(), f"the README does not show this output: {said}"
            for line in block.text.splitlines():
                said += _run(shell, line.replace(_SHOWN_ADDRESS, address))


def _run(shell: subprocess.Popen[str], line: str) -> str:
    """What one line, pasted into a shell, prints."""
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(f"{line}\necho; echo end-of-line\n")
    shell.stdin.flush()
    printed = ""
    for output in shell.stdout:
        if output == "end-of-line\n":
            return printed.removesuffix("\n")
        printed += output
    raise AssertionError(f"the shell ended at {line!r}: {printed}")


def test_the_streaming_client_gives_what_the_guide_shows(address: str, tmp_path: Path) -> None:
    client, shown = (next(it.text for it in blocks(_API) if it.language == kind) for kind in ("python", "text"))
    program = tmp_path / "client.py"
    program.write_text(client.replace(_SHOWN_ADDRESS, address), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert masked(done.stdout) == masked(shown)


def test_the_settings_table_is_in_step() -> None:
    rows = [_row(name, field) for name, field in Settings.model_fields.items()]
    text = (_CHECKOUT / "docs" / "settings.md").read_text(encoding="utf-8")
    listed = [line for line in text.splitlines() if line.startswith(("| `GRAPH_", "| `NEO4J", "| `ANTH"))]
    assert listed == rows, "the table of docs/settings.md should be:\n" + "\n".join(rows)


def test_the_limits_and_the_models_are_those_of_the_code() -> None:
    text = _API.read_text(encoding="utf-8")
    for limit in (
        f"| {limits.MAX_DEPTH}, {limits.MAX_ALIASES}, {limits.MAX_FIELDS} |",
        f"| {limits.MAX_TOKENS:,} |",
        f"| {MAX_PAGE} |",
        f"| {QUERY_TIMEOUT:g} s; ",
        f"| {transport.WS_MAX_SIZE // 2**20} MiB |",
        f"| {transport.MAX_OPERATIONS_PER_SOCKET} |",
        f"| {transport.MAX_SOCKETS:,}, {transport.MAX_SOCKETS_PER_CLIENT} |",
        f"dropped after {transport.SEND_TIMEOUT:g} s",
    ):
        assert limit in text
    text = (_CHECKOUT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert f"`{ANSWER_MODEL}` for answers and `{SUMMARY_MODEL}` for summaries" in text


def _row(name: str, field: FieldInfo) -> str:
    variable = field.validation_alias or f"GRAPH_SESSION_{name.upper()}"
    default = field.get_default(call_default_factory=True)
    match default:
        case None | [] | SecretStr():
            shown = "none"
        case Path():
            assert default == default_home()
            shown = "`~/.local/share/graph_session`"
        case _:
            shown = f"`{default}`"
    return f"| `{variable}` | {shown} | {field.description} |"


def test_every_example_of_an_entry_is_taken_and_every_type_has_one() -> None:
    document = _CHECKOUT / "docs" / "entries.md"
    forms = [json.loads(block.text) for block in blocks(document) if block.language == "json"]
    listed = re.findall(r"^\| `(\w+)` \| (.*?) \|", document.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name for name, _ in listed} == set(EntryType) == {form["type"] for form in forms}
    entries = entries_from_json(forms, session_id="docs", parent=None, known={})
    for form, entry in zip(forms, entries, strict=True):
        assert entry_to_json(entry).items() >= {name: form[name] for name in form if name != "content"}.items()
    for name, fields in listed:
        own = {key for form in forms if form["type"] == name for key in form if key != "type"}
        named = set(re.findall(r"`(\w+)`", fields)) - {"role", "content"} | ({"content"} & own)
        assert named == own, name
    roles = {form["message"]["role"] for form in forms if form["type"] == "message"}
    assert roles == set(Role)


@pytest.mark.parametrize("document", _DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        file, _, heading = target.partition("#")
        there = (document.parent / file).resolve() if file else document
        assert there.is_file(), f"{document.name} links to {target}"
        if heading:
            assert heading in _headings(there), f"{document.name} links to {target}"


def _headings(document: Path) -> set[str]:
    """The anchors that GitHub gives a document's headings."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_benchmarks_run() -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--sizes", "40,60", "--branches", "1,2"]
    done = subprocess.run(command, cwd=_CHECKOUT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for row in ("context read", "nearest anchor", "path page", "fork", "ask, round trips", "append"):
        assert f"\n| {row}" in done.stdout
