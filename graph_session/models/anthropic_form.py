"""The form in which Anthropic's Messages API takes a context: pure functions, no SDK.

The API answers 400 to much that a tree with imports can hold, so every rule is kept here: roles alternate and
begin with the user, text blocks are not blank, each tool call is followed at once by its result, ids and
names have its alphabet. The same context always gives the same bytes, and a longer context begins with those
of the shorter one: its prompt cache recognises a prefix by nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

from graph_session.domain.content import Block, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from graph_session.domain.context import AssembledContext, ContextMessage
from graph_session.domain.entries import Role
from graph_session.domain.state import THINKING_LEVELS, THINKING_OFF

PROVIDER = "anthropic"
MAX_BREAKPOINTS = 4
OPENING = "(The conversation begins with the assistant.)"
IMAGE_TYPES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
_EPHEMERAL = {"type": "ephemeral"}
_UNCACHEABLE = ("thinking", "redacted_thinking")
_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")
_NAME_CHARS = 128
_EFFORTS = {level: level for level in THINKING_LEVELS if level != THINKING_OFF} | {"minimal": "low"}

Json = dict[str, Any]


def request_form(context: AssembledContext) -> Json:
    """The arguments `messages`, `system`, `tools`, `tool_choice`, `thinking` and `output_config` of a request; all
    but the first only where needed."""
    messages = messages_form(context.messages)
    thinking = thinking_form(context.thinking_level)
    return {"messages": messages} | system_form(context.system) | _tools_form(messages) | thinking


def system_form(system: str | None) -> Json:
    """The argument `system`, ending in a cache breakpoint; nothing for a blank prompt."""
    if not system or not system.strip():
        return {}
    return {"system": [{"type": "text", "text": system, "cache_control": dict(_EPHEMERAL)}]}


def thinking_form(level: str | None) -> Json:
    """The arguments that ask for a level of thinking; nothing for `off` and for levels that the API does not know."""
    effort = _EFFORTS.get(level or "")
    if effort is None:
        return {}
    return {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": effort}}


def messages_form(messages: Sequence[ContextMessage]) -> list[Json]:
    """The argument `messages`, with at most three cache breakpoints. Empty where nothing can be sent."""
    pairs = _Pairs(messages)
    rendered = [_blocks(index, message, pairs) for index, message in enumerate(messages)]
    _set_breakpoints(messages, rendered)
    turns: list[Json] = []
    owed: list[int] = []
    for index, message in enumerate(messages):
        if message.role == Role.ASSISTANT:
            _append(turns, "assistant", rendered[index])
            owed += pairs.results_of(index)
            continue
        for result in owed:
            _append(turns, "user", rendered[result])
        owed.clear()
        if message.role != Role.TOOL_RESULT:
            _append(turns, "user", rendered[index])
    if turns and turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": [{"type": "text", "text": OPENING}]})
    return turns


def model_id(name: str) -> str:
    """A model's id without the provider before it: `anthropic/claude-x` is `claude-x`."""
    return name.strip().removeprefix(f"{PROVIDER}/")


class _Pairs:
    """Which tool call belongs to which result, by id and order. Calls and results without the other are not
    in it.

    `call_ids`: the id to send, by (message index, block index) of a call; `result_ids`: by message index of a
    result. Ids are unique in a request but not in every imported session, so a second call of the same id
    gets another one.
    """

    def __init__(self, messages: Sequence[ContextMessage]) -> None:
        self.call_ids: dict[tuple[int, int], str] = {}
        self.result_ids: dict[int, str] = {}
        self._results: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        unanswered: defaultdict[str, deque[tuple[int, int, str]]] = defaultdict(deque)
        seen: Counter[str] = Counter()
        for index, message in enumerate(messages):
            if message.role == Role.TOOL_RESULT and unanswered[message.tool_call_id or ""]:
                called, position, wire_id = unanswered[message.tool_call_id or ""].popleft()
                self.call_ids[called, position] = self.result_ids[index] = wire_id
                self._results[called].append((position, index))
            elif message.role == Role.ASSISTANT:
                for position, block in enumerate(message.content):
                    if isinstance(block, ToolCallBlock):
                        unanswered[block.id].append((index, position, _wire_id(block.id, seen[block.id])))
                        seen[block.id] += 1

    def results_of(self, index: int) -> list[int]:
        """The indices of the messages with the results of a message's calls, in the order of the calls."""
        return [result for _, result in sorted(self._results[index])]


def _wire_id(id: str, times_seen: int) -> str:
    if id and times_seen == 0 and not _FOREIGN.search(id):
        return id
    return "call_" + hashlib.blake2b(f"{times_seen} {id}".encode(), digest_size=12).hexdigest()


def _wire_name(name: str) -> str:
    return _FOREIGN.sub("_", name)[:_NAME_CHARS] or "tool"


def _blocks(index: int, message: ContextMessage, pairs: _Pairs) -> list[Json]:
    if message.role == Role.ASSISTANT:
        blocks = [_assistant_block(block, pairs.call_ids.get((index, i))) for i, block in enumerate(message.content)]
        kept = [block for block in blocks if block is not None]
        while kept and kept[-1]["type"] in _UNCACHEABLE:
            kept.pop()
        return kept
    content = [block for block in map(_user_block, message.content) if block is not None]
    if message.role != Role.TOOL_RESULT:
        return content
    call_id = pairs.result_ids.get(index)
    if call_id is None:
        return []
    result: Json = {"type": "tool_result", "tool_use_id": call_id}
    if content:
        result["content"] = content
    if message.is_error:
        result["is_error"] = True
    return [result]


def _user_block(block: Block) -> Json | None:
    match block:
        case TextBlock(text=text) if text.strip():
            return {"type": "text", "text": text}
        case ImageBlock(data=data, mime_type=mime_type) if data and mime_type in IMAGE_TYPES:
            return {"type": "image", "source": {"type": "base64", "media_type": mime_type, "data": data}}
        case ImageBlock(mime_type=mime_type):
            return {"type": "text", "text": f"[an image of type {mime_type}, which cannot be shown]"}
        case _:
            return None


def _assistant_block(block: Block, call_id: str | None) -> Json | None:
    match block:
        case TextBlock(text=text) if text.strip():
            return {"type": "text", "text": text}
        case ThinkingBlock(signature=str(signature), extra={"redacted": True}) if signature:
            return {"type": "redacted_thinking", "data": signature}
        case ThinkingBlock(thinking=thinking, signature=str(signature)) if signature:
            return {"type": "thinking", "thinking": thinking, "signature": signature}
        case ToolCallBlock(name=name, arguments=arguments) if call_id:
            # Sorted, because a database may give keys back in another order than the model wrote them.
            ordered = json.loads(json.dumps(dict(arguments), sort_keys=True))
            return {"type": "tool_use", "id": call_id, "name": _wire_name(name), "input": ordered}
        case ImageBlock(mime_type=mime_type):
            return {"type": "text", "text": f"[an image of type {mime_type}]"}
        case _:
            return None


def _set_breakpoints(messages: Sequence[ContextMessage], rendered: Sequence[list[Json]]) -> None:
    """Mark the last block at or before each message with a breakpoint; where there are too many, the first
    ones go, since a later prefix holds the earlier one."""
    last: Json | None = None
    marked: list[Json] = []
    for message, blocks in zip(messages, rendered, strict=True):
        last = next((block for block in reversed(blocks) if block["type"] not in _UNCACHEABLE), last)
        if message.cache_breakpoint and last is not None and all(last is not block for block in marked):
            marked.append(last)
    for block in marked[-(MAX_BREAKPOINTS - 1) :]:
        block["cache_control"] = dict(_EPHEMERAL)


def _append(turns: list[Json], role: str, blocks: list[Json]) -> None:
    if blocks and turns and turns[-1]["role"] == role:
        turns[-1]["content"].extend(blocks)
    elif blocks:
        turns.append({"role": role, "content": list(blocks)})


def _tools_form(messages: Sequence[Json]) -> Json:
    """The tools that the messages speak of, in the order they first do: calls in a request without their
    tools are an error. None of them can be run from here, so the model is told not to call any."""
    blocks = (block for message in messages for block in message["content"])
    names = dict.fromkeys(block["name"] for block in blocks if block["type"] == "tool_use")
    if not names:
        return {}
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in names]
    return {"tools": tools, "tool_choice": {"type": "none"}}
