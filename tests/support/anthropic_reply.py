"""What the stand-in says: a reply and the events that it is streamed as."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.anthropic_rules import sign

SUMMARY_PROMPT = "You condense"


@dataclass(kw_only=True)
class Reply:
    """What one request is answered with. The defaults echo the question, or write a short summary for a
    summary prompt.

    `status` other than 200: an error of that status. `..._after`: after so many text deltas, the stream has
    an `error` event, is cut (TCP), goes silent until the client leaves, or ends without its end. `delay`:
    seconds before each delta, `first_delay`: before the first event. `usage` overrides counts that the
    stand-in works out itself.
    """

    text: str | None = None
    thinking: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    stop_reason: str | None = None
    usage: dict[str, int] = field(default_factory=dict)
    chunk: int = 12
    delay: float = 0.0
    first_delay: float = 0.0
    pings: int = 0
    status: int = 200
    error_type: str | None = None
    message: str = "the stand-in was told to fail"
    retry_after: int | None = None
    error_after: int | None = None
    cut_after: int | None = None
    silent_after: int | None = None
    end_after: int | None = None
    garbage_after: int | None = None


async def events(model: str, reply: Reply, usage: dict[str, int]) -> AsyncIterator[tuple[str, Any]]:
    """The server-sent events of a reply, as (name, data), in the order of the API. A `str` as data is sent as
    it is.

    Raises ConnectionAbortedError where the connection is to be cut.
    """
    text = reply.text or ""
    counts = {**usage, **reply.usage, "output_tokens": 1}
    await asyncio.sleep(reply.first_delay)
    message: dict[str, Any] = {"id": "msg_standin", "type": "message", "role": "assistant", "content": []}
    message |= {"model": model, "stop_reason": None, "stop_sequence": None, "usage": counts}
    yield "message_start", {"type": "message_start", "message": message}
    for _ in range(reply.pings):
        await asyncio.sleep(reply.delay)
        yield "ping", {"type": "ping"}
    index = 0
    if reply.thinking is not None:
        yield _block_start(index, {"type": "thinking", "thinking": "", "signature": ""})
        for piece in _chunks(reply.thinking, reply.chunk):
            await asyncio.sleep(reply.delay)
            yield _block_delta(index, {"type": "thinking_delta", "thinking": piece})
        yield _block_delta(index, {"type": "signature_delta", "signature": sign(reply.thinking)})
        yield _block_stop(index)
        index += 1
    yield _block_start(index, {"type": "text", "text": ""})
    for sent, piece in enumerate([*_chunks(text, reply.chunk), ""]):
        if sent == reply.error_after:
            yield "error", error_body(reply.error_type or "overloaded_error", reply.message)
            return
        if sent == reply.cut_after:
            raise ConnectionAbortedError("the stand-in was told to cut the connection")
        if sent == reply.silent_after:
            await asyncio.sleep(3600)
        if sent == reply.garbage_after:
            yield "content_block_delta", "{this is no JSON"
        if sent == reply.end_after:
            return
        if piece:
            await asyncio.sleep(reply.delay)
            yield _block_delta(index, {"type": "text_delta", "text": piece})
    yield _block_stop(index)
    for number, call in enumerate(reply.tool_calls, index + 1):
        opening = {"type": "tool_use", "id": call["id"], "name": call["name"], "input": {}}
        yield _block_start(number, opening)
        for piece in _chunks(call.get("json", json.dumps(call.get("input", {}))), reply.chunk):
            yield _block_delta(number, {"type": "input_json_delta", "partial_json": piece})
        yield _block_stop(number)
    reason = reply.stop_reason or ("tool_use" if reply.tool_calls else "end_turn")
    tokens = {"output_tokens": reply.usage.get("output_tokens", len(text.encode()) // 4 + 1)}
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": tokens}
    yield "message_stop", {"type": "message_stop"}


def last_text(body: dict[str, Any]) -> str:
    """The last text of the last message of a request."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return next((block["text"] for block in reversed(content) if block["type"] == "text"), "")


def summary_of(body: dict[str, Any]) -> str | None:
    """The summary that a summary prompt is answered with: how many lines there were, and how the first and
    the last begin. None for any other request."""
    system = body.get("system") or []
    if not (isinstance(system, list) and system and system[0]["text"].startswith(SUMMARY_PROMPT)):
        return None
    lines = [json.loads(line)["text"] for line in last_text(body).split("\n") if line.startswith('{"role"')]
    if not lines:
        return "Summary of nothing"
    return f"Summary of {len(lines)} lines, from: {lines[0][:60].strip()} to: {lines[-1][:60].strip()}"


def error_body(type: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": type, "message": message}, "request_id": "req_standin"}


def _block_start(index: int, block: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "content_block_start", {"type": "content_block_start", "index": index, "content_block": block}


def _block_delta(index: int, delta: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}


def _block_stop(index: int) -> tuple[str, dict[str, Any]]:
    return "content_block_stop", {"type": "content_block_stop", "index": index}


def _chunks(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
