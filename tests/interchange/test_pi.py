"""pi's session files, versions 1 to 3, and its own samples where they lie beside the project."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from graph_session.domain.entries import Compaction, Custom, CustomMessage, Entry, Message, Role, SessionInfo
from graph_session.domain.errors import InvalidInput
from graph_session.domain.ids import is_uuid
from graph_session.interchange.base import ORIGINAL_ID
from graph_session.interchange.pi import Pi
from graph_session.interchange.recognise import format_of
from tests.domain.trees import NOON
from tests.interchange.files import HEAD, built, lines, said, uid

SAMPLES = sorted((Path(__file__).resolve().parents[3] / "shared" / "samples" / "pi").glob("*.jsonl"))


def _form(kind: str, id: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "parentId": parent, "timestamp": NOON, **fields}


def _message(id: str, parent: str | None, **message: Any) -> dict[str, Any]:
    return _form("message", id, parent, message=message)


def test_short_ids_become_long_ones_wherever_they_are_named() -> None:
    data = lines(
        HEAD,
        said("aa", None, timestamp2=1),
        _form("compaction", "bb", "aa", summary="s", firstKeptEntryId="aa", tokensBefore=9, fromHook=False),
        _form("branch_summary", "cc", "aa", fromId="root", summary="s"),
        _form("branch_summary", "dd", "cc", fromId="bb", summary="s"),
        _form("label", "ee", "dd", targetId="bb"),
    )
    entries, faults, builder, planned = built(data, Pi())
    assert not faults
    new = planned.renamed
    assert all(is_uuid(entry.id) for entry in entries)
    assert [entry.extra.get(ORIGINAL_ID) for entry in entries] == ["aa", "bb", "cc", "dd", "ee"]
    assert [entry.parent_id for entry in entries] == [None, new["aa"], new["aa"], new["cc"], new["dd"]]
    assert entries[0].extra["timestamp2"] == 1
    assert entries[1].extra["fromHook"] is False
    assert entries[1].body.first_kept_entry_id == new["aa"]  # type: ignore[union-attr]
    assert [entry.body.from_id for entry in entries[2:4]] == ["root", new["bb"]]  # type: ignore[union-attr]
    assert entries[4].body.target_id == new["bb"]  # type: ignore[union-attr]
    assert builder.leaf_id == new["ee"]


def test_version_1_is_a_line_of_entries_without_ids() -> None:
    data = lines(
        {"type": "session", "id": uid(1), "timestamp": NOON},
        {"type": "message", "timestamp": NOON, "message": {"role": "user", "content": "one"}},
        {"type": "message", "timestamp": NOON, "message": {"role": "user", "content": "two"}},
        {"type": "compaction", "timestamp": NOON, "summary": "s", "firstKeptEntryIndex": 2, "tokensBefore": 3},
        {"type": "compaction", "timestamp": NOON, "summary": "s", "firstKeptEntryIndex": 0},
    )
    entries, faults, _, _ = built(data, Pi())
    assert not faults
    assert [entry.parent_id for entry in entries] == [None, *(entry.id for entry in entries[:-1])]
    kept = [entry.body.first_kept_entry_id for entry in entries if isinstance(entry.body, Compaction)]
    assert kept == [entries[1].id, entries[0].id]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "custom", "customType": "x", "content": "hi", "display": False, "details": {"a": 1}}, CustomMessage),
        ({"role": "hookMessage", "customType": "x", "content": [{"type": "text", "text": "hi"}]}, CustomMessage),
        ({"role": "bashExecution", "command": "ls", "output": "a b", "exitCode": 0}, CustomMessage),
        ({"role": "bashExecution", "command": "ls", "output": "a", "excludeFromContext": True}, Custom),
        ({"role": "system", "content": "be brief", "sections": {}}, Custom),
        ({"role": "assistant", "content": [], "stopReason": "pauseTurn", "api": "x"}, Message),
    ],
)
def test_messages_that_only_pi_has(message: dict[str, Any], expected: type) -> None:
    (entry,), faults, _, _ = built(lines(HEAD, _message("aa", None, **message)), Pi())
    assert not faults
    assert isinstance(entry.body, expected)
    match entry.body:
        case Message(role=role, stop_reason=stop, extra=extra):
            assert (role, stop) == (Role.ASSISTANT, None)
            assert extra == {"api": "x", "originalStopReason": "pauseTurn"}
        case CustomMessage(content=content, custom_type="bashExecution"):
            assert "ls" in content[0].text  # type: ignore[union-attr]
            assert "a b" in content[0].text  # type: ignore[union-attr]
        case CustomMessage(content=content):
            assert content[0].text == "hi"  # type: ignore[union-attr]
        case _:
            assert entry.body.data == message  # type: ignore[union-attr]


def test_a_second_header_is_told() -> None:
    entries, faults, _, planned = built(lines(HEAD, said("aa", None), HEAD, said("bb", "aa")), Pi())
    assert len(entries) == 2
    assert [(fault.line, fault.code) for fault in faults] == [(3, "SECOND_HEADER")]
    assert planned.head is not None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (lines(HEAD), "pi"),
        (lines({**HEAD, "formatVersion": 1}), "graph_session"),
        (lines(b"\xef\xbb\xbf", {**HEAD, "formatVersion": 1}), "graph_session"),
        (lines(b"rubbish\n", said(uid(1), None)), "graph_session"),
        (lines(said("aa", None)), "pi"),
    ],
)
def test_files_are_recognised(data: bytes, expected: str) -> None:
    file = io.BytesIO(data)
    assert format_of(file, None).name == expected
    assert file.tell() == 0
    assert format_of(file, "pi").name == "pi"


@pytest.mark.parametrize(
    ("data", "format", "said"),
    [
        (b"", None, "is empty"),
        (b"\n\n", None, "No line of the file is a JSON object"),
        (b"hello", None, "No line of the file is a JSON object"),
        (b'{"mapping":{}}', None, "Line 1: the file is in none of the formats graph_session, pi"),
        (lines({**HEAD, "formatVersion": 2}), None, "version 2 of the format, this program reads version 1"),
        (lines(HEAD), "word", "no format 'word'"),
    ],
)
def test_what_is_no_conversation_is_refused(data: bytes, format: str | None, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        format_of(io.BytesIO(data), format)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_all_entries_of_a_sample_are_read(sample: Path) -> None:
    data = sample.read_bytes()
    entries, faults, _, _ = built(data, Pi())
    ids = {entry.extra[ORIGINAL_ID] for entry in entries}
    whole = [line for line in data.splitlines() if line.startswith(b'{"type"')]
    assert len(ids) == len(entries) == len(whole) - 1
    assert {fault.code for fault in faults} <= {"DAMAGED_LINE", "UNREAD_ENTRY"}
    assert all(isinstance(entry, Entry) for entry in entries)
    assert [entry.body.name for entry in entries if isinstance(entry.body, SessionInfo)] in ([], ["Parser work"])
