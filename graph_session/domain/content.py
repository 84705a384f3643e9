"""What a message holds: content blocks and token usage.

The names of the JSON form are those of pi's session files (version 3), so that its sessions can be read as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Plain text."""

    text: str
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """The model's reasoning; `signature` is the provider's and must be sent back as it came."""

    thinking: str
    signature: str | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """An image: base64 `data` of the type `mime_type`."""

    data: str
    mime_type: str
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCallBlock:
    """A tool that the model asks for."""

    id: str
    name: str
    arguments: JsonObject
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """A block of a type this version does not know: kept and given back, never sent to a model."""

    raw: JsonObject


Block = TextBlock | ThinkingBlock | ImageBlock | ToolCallBlock | UnknownBlock


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, as the provider reported them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    extra: JsonObject = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All tokens the call took: the prompt, cached or not, and the answer."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def plus(self, other: Usage) -> Usage:
        """The tokens of both, without what else a provider said of them."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


def text_of(blocks: Sequence[Block]) -> str:
    """The readable text of a message: its text blocks, joined without anything between them."""
    return "".join(block.text for block in blocks if isinstance(block, TextBlock))


def tool_calls(blocks: Sequence[Block]) -> list[ToolCallBlock]:
    """The tool calls among the blocks, in order."""
    return [block for block in blocks if isinstance(block, ToolCallBlock)]


def says_something(content: Sequence[Block]) -> bool:
    """Whether anything is left of a message once blank text and blocks of unknown types are gone, as no model gets
    them."""
    return any(it.text.strip() if isinstance(it, TextBlock) else not isinstance(it, UnknownBlock) for it in content)


def block_to_json(block: Block) -> dict[str, Any]:
    """The JSON form of a block."""
    match block:
        case TextBlock():
            return {"type": "text", "text": block.text, **block.extra}
        case ThinkingBlock():
            signature = {} if block.signature is None else {"thinkingSignature": block.signature}
            return {"type": "thinking", "thinking": block.thinking, **signature, **block.extra}
        case ImageBlock():
            return {"type": "image", "data": block.data, "mimeType": block.mime_type, **block.extra}
        case ToolCallBlock():
            call = {"id": block.id, "name": block.name, "arguments": dict(block.arguments)}
            return {"type": "toolCall", **call, **block.extra}
        case UnknownBlock():
            return dict(block.raw)


def block_from_json(raw: JsonObject) -> Block:
    """The block of a JSON form. A known type whose fields are missing or of the wrong type is an UnknownBlock."""
    rest = dict(raw)
    kind = rest.pop("type", None)
    match kind, rest:
        case "text", {"text": str(text)}:
            return TextBlock(text, _without(rest, "text"))
        case "thinking", {"thinking": str(thinking)}:
            signature = rest.get("thinkingSignature")
            if signature is None or isinstance(signature, str):
                return ThinkingBlock(thinking, signature, _without(rest, "thinking", "thinkingSignature"))
        case "image", {"data": str(data), "mimeType": str(mime_type)}:
            return ImageBlock(data, mime_type, _without(rest, "data", "mimeType"))
        case "toolCall", {"id": str(id), "name": str(name), "arguments": dict(arguments)}:
            return ToolCallBlock(id, name, arguments, _without(rest, "id", "name", "arguments"))
    return UnknownBlock(dict(raw))


def usage_to_json(usage: Usage) -> dict[str, Any]:
    """The JSON form of a usage."""
    tokens = {"input": usage.input_tokens, "output": usage.output_tokens}
    cache = {"cacheRead": usage.cache_read_tokens, "cacheWrite": usage.cache_write_tokens}
    return {**tokens, **cache, **usage.extra}


def usage_from_json(raw: JsonObject) -> Usage:
    """The usage of a JSON form; absent counts are 0."""
    names = ("input", "output", "cacheRead", "cacheWrite")
    sent, answered, read, written = (raw[name] if isinstance(raw.get(name), int) else 0 for name in names)
    return Usage(sent, answered, read, written, _without(raw, *names))


def _without(raw: JsonObject, *names: str) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in names}
