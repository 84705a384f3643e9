"""Entries in their JSON form from outside: what is taken, what is refused, and what becomes of it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.appending import MAX_ENTRIES, entries_from_json, referenced_ids
from graph_session.domain.content import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from graph_session.domain.entries import Entry, EntryType, LeafMove, Message, SessionInfo, StopReason
from graph_session.domain.errors import InvalidInput
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.turns import entry_hash
from tests.domain.strategies import extras, finite_json
from tests.domain.trees import path_of, turns

TAKEN: dict[str, list[dict[str, Any]]] = {
    "message": [
        {"message": {"role": "user", "content": "Why?"}},
        {"message": {"role": "user", "content": []}},
        {"message": {"role": "user", "content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}},
        {"message": {"role": "assistant", "content": [{"type": "text", "text": ""}]}},
        {
            "message": {
                "role": "assistant",
                "provider": "p",
                "model": "m",
                "stopReason": "toolUse",
                "usage": {"input": 1, "output": 2, "cacheRead": 3, "cost": {"total": 0.1}},
                "content": [
                    {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"},
                    {"type": "text", "text": "look"},
                    {"type": "toolCall", "id": "1", "name": "read", "arguments": {"path": "a"}},
                ],
            }
        },
        {"message": {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "overloaded"}},
        {"message": {"role": "toolResult", "toolCallId": "1", "toolName": "read", "content": "seen", "isError": True}},
    ],
    "custom_message": [
        {"customType": "note", "content": "hello"},
        {"customType": "note", "content": [], "display": False, "details": {"a": [1]}},
    ],
    "model_change": [{"provider": "p", "modelId": "m"}],
    "thinking_level_change": [{"thinkingLevel": "high"}],
    "active_tools_change": [{"activeToolNames": []}, {"activeToolNames": ["read", "edit"]}],
    "session_info": [{"name": "n"}, {"name": None}, {}],
    "label": [{"targetId": "e0", "label": "l"}, {"targetId": "e0", "label": None}, {"targetId": "e0"}],
    "compaction": [
        {"summary": "s", "firstKeptEntryId": "e0", "tokensBefore": 9},
        {"summary": "", "firstKeptEntryId": "e0", "tokensBefore": 0, "details": {"readFiles": ["a"]}},
    ],
    "branch_summary": [
        {"fromId": "e0", "summary": "s"},
        {"fromId": "e0", "summary": "s", "scope": "HISTORY", "details": {}},
    ],
    "custom": [{"customType": "c", "data": None}, {"customType": "c", "data": [1, {"a": 2.5}]}, {"customType": "c"}],
    "leaf": [{"targetId": "e0"}, {"targetId": None}],
}
FORMS = [{"type": kind, **form} for kind, forms in TAKEN.items() for form in forms]
USER = {"type": "message", "message": {"role": "user", "content": "q"}}


def read(*forms: object, parent: Entry | None = None, known: dict[str, Entry] | None = None) -> list[Entry]:
    return entries_from_json(forms, session_id="s", parent=parent, known=known or {})


def refused(*forms: object, **where: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read(*forms, **where)
    return caught.value


def test_there_is_an_example_of_every_type() -> None:
    assert set(TAKEN) == set(EntryType)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["type"])
def test_every_type_is_taken_and_given_back(form: dict[str, Any]) -> None:
    (entry,) = read(form)
    assert entry.type == form["type"]
    back = entry_to_json(entry)
    assert read(back)[0].body == entry.body
    # Left out and null mean the same where a field may be null; a text is one block of text.
    for key, value in form.items():
        if key not in ("content", "message"):
            assert back[key] == value
    for key, value in form.get("message", {}).items():
        if key not in ("content", "usage"):
            assert back["message"][key] == value


def test_blocks_and_usage_are_read() -> None:
    (entry,) = read(FORMS[4])
    assert isinstance(entry.body, Message)
    thinking, text, call = entry.body.content
    assert thinking == ThinkingBlock("hm", "s")
    assert text == TextBlock("look")
    assert call == ToolCallBlock("1", "read", {"path": "a"})
    assert entry.body.usage is not None
    assert (entry.body.usage.total, entry.body.usage.extra) == (6, {"cost": {"total": 0.1}})
    assert entry.body.stop_reason is StopReason.TOOL_USE
    (picture,) = read(FORMS[2])
    assert isinstance(picture.body, Message)
    assert picture.body.content == (ImageBlock("aGk=", "image/png"),)


def _without(form: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in form.items() if name != key}


MESSAGE = {"type": "message"}
CALL = {"type": "toolCall", "id": "1", "name": "n", "arguments": {}}


def user(**fields: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": "user", "content": "q", **fields}}


def assistant(*blocks: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": "assistant", "content": list(blocks), **fields}}


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ("a text", ""),
        ([], ""),
        ({}, ".type"),
        ({"type": "usage"}, ".type"),
        ({"type": 5}, ".type"),
        (MESSAGE, ".message"),
        (MESSAGE | {"message": "q"}, ".message"),
        (MESSAGE | {"message": {"content": "q"}}, ".message"),
        (MESSAGE | {"message": {"role": "system", "content": "q"}}, ".message"),
        (MESSAGE | {"message": {"role": "user"}}, ".message.content"),
        (user(content=None), ".message.content"),
        (user(content=5), ".message.content"),
        (user(content=["q"]), ".message.content[0]"),
        (user(content=[{"text": "q"}]), ".message.content[0]"),
        (user(content=[{"type": "hologram"}]), ".message.content[0]"),
        (user(content=[{"type": "text"}]), ".message.content[0].text"),
        (user(content=[{"type": "text", "text": 5}]), ".message.content[0].text"),
        (user(content=[{"type": "image", "data": "x"}]), ".message.content[0].mimeType"),
        (user(content=[CALL]), ".message.content[0]"),
        (user(content=[{"type": "thinking", "thinking": "h"}]), ".message.content[0]"),
        (user(model=5), ".message.model"),
        (user(usage="much"), ".message.usage"),
        (user(stopReason="tired"), ".message.stopReason"),
        (assistant({"type": "text", "text": "a"}, CALL | {"arguments": []}), ".message.content[1].arguments"),
        (assistant(_without(CALL, "id")), ".message.content[0].id"),
        (assistant(_without(CALL, "name")), ".message.content[0].name"),
        (assistant({"type": "thinking", "thinking": None}), ".message.content[0].thinking"),
        (assistant(usage={"input": -1}), ".message.usage.input"),
        (assistant(usage={"output": 2**31}), ".message.usage.output"),
        (assistant(usage={"cacheRead": "1"}), ".message.usage.cacheRead"),
        (assistant(isError="no"), ".message.isError"),
        (MESSAGE | {"message": {"role": "toolResult", "toolName": "n", "content": ""}}, ".message.toolCallId"),
        (MESSAGE | {"message": {"role": "toolResult", "toolCallId": "1", "content": ""}}, ".message.toolName"),
        (
            MESSAGE | {"message": {"role": "toolResult", "toolCallId": "1", "toolName": "n", "content": [CALL]}},
            ".message.content[0]",
        ),
        ({"type": "custom_message", "content": "c"}, ".customType"),
        ({"type": "custom_message", "customType": "c"}, ".content"),
        ({"type": "custom_message", "customType": "c", "content": "", "display": 1}, ".display"),
        ({"type": "custom_message", "customType": "c", "content": "", "details": []}, ".details"),
        ({"type": "model_change", "provider": "p"}, ".modelId"),
        ({"type": "model_change", "modelId": "m", "provider": None}, ".provider"),
        ({"type": "thinking_level_change"}, ".thinkingLevel"),
        ({"type": "thinking_level_change", "thinkingLevel": 3}, ".thinkingLevel"),
        ({"type": "active_tools_change", "activeToolNames": "read"}, ".activeToolNames"),
        ({"type": "active_tools_change", "activeToolNames": ["read", 5]}, ".activeToolNames[1]"),
        ({"type": "session_info", "name": 5}, ".name"),
        ({"type": "session_info", "name": "n" * 501}, ".name"),
        ({"type": "label", "label": "l"}, ".targetId"),
        ({"type": "label", "targetId": None}, ".targetId"),
        ({"type": "label", "targetId": "t", "label": 5}, ".label"),
        ({"type": "compaction", "firstKeptEntryId": "k", "tokensBefore": 1}, ".summary"),
        ({"type": "compaction", "summary": "s", "tokensBefore": 1}, ".firstKeptEntryId"),
        ({"type": "compaction", "summary": "s", "firstKeptEntryId": "k"}, ".tokensBefore"),
        ({"type": "compaction", "summary": "s", "firstKeptEntryId": "k", "tokensBefore": 1.5}, ".tokensBefore"),
        ({"type": "branch_summary", "summary": "s"}, ".fromId"),
        ({"type": "branch_summary", "fromId": "f"}, ".summary"),
        ({"type": "branch_summary", "fromId": "f", "summary": "s", "scope": "ALL"}, ".scope"),
        ({"type": "custom", "data": 1}, ".customType"),
        ({"type": "leaf"}, ".targetId"),
        ({"type": "leaf", "targetId": 5}, ".targetId"),
        (USER | {"id": ""}, ".id"),
        (USER | {"id": "x" * 101}, ".id"),
        (USER | {"id": 5}, ".id"),
        (USER | {"parentId": "nowhere"}, ".parentId"),
        (USER | {"parentId": 5}, ".parentId"),
        (USER | {"timestamp": "yesterday"}, ".timestamp"),
        (USER | {"timestamp": 1767225601000}, ".timestamp"),
        (user(content="a\x00b"), ".message.content"),
        (user(content="half \ud83d"), ".message.content"),
        (USER | {"more": {"deep": [2**64]}}, ".more.deep[0]"),
        (USER | {"more": -(2**63) - 1}, ".more"),
        (USER | {"more": float("inf")}, ".more"),
        (USER | {"more": float("nan")}, ".more"),
    ],
)
def test_a_mistake_is_named_by_index_and_field(form: Any, field: str) -> None:
    error = refused(USER, USER, form)
    assert error.field == f"entries[2]{field}"
    assert f"entries[2]{field}" in error.message
    assert error.message.endswith(".")


def test_too_many_none_and_too_deep() -> None:
    assert refused().field == "entries"
    assert "1,001" in refused(*[USER] * (MAX_ENTRIES + 1)).message
    assert len(read(*[USER] * MAX_ENTRIES)) == MAX_ENTRIES
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert "nested" in refused(USER | {"more": deep}).message


@given(st.sampled_from(FORMS), extras, st.dictionaries(st.sampled_from(["x-a", "zeta"]), finite_json, max_size=2))
def test_unknown_fields_are_kept_and_given_back(
    form: dict[str, Any], outer: dict[str, Any], inner: dict[str, Any]
) -> None:
    given_form: dict[str, Any] = form | outer
    if "message" in form:
        given_form["message"] = form["message"] | inner
    (entry,) = read(given_form)
    back = entry_to_json(entry)
    assert outer.items() <= back.items()
    if "message" in form:
        assert inner.items() <= back["message"].items()
    assert orjson.loads(orjson.dumps(back)) == back
    assert entry.hash == entry_hash("", entry)


def test_unknown_fields_of_blocks_and_usage_are_kept() -> None:
    block = {"type": "text", "text": "a", "citations": [1]}
    (entry,) = read(assistant(block, usage={"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "cost": 2}))
    message = entry_to_json(entry)["message"]
    assert message["content"] == [block]
    assert message["usage"]["cost"] == 2


def test_entries_stand_below_each_other_and_the_first_below_the_parent() -> None:
    path = path_of(turns(1))
    one, two = read(USER, assistant({"type": "text", "text": "a"}), parent=path[-1])
    assert (one.parent_id, two.parent_id) == (path[-1].id, one.id)
    assert [one.place.depth, two.place.depth] == [2, 3]
    assert one.place.node_above == path[-1].id
    assert two.hash == entry_hash(one.hash, two)
    assert two.session_id == "s"


def test_a_parent_may_be_an_earlier_entry_of_the_list_a_known_one_or_none() -> None:
    path = path_of(turns(2))
    known = {entry.id: entry for entry in path}
    forms = [USER | {"id": "a"}, USER | {"id": "b"}, USER | {"parentId": "a"}, USER | {"parentId": "e1"}]
    entries = read(*forms, USER | {"parentId": None}, USER, parent=path[-1], known=known)
    assert [entry.parent_id for entry in entries] == ["e3", "a", "a", "e1", None, entries[4].id]
    assert entries[3].place.depth == 2
    assert entries[4].place.depth == 0
    later = refused(USER | {"parentId": "b"}, USER | {"id": "b"})
    assert later.field == "entries[0].parentId"


def test_an_id_is_made_or_taken_once() -> None:
    one, two = read(USER | {"id": "mine"}, USER)
    assert one.id == "mine"
    assert len(two.id) == 36
    assert refused(USER | {"id": "mine"}, USER | {"id": "mine"}).field == "entries[1].id"
    path = path_of(turns(1))
    assert refused(USER | {"id": "e0"}, known={"e0": path[0]}).field == "entries[0].id"


@pytest.mark.parametrize(
    ("given_time", "kept"),
    [
        ("2026-11-30T20:26:25.156Z", "2026-11-30T20:26:25.156Z"),
        ("2026-11-30T22:26:25+02:00", "2026-11-30T20:26:25.000Z"),
        ("2026-11-30T20:26:25", "2026-11-30T20:26:25.000Z"),
        ("2026-11-30", "2026-11-30T00:00:00.000Z"),
    ],
)
def test_a_time_is_kept_in_one_form(given_time: str, kept: str) -> None:
    assert read(USER | {"timestamp": given_time})[0].timestamp == kept


def test_a_time_that_is_left_out_is_now() -> None:
    assert read(USER)[0].timestamp.endswith("Z")
    assert read(USER | {"timestamp": None, "id": None})[0].timestamp.endswith("Z")


def test_what_clears_is_taken_as_it_is() -> None:
    (named,) = read({"type": "session_info", "name": ""})
    assert named.body == SessionInfo(name="")
    (moved,) = read({"type": "leaf", "targetId": None})
    assert moved.body == LeafMove(target_id=None)


def test_the_ids_that_forms_refer_to() -> None:
    forms: list[Any] = [
        USER | {"parentId": "a"},
        {"type": "label", "targetId": "b"},
        {"type": "branch_summary", "fromId": "c"},
        {"type": "compaction", "firstKeptEntryId": "d"},
        {"type": "leaf", "targetId": None},
        "nothing",
        {"parentId": 5, "targetId": "", "fromId": "x" * 101, "firstKeptEntryId": "half \ud83d"},
    ]
    assert referenced_ids(forms) == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    "timestamp", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+00:01"]
)
def test_a_time_that_is_none_in_utc_is_refused_and_named(timestamp: str) -> None:
    form = {"type": "custom", "customType": "c", "timestamp": timestamp}
    with pytest.raises(InvalidInput, match="ISO 8601") as caught:
        entries_from_json([form], session_id="s", parent=None, known={})
    assert caught.value.field == "entries[0].timestamp"
