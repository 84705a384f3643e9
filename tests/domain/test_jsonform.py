"""The JSON form of entries: nothing is lost on the way there and back, whoever wrote it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain import content as c
from graph_session.domain.entries import BranchSummary, CustomMessage, EntryType, Message, Role, SummaryScope
from graph_session.domain.jsonform import body_from_json, body_to_json, canonical, entry_to_json
from graph_session.domain.turns import entry_hash, write_under
from tests.domain.strategies import blocks, bodies, bodies_by_type, extras, finite_json, messages, usages
from tests.domain.trees import NOON, note, question


def _over_the_wire(value: object) -> Any:
    return orjson.loads(orjson.dumps(value))


@pytest.mark.parametrize("kind", EntryType)
@given(data=st.data())
def test_each_type_of_entry_survives_a_round_trip(kind: EntryType, data: st.DataObject) -> None:
    body = data.draw(bodies_by_type[kind])
    assert body.type is kind
    assert body_from_json(kind, _over_the_wire(body_to_json(body))) == body


@given(bodies, extras)
def test_a_line_carries_the_common_fields_and_those_this_version_does_not_know(
    body: Any, extra: dict[str, object]
) -> None:
    root = write_under(None, id="root", session_id="s", timestamp=NOON, body=question())
    entry = write_under(root, id="e", session_id="s", timestamp=NOON, body=body, extra=extra)
    line = _over_the_wire(entry_to_json(entry))
    common = {"type": body.type.value, "id": "e", "parentId": "root", "timestamp": NOON}
    assert line == _over_the_wire(body_to_json(body)) | extra | common
    assert entry_hash(root.hash, entry) == entry.hash


@given(blocks)
def test_each_block_survives_a_round_trip(block: c.Block) -> None:
    assert c.block_from_json(_over_the_wire(c.block_to_json(block))) == block


@given(usages)
def test_token_counts_survive_with_what_else_a_provider_reports(usage: c.Usage) -> None:
    assert c.usage_from_json(_over_the_wire(c.usage_to_json(usage))) == usage


@given(finite_json)
def test_canonical_bytes_do_not_depend_on_the_order_of_keys(value: object) -> None:
    assert canonical(_reversed_keys(value)) == canonical(value)


def _reversed_keys(value: object) -> object:
    if isinstance(value, dict):
        return {key: _reversed_keys(inner) for key, inner in reversed(value.items())}
    return [_reversed_keys(inner) for inner in value] if isinstance(value, list) else value


@given(messages())
def test_the_readable_text_is_that_of_the_text_blocks_alone(message: Message) -> None:
    shown = [block.text for block in message.content if isinstance(block, c.TextBlock)]
    assert message.text == "".join(shown)


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "text"},
        {"type": "text", "text": 3},
        {"type": "thinking", "thinking": "hm", "thinkingSignature": 3},
        {"type": "image", "data": "aGk="},
        {"type": "toolCall", "id": "1", "name": "look", "arguments": "at"},
        {"type": "hologram", "depth": 3},
        {"text": "no type"},
        {},
    ],
)
def test_a_block_that_is_not_understood_is_kept_as_it_came(raw: dict[str, Any]) -> None:
    block = c.block_from_json(raw)
    assert block == c.UnknownBlock(raw)
    assert c.block_to_json(block) == raw


def test_content_may_be_one_string() -> None:
    read = body_from_json(EntryType.MESSAGE, {"message": {"role": "user", "content": "Why?"}})
    assert read == question("Why?")
    read = body_from_json(EntryType.CUSTOM_MESSAGE, {"customType": "note", "content": "a note"})
    assert read == note()
    assert isinstance(read, CustomMessage)
    assert read.display


def test_a_branch_summary_of_another_program_is_about_a_branch() -> None:
    read = body_from_json(EntryType.BRANCH_SUMMARY, {"fromId": "e1", "summary": "tried it"})
    assert isinstance(read, BranchSummary)
    assert read.scope is SummaryScope.BRANCH


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (EntryType.MESSAGE, {}),
        (EntryType.MESSAGE, {"message": {"role": "narrator", "content": ""}}),
        (EntryType.MESSAGE, {"message": {"role": "assistant", "content": [], "stopReason": "bored"}}),
        (EntryType.MODEL_CHANGE, {"provider": "offline"}),
        (EntryType.CUSTOM_MESSAGE, {"customType": "note", "content": None}),
        (EntryType.ACTIVE_TOOLS_CHANGE, {"activeToolNames": None}),
    ],
)
def test_a_line_without_what_its_type_needs_is_refused(kind: EntryType, raw: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        body_from_json(kind, raw)


def test_a_tool_result_says_whether_the_tool_failed() -> None:
    result = Message(role=Role.TOOL_RESULT, content=(), tool_call_id="1", tool_name="look")
    assert body_to_json(result)["message"]["isError"] is False
    assert "isError" not in body_to_json(question())["message"]
