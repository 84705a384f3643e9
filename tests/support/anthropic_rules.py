"""What the real Messages API refuses, as far as it matters here: the rules of the stand-in, as a pure
function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

MODELS = frozenset(
    {
        *(
            "claude-fable-5-2",
            "claude-mythos-5-2",
            "claude-haiku-5-5",
            "claude-sonnet-5-5",
            "claude-fable-5-1",
        ),
        *("claude-opus-5-5", "claude-mythos-5-1", "claude-sonnet-5", "claude-fable-5", "claude-mythos-5"),
        *("claude-opus-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-4-6"),
    }
)
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_IMAGES = {"image/gif", "image/jpeg", "image/png", "image/webp"}
_USER_BLOCKS = {"text", "image", "tool_result"}
_ASSISTANT_BLOCKS = {"text", "thinking", "redacted_thinking", "tool_use"}
_THINKING = {"thinking", "redacted_thinking"}


class Refused(Exception):
    """The request is answered with an error: HTTP status, error type, message."""

    def __init__(self, message: str, status: int = 400, type: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.type = type


def check_request(body: Any) -> None:
    """Raises Refused for a request body that the API would not take."""
    _need(isinstance(body, dict), "the body must be an object")
    for name in ("temperature", "top_p", "top_k"):
        _need(name not in body, f"{name}: Extra inputs are not permitted")
    model = body.get("model")
    if model not in MODELS:
        raise Refused(f"model: {model}", 404, "not_found_error")
    _need(isinstance(body.get("max_tokens"), int) and body["max_tokens"] >= 1, "max_tokens: Field required")
    messages: Any = body.get("messages")
    _need(isinstance(messages, list) and bool(messages), "messages: at least one message is required")
    for index, message in enumerate(messages):
        expected = "assistant" if index % 2 else "user"
        _need(message.get("role") == expected, f"messages.{index}.role: expected {expected}")
        _check_content(index, message)
    _need(messages[-1]["role"] == "user", "This model does not support assistant message prefill.")
    _check_system(body.get("system"))
    _check_tools(body, messages)
    marked = [block for block in all_blocks(body) if "cache_control" in block]
    _need(len(marked) <= 4, f"A maximum of 4 blocks with cache_control may be provided. Found {len(marked)}.")
    for block in marked:
        _need(
            block["cache_control"].get("type") == "ephemeral",
            "cache_control.type: Input should be 'ephemeral'",
        )
        _need(block.get("type") not in _THINKING, "cache_control cannot be set on thinking blocks")


def all_blocks(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every block of a request, in the order in which the prompt cache sees them."""
    yield from body.get("tools", [])
    if isinstance(body.get("system"), list):
        yield from body["system"]
    for message in body["messages"]:
        if isinstance(message["content"], list):
            yield from message["content"]


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Refused(message)


def _check_system(system: Any) -> None:
    for block in system if isinstance(system, list) else []:
        _need(bool(block["text"].strip()), "system: text content blocks must contain non-whitespace text")


def _check_content(index: int, message: dict[str, Any]) -> None:
    at, role = f"messages.{index}", message["role"]
    content: Any = message.get("content")
    _need(isinstance(content, str | list) and bool(content), f"{at}: all messages must have non-empty content")
    if isinstance(content, str):
        _need(bool(content.strip()), f"{at}: text content must contain non-whitespace text")
        return
    for block in content:
        allowed = _USER_BLOCKS if role == "user" else _ASSISTANT_BLOCKS
        _need(
            block.get("type") in allowed,
            f"{at}: block type {block.get('type')!r} is not permitted for {role}",
        )
        _check_block(at, block)
    if role == "assistant":
        last = content[-1]["type"]
        _need(last not in _THINKING, f"{at}: The final block in an assistant message cannot be `thinking`.")


def _check_block(at: str, block: dict[str, Any]) -> None:
    match block["type"]:
        case "text":
            _need(bool(block["text"].strip()), f"{at}: text content blocks must contain non-whitespace text")
        case "image":
            source = block["source"]
            _need(source["media_type"] in _IMAGES, f"{at}: unsupported image type {source['media_type']}")
            _need(bool(source["data"]), f"{at}: image cannot be empty")
        case "thinking":
            _need(bool(block["signature"]), f"{at}: signature: Field required")
            own = block["signature"].startswith("standin-")
            _need(not own or block["signature"] == sign(block["thinking"]), f"{at}: Invalid `signature`")
        case "tool_use":
            _need(bool(_ID.fullmatch(block["id"])), f"{at}: tool_use.id: String should match pattern")
            _need(bool(_NAME.fullmatch(block["name"])), f"{at}: tool_use.name: String should match pattern")
            _need(isinstance(block["input"], dict), f"{at}: tool_use.input: Input should be a valid dictionary")
        case "tool_result":
            for inner in block.get("content", []):
                _need(inner["type"] in ("text", "image"), f"{at}: tool_result: block type not permitted")
                _check_block(at, inner)


def _check_tools(body: dict[str, Any], messages: list[dict[str, Any]]) -> None:
    used: set[str] = set()
    for index, message in enumerate(messages):
        content = message["content"] if isinstance(message["content"], list) else []
        if message["role"] == "assistant":
            calls = [block["id"] for block in content if block["type"] == "tool_use"]
            _need(len({*calls} | used) == len(calls) + len(used), "messages: `tool_use` ids must be unique")
            used.update(calls)
            after = messages[index + 1]["content"] if calls and index + 1 < len(messages) else []
            first = [block for block in after[: len(calls)] if isinstance(block, dict)]
            missing = sorted(set(calls) - {block.get("tool_use_id") for block in first})
            text = "`tool_use` ids were found without `tool_result` blocks immediately after"
            _need(not missing, f"messages.{index}: {text}: {missing}")
        else:
            results = [block["tool_use_id"] for block in content if block["type"] == "tool_result"]
            before = messages[index - 1]["content"] if index else []
            asked = {b["id"] for b in before if isinstance(b, dict) and b["type"] == "tool_use"}
            _need(
                set(results) <= asked,
                f"messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks",
            )
            _need(
                len(set(results)) == len(results),
                f"messages.{index}: each tool_use must have a single result",
            )
    tools = body.get("tools")
    _need(not used or bool(tools), "Requests which include `tool_use` or `tool_result` blocks must define tools")
    for tool in tools or []:
        _need(bool(_NAME.fullmatch(tool["name"])), "tools: name: String should match pattern")
        _need(tool["input_schema"].get("type") == "object", "tools: input_schema.type: Field required")


def sign(thinking: str) -> str:
    """The signature that the stand-in gives thinking, and checks when it comes back."""
    return f"standin-{sum(thinking.encode()) * 31 + len(thinking)}"
