"""Entries in their JSON form from outside: checked by type, each mistake named by the entry's index and the field."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph_session.domain.entries import Entry, EntryType
from graph_session.domain.errors import InvalidInput
from graph_session.domain.ids import new_id, parse_timestamp, timestamp_now
from graph_session.domain.jsonform import body_from_json
from graph_session.domain.text import check_text, storable
from graph_session.domain.turns import write_under

MAX_ENTRIES = 1000
_MAX_ID = 100
_MAX_TEXT = 10_000_000
_MAX_NAME = 500
_MAX_DEPTH = 100
_COMMON = frozenset({"type", "id", "parentId", "timestamp"})


class _Form(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class _Text(_Form):
    type: Literal["text"]
    text: str


class _Thinking(_Form):
    type: Literal["thinking"]
    thinking: str
    thinkingSignature: str | None = None  # noqa: N815 - the format's own name


class _Image(_Form):
    type: Literal["image"]
    data: str
    mimeType: str  # noqa: N815


class _ToolCall(_Form):
    type: Literal["toolCall"]
    id: str
    name: str
    arguments: dict[str, Any]


_Shown = list[Annotated[_Text | _Image, Field(discriminator="type")]]
_Said = list[Annotated[_Text | _Thinking | _Image | _ToolCall, Field(discriminator="type")]]
_Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
_Id = Annotated[str, Field(min_length=1, max_length=_MAX_ID)]
_Name = Annotated[str, Field(max_length=_MAX_NAME)]


class _Usage(_Form):
    input: _Count = 0
    output: _Count = 0
    cacheRead: _Count = 0  # noqa: N815
    cacheWrite: _Count = 0  # noqa: N815


class _Message(_Form):
    """The fields of all roles: a message of any may have them, and none may have them in another form."""

    provider: _Name | None = None
    model: _Name | None = None
    usage: _Usage | None = None
    stopReason: (  # noqa: N815
        Literal["stop", "length", "toolUse", "refusal", "error", "aborted", "interrupted"] | None
    ) = None
    errorMessage: str | None = None  # noqa: N815
    toolCallId: str | None = None  # noqa: N815
    toolName: str | None = None  # noqa: N815
    isError: bool = False  # noqa: N815


class _User(_Message):
    role: Literal["user"]
    content: _Shown


class _Assistant(_Message):
    role: Literal["assistant"]
    content: _Said


class _ToolResult(_Message):
    role: Literal["toolResult"]
    toolCallId: str  # noqa: N815
    toolName: str  # noqa: N815
    content: _Shown


class _MessageForm(_Form):
    message: Annotated[_User | _Assistant | _ToolResult, Field(discriminator="role")]


class _CustomMessage(_Form):
    customType: _Name  # noqa: N815
    content: _Shown
    display: bool = True
    details: dict[str, Any] | None = None


class _ModelChange(_Form):
    provider: _Name
    modelId: _Name  # noqa: N815


class _ThinkingLevelChange(_Form):
    thinkingLevel: _Name  # noqa: N815


class _ActiveToolsChange(_Form):
    activeToolNames: list[_Name]  # noqa: N815


class _SessionInfo(_Form):
    name: _Name | None = None


class _Label(_Form):
    targetId: _Id  # noqa: N815
    label: _Name | None = None


class _Compaction(_Form):
    summary: str
    firstKeptEntryId: _Id  # noqa: N815
    tokensBefore: _Count  # noqa: N815
    details: dict[str, Any] | None = None


class _BranchSummary(_Form):
    fromId: _Id  # noqa: N815
    summary: str
    scope: Literal["HISTORY", "BRANCH"] = "BRANCH"
    details: dict[str, Any] | None = None


class _Custom(_Form):
    customType: _Name  # noqa: N815
    data: Any = None


class _LeafMove(_Form):
    targetId: _Id | None  # noqa: N815


_FORMS: dict[EntryType, type[BaseModel]] = {
    EntryType.MESSAGE: _MessageForm,
    EntryType.CUSTOM_MESSAGE: _CustomMessage,
    EntryType.MODEL_CHANGE: _ModelChange,
    EntryType.THINKING_LEVEL_CHANGE: _ThinkingLevelChange,
    EntryType.ACTIVE_TOOLS_CHANGE: _ActiveToolsChange,
    EntryType.SESSION_INFO: _SessionInfo,
    EntryType.LABEL: _Label,
    EntryType.COMPACTION: _Compaction,
    EntryType.BRANCH_SUMMARY: _BranchSummary,
    EntryType.CUSTOM: _Custom,
    EntryType.LEAF: _LeafMove,
}
_KNOWN = {kind: frozenset(form.model_fields) for kind, form in _FORMS.items()}


def entries_from_json(
    raw: Sequence[object], *, session_id: str, parent: Entry | None, known: Mapping[str, Entry]
) -> list[Entry]:
    """New entries from their JSON forms, each below the one before unless it says otherwise, the first below `parent`.

    `id` and `timestamp` may be left out; `parentId` may name an earlier entry of the list or one in `known`, null makes
    a root. Fields that this version does not know are kept. Raises InvalidInput that names `entries[INDEX].FIELD`.
    """
    if not raw:
        raise InvalidInput("There are no entries.", "entries")
    if len(raw) > MAX_ENTRIES:
        raise InvalidInput(f"{len(raw):,} entries; at most {MAX_ENTRIES:,} at a time.", "entries")
    made: dict[str, Entry] = {}
    last = parent
    for index, form in enumerate(raw):
        at = f"entries[{index}]"
        if not isinstance(form, dict):
            raise InvalidInput(f"{at} is not an object.", at)
        _check_json(form, at)
        kind = _type_of(form, at)
        last = _parent_of(form, at, last, {**known, **made} if "parentId" in form else {})
        entry = write_under(
            last,
            id=_id_of(form, at, made, known),
            session_id=session_id,
            timestamp=_timestamp_of(form, at),
            body=_body_of(kind, form, at),
            extra={key: value for key, value in form.items() if key not in _COMMON | _KNOWN[kind]},
        )
        made[entry.id] = last = entry
    return list(made.values())


def referenced_ids(raw: Sequence[object]) -> set[str]:
    """The ids of entries that forms refer to: parents, targets of labels and leaves, sources of branch summaries."""
    names = ("parentId", "targetId", "fromId", "firstKeptEntryId")
    found = (form.get(name) for form in raw if isinstance(form, dict) for name in names)
    # What no id can be is not looked for; it is refused with its place in the list when the forms are read.
    return {it for it in found if isinstance(it, str) and 0 < len(it) <= _MAX_ID and storable(it) == it}


def _type_of(form: dict[str, Any], at: str) -> EntryType:
    try:
        return EntryType(str(form.get("type")))
    except ValueError:
        types = ", ".join(EntryType)
        raise InvalidInput(f"{at}.type is {form.get('type')!r}; it must be one of {types}.", f"{at}.type") from None


def _id_of(form: dict[str, Any], at: str, made: Mapping[str, Entry], known: Mapping[str, Entry]) -> str:
    given = form.get("id")
    if given is None:
        return new_id()
    if not isinstance(given, str) or not 0 < len(given) <= _MAX_ID:
        raise InvalidInput(f"{at}.id must be a text of 1 to {_MAX_ID} characters.", f"{at}.id")
    if given in made or given in known:
        raise InvalidInput(f"{at}.id {given!r} is taken.", f"{at}.id")
    return given


def _parent_of(form: dict[str, Any], at: str, last: Entry | None, known: Mapping[str, Entry]) -> Entry | None:
    if "parentId" not in form:
        return last
    given = form["parentId"]
    if given is None:
        return None
    if not isinstance(given, str) or given not in known:
        raise InvalidInput(
            f"{at}.parentId {given!r} is neither an entry of this session nor an earlier one of the list.",
            f"{at}.parentId",
        )
    return known[given]


def _timestamp_of(form: dict[str, Any], at: str) -> str:
    given = form.get("timestamp")
    if given is None:
        return timestamp_now()
    try:
        parsed = parse_timestamp(given).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"{at}.timestamp {given!r} is not an ISO 8601 time.", f"{at}.timestamp") from None
    return parsed.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _body_of(kind: EntryType, form: dict[str, Any], at: str) -> Any:
    form = _with_blocks(form)
    try:
        _FORMS[kind].model_validate(form)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in _path(problem["loc"]))
        raise InvalidInput(f"{at}{where}: {problem['msg']}.", f"{at}{where}") from None
    return body_from_json(kind, form)


def _with_blocks(form: dict[str, Any]) -> dict[str, Any]:
    """The form with each content that is one text as a list of one block, as the format allows both."""
    content, message = form.get("content"), form.get("message")
    if isinstance(content, str):
        return form | {"content": [{"type": "text", "text": content}]}
    if isinstance(message, dict) and isinstance(message.get("content"), str):
        return form | {"message": _with_blocks(message)}
    return form


def _path(location: tuple[int | str, ...]) -> list[int | str]:
    """A location without the tags of unions that the validator puts into it."""
    tags = {"user", "assistant", "toolResult", "text", "thinking", "image", "toolCall"}
    last = len(location) - 1
    return [part for index, part in enumerate(location) if index == last or part not in tags]


def _check_json(value: object, at: str, depth: int = 0) -> None:
    """Refuse what could not be stored and given back as it is."""
    if depth > _MAX_DEPTH:
        raise InvalidInput(f"{at} is nested more than {_MAX_DEPTH} deep.", at)
    match value:
        case str():
            check_text(value, at, max_chars=_MAX_TEXT, required=False)
        case int() if not -(2**63) <= value < 2**64:
            raise InvalidInput(f"{at} is an integer of more than 64 bits.", at)
        case float() if not math.isfinite(value):
            raise InvalidInput(f"{at} is not a finite number.", at)
        case dict():
            for key, item in value.items():
                check_text(key, at, max_chars=_MAX_TEXT, required=False)
                _check_json(item, f"{at}.{key}", depth + 1)
        case list():
            for index, item in enumerate(value):
                _check_json(item, f"{at}[{index}]", depth + 1)
        case _:
            pass
