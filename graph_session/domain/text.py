"""What text may be stored: anything a person can write, within a limit, that survives a round trip through UTF-8."""

from __future__ import annotations

from graph_session.domain.errors import InvalidInput


def camel_case(name: str) -> str:
    """A field's name as the API and files have it: `system_prompt` is `systemPrompt`."""
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def check_text(text: str, field: str, *, max_chars: int, required: bool = True) -> str:
    """The text unchanged. Raises InvalidInput for an empty, over-long or not storable one."""
    if required and not text.strip():
        raise InvalidInput(f"{field} is empty; write something in it.", field)
    if len(text) > max_chars:
        raise InvalidInput(f"{field} has {len(text):,} characters; the limit here is {max_chars:,}.", field)
    if "\x00" in text:
        raise InvalidInput(f"{field} has a NUL character at position {text.index(chr(0))}; remove it.", field)
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise InvalidInput(
            f"{field} has half a surrogate pair at position {exc.start}; send whole characters.", field
        ) from None
    return text


def storable(text: str) -> str:
    """Text from a model made storable: NUL characters and half surrogate pairs become U+FFFD."""
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
