"""JSON lines as found on disks: each whole record is read, each damage is told by line and costs only itself."""

from __future__ import annotations

import io

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.interchange import lines as module
from graph_session.interchange.base import Fault, Record
from graph_session.interchange.lines import records
from tests.domain.strategies import finite_json, texts
from tests.interchange.files import HEAD, said, uid

ONE, TWO = orjson.dumps(said(uid(1), None)), orjson.dumps(said(uid(2), uid(1)))


def _read(data: bytes) -> tuple[list[tuple[int, str]], list[tuple[int, str, bool]]]:
    found = list(records(io.BytesIO(data)))
    good = [(item.line, item.value.get("id", "")) for item in found if isinstance(item, Record)]
    return good, [(item.line, item.code, item.lost) for item in found if isinstance(item, Fault)]


@given(
    st.lists(st.dictionaries(texts, finite_json, max_size=3), max_size=5), st.sampled_from([b"\n", b"\r\n", b"\n\n"])
)
def test_what_is_whole_is_read_as_it_is(values: list[dict[str, object]], end: bytes) -> None:
    data = b"".join(orjson.dumps(value) + end for value in values)
    found = list(records(io.BytesIO(data)))
    assert [item.value for item in found if isinstance(item, Record)] == values
    assert len(found) == len(values)


def test_a_byte_order_mark_and_a_missing_last_line_end_do_no_harm() -> None:
    assert _read(b"\xef\xbb\xbf" + ONE + b"\r\n" + TWO) == ([(1, uid(1)), (2, uid(2))], [])


@pytest.mark.parametrize("cut", range(1, len(TWO)))
def test_a_cut_last_line_costs_only_itself(cut: int) -> None:
    good, faults = _read(ONE + b"\n" + TWO[:cut])
    assert good == [(1, uid(1))]
    assert faults == [(2, "DAMAGED_LINE", True)]


@pytest.mark.parametrize("cut", range(1, len(ONE)))
def test_a_line_that_a_torn_one_was_glued_to_is_read(cut: int) -> None:
    good, faults = _read(ONE[:cut] + TWO + b"\n" + ONE + b"\n")
    assert good == [(1, uid(2)), (2, uid(1))]
    assert faults == [(1, "DAMAGED_LINE", True)]


def test_glued_lines_are_both_read() -> None:
    assert _read(ONE + TWO + b"\n") == ([(1, uid(1)), (1, uid(2))], [(1, "GLUED_LINE", False)])
    good, faults = _read(ONE + b" \t" + TWO + b" rubbish\n")
    assert good == [(1, uid(1)), (1, uid(2))]
    assert faults == [(1, "GLUED_LINE", False), (1, "DAMAGED_LINE", True)]


@pytest.mark.parametrize("line", [b"not json", b"\xff\xfe\x00", b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_no_json_is_told(line: bytes) -> None:
    good, faults = _read(ONE + b"\n" + line + b"\n" + TWO)
    assert good == [(1, uid(1)), (3, uid(2))]
    assert faults == [(2, "DAMAGED_LINE", True)]


@pytest.mark.parametrize("line", [b"[1]", b'"text"', b"null", b"1"])
def test_what_is_no_object_is_told(line: bytes) -> None:
    assert _read(line + b"\n" + ONE) == ([(2, uid(1))], [(1, "NOT_AN_OBJECT", True)])


@pytest.mark.parametrize(
    ("line", "value", "told"),
    [
        (b'{"a":"x\\u0000y"}', {"a": "x\ufffdy"}, []),
        (b'{"a":"\\ud83d"}', {"a": "\ufffd"}, ["MENDED_LINE"]),
        (b'{"a":"tab\there"}', {"a": "tab\there"}, ["MENDED_LINE"]),
        (b'{"a":"\xff"}', {"a": "\ufffd"}, ["MENDED_LINE"]),
        (b'{"a":NaN}', {"a": None}, ["MENDED_LINE"]),
    ],
)
def test_characters_that_cannot_be_kept_are_replaced(line: bytes, value: object, told: list[str]) -> None:
    record, *faults = records(io.BytesIO(line))
    assert isinstance(record, Record)
    assert record.value == value
    assert [fault.code for fault in faults if isinstance(fault, Fault)] == told


def test_a_line_beyond_all_measure_is_left_out_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 500)
    good, faults = _read(orjson.dumps(HEAD) + b"\n" + b"x" * 2000 + b"\n" + ONE + b"\n" + b"y" * 2000)
    assert good == [(1, HEAD["id"]), (3, uid(1))]
    assert faults == [(2, "LINE_TOO_LONG", True), (4, "LINE_TOO_LONG", True)]
