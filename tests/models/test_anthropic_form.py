"""The form that a context takes for Anthropic: what the API would refuse never leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings

from graph_session.domain.content import ImageBlock, TextBlock, ThinkingBlock
from graph_session.domain.context import AssembledContext, ContextMessage, ContextSource
from graph_session.models.anthropic_form import OPENING, messages_form, model_id, request_form
from tests.models.contexts import (
    any_messages,
    assistant,
    call,
    context,
    contexts,
    question,
    result,
    user,
    whole_turns,
)
from tests.support.anthropic_rules import Refused, all_blocks, check_request

MODEL = {"model": "claude-sonnet-5-5", "max_tokens": 10, "stream": True}


def flat(form: dict[str, Any]) -> list[str]:
    """Role and bytes of each block, without its breakpoint: what the provider's cache compares."""
    found = []
    for message in form["messages"]:
        for block in message["content"]:
            bare = {name: value for name, value in block.items() if name != "cache_control"}
            found.append(f"{message['role']} {json.dumps(bare)}")
    return found


def kinds(messages: Sequence[ContextMessage]) -> list[tuple[str, list[str]]]:
    return [(m["role"], [block["type"] for block in m["content"]]) for m in messages_form(messages)]


@settings(max_examples=400, deadline=None)
@given(contexts)
def test_what_is_sent_is_always_valid(given_context: AssembledContext) -> None:
    check_request(MODEL | json.loads(json.dumps(request_form(given_context))))


@settings(max_examples=100, deadline=None)
@given(contexts)
def test_no_readable_text_of_a_user_or_an_assistant_is_lost(given_context: AssembledContext) -> None:
    sent = [b["text"] for m in messages_form(given_context.messages) for b in m["content"] if b["type"] == "text"]
    for message in given_context.messages:
        if message.role != "toolResult":
            for block in message.content:
                assert not isinstance(block, TextBlock) or not block.text.strip() or block.text in sent


@settings(max_examples=100, deadline=None)
@given(any_messages)
def test_the_same_context_gives_the_same_bytes(messages: list[ContextMessage]) -> None:
    assert json.dumps(messages_form(messages)) == json.dumps(messages_form(list(messages)))


@settings(max_examples=100, deadline=None)
@given(whole_turns())
def test_a_longer_path_begins_with_the_bytes_of_the_shorter_one(turns: list[list[ContextMessage]]) -> None:
    whole = flat(request_form(context(*chain.from_iterable(turns))))
    for count in range(1, len(turns)):
        part = flat(request_form(context(*chain.from_iterable(turns[:count]))))
        assert whole[: len(part)] == part


def test_neighbours_of_one_role_become_one_message() -> None:
    summary = user("condensed", source=ContextSource.ANCHOR_SUMMARY)
    note = user("note", source=ContextSource.CUSTOM)
    assert kinds([summary, note, user("q"), assistant("a"), assistant("b"), question("next")]) == [
        ("user", ["text", "text", "text"]),
        ("assistant", ["text", "text"]),
        ("user", ["text"]),
    ]


def test_a_result_follows_its_call_at_once_and_comes_first() -> None:
    messages = [user("q"), assistant(call("a"), call("b")), user("note"), result("b", "B"), result("a", "A")]
    form = messages_form(messages)
    assert [block["type"] for block in form[2]["content"]] == ["tool_result", "tool_result", "text"]
    assert [block.get("tool_use_id") for block in form[2]["content"]] == ["a", "b", None]


def test_a_late_result_moves_up_to_its_call() -> None:
    messages = [user("q"), assistant(call("a")), user("note"), assistant("busy"), result("a", "A"), question("?")]
    form = messages_form(messages)
    assert form[2]["content"][0] == {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": [{"type": "text", "text": "A"}],
    }
    check_request(MODEL | request_form(context(*messages)))


def test_half_a_pair_is_left_out() -> None:
    assert kinds([user("q"), assistant("t", call("a")), question("?")]) == [
        ("user", ["text"]),
        ("assistant", ["text"]),
        ("user", ["text"]),
    ]
    assert kinds([user("q"), result("a", "A"), assistant("t"), result("a", "A"), question("?")])[0] == (
        "user",
        ["text"],
    )


def test_an_id_used_twice_is_sent_as_two() -> None:
    messages = [user("q"), assistant(call("a")), result("a", "1"), assistant(call("a")), result("a", "2")]
    form = messages_form(messages)
    first, second = form[1]["content"][0]["id"], form[3]["content"][0]["id"]
    assert first == "a" != second
    assert [form[i]["content"][0]["tool_use_id"] for i in (2, 4)] == [first, second]


def test_foreign_ids_and_names_are_put_into_the_alphabet_of_the_api() -> None:
    form = request_form(context(user("q"), assistant(call("call|1", "files.read")), result("call|1", "A")))
    tool = form["messages"][1]["content"][0]
    assert tool["name"] == "files_read"
    assert tool["id"] == form["messages"][2]["content"][0]["tool_use_id"] != "call|1"
    assert form["tools"] == [{"name": "files_read", "input_schema": {"type": "object"}}]
    assert form["tool_choice"] == {"type": "none"}


def test_arguments_have_one_order_whatever_the_order_they_were_stored_in() -> None:
    one = [user("q"), assistant(call("a", x=1, b=2)), result("a", "A")]
    other = [user("q"), assistant(call("a", b=2, x=1)), result("a", "A")]
    assert json.dumps(messages_form(one)) == json.dumps(messages_form(other))


def test_errors_and_empty_results_of_tools() -> None:
    form = messages_form([user("q"), assistant(call("a")), result("a", is_error=True)])
    assert form[2]["content"] == [{"type": "tool_result", "tool_use_id": "a", "is_error": True}]


def test_a_conversation_that_the_assistant_begins_gets_an_opening() -> None:
    form = messages_form([assistant("welcome"), question("hi")])
    assert form[0] == {"role": "user", "content": [{"type": "text", "text": OPENING}]}


def test_thinking_is_replayed_as_it_came_or_not_at_all() -> None:
    signed, redacted = ThinkingBlock("I think", "sig"), ThinkingBlock("", "secret", {"redacted": True})
    messages = [user("q"), assistant(signed, redacted, ThinkingBlock("unsigned"), "t", call("a")), result("a", "A")]
    assert messages_form(messages)[1]["content"][:3] == [
        {"type": "thinking", "thinking": "I think", "signature": "sig"},
        {"type": "redacted_thinking", "data": "secret"},
        {"type": "text", "text": "t"},
    ]
    assert kinds([user("q"), assistant("t", signed), question("?")])[1] == ("assistant", ["text"])


def test_images_go_to_the_model_and_others_are_named() -> None:
    content = messages_form([user(ImageBlock("aGk=", "image/png"), ImageBlock("aGk=", "image/tiff"))])[0]["content"]
    assert content[0]["source"] == {"type": "base64", "media_type": "image/png", "data": "aGk="}
    assert content[1] == {"type": "text", "text": "[an image of type image/tiff, which cannot be shown]"}


def test_breakpoints_are_where_the_context_has_them() -> None:
    form = request_form(
        context(
            user("summary", cache_breakpoint=True),
            user("q"),
            assistant("t", call("a")),
            result("a", "A", cache_breakpoint=True),
            question("?"),
            system="Be kind.",
        )
    )
    marked = [block for block in all_blocks(form) if "cache_control" in block]
    assert [block.get("text") or block["type"] for block in marked] == ["Be kind.", "summary", "tool_result"]


def test_a_breakpoint_on_nothing_moves_back_and_of_too_many_the_last_stay() -> None:
    form = messages_form([user("q"), assistant("t"), assistant(" ", cache_breakpoint=True), question("?")])
    assert "cache_control" in form[1]["content"][0]
    many = messages_form([user(str(number), cache_breakpoint=True) for number in range(6)])
    assert [block["text"] for block in many[0]["content"] if "cache_control" in block] == ["3", "4", "5"]


def test_a_blank_system_prompt_is_not_sent() -> None:
    assert "system" not in request_form(context(question("?"), system=" \n"))


@pytest.mark.parametrize(("name", "id"), [("anthropic/claude-x", "claude-x"), (" claude-x ", "claude-x"), ("", "")])
def test_a_model_id_may_name_its_provider(name: str, id: str) -> None:
    assert model_id(name) == id


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "assistant", "content": "a"}],
        [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
        [{"role": "user", "content": [{"type": "text", "text": " "}]}],
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}],
        [{"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}] * 5}],
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
    ],
)
def test_the_rules_of_the_stand_in_bite(messages: list[dict[str, Any]]) -> None:
    with pytest.raises(Refused):
        check_request(MODEL | {"messages": messages})


@pytest.mark.parametrize(
    ("level", "effort"),
    [
        *((level, level) for level in ("low", "medium", "high", "xhigh", "max")),
        ("minimal", "low"),
        *((level, None) for level in (None, "", "off", "none", "HIGH", "ultra")),
    ],
)
def test_a_level_of_thinking_is_asked_for_if_the_api_knows_it(level: str | None, effort: str | None) -> None:
    form = request_form(replace(context(question("q")), thinking_level=level))
    check_request(MODEL | form)
    if effort is None:
        assert not {"thinking", "output_config"} & form.keys()
    else:
        assert form["thinking"] == {"type": "adaptive", "display": "summarized"}
        assert form["output_config"] == {"effort": effort}
