"""Contexts for the tests of models: made by hand, and at random."""

from __future__ import annotations

from hypothesis import strategies as st

from graph_session.domain.content import (
    Block,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    UnknownBlock,
)
from graph_session.domain.context import AssembledContext, ContextMessage, ContextSource
from graph_session.domain.entries import Role
from graph_session.domain.tokens import message_tokens


def said(role: str, *blocks: Block | str, source: ContextSource = ContextSource.RAW, **more: object) -> ContextMessage:
    content = tuple(TextBlock(block) if isinstance(block, str) else block for block in blocks)
    tokens = message_tokens(content)
    return ContextMessage(role=role, content=content, source=source, tokens=tokens, **more)  # type: ignore[arg-type]


def user(*blocks: Block | str, **more: object) -> ContextMessage:
    return said(Role.USER, *blocks, **more)  # type: ignore[arg-type]


def assistant(*blocks: Block | str, **more: object) -> ContextMessage:
    return said(Role.ASSISTANT, *blocks, **more)  # type: ignore[arg-type]


def result(call_id: str, *blocks: Block | str, **more: object) -> ContextMessage:
    return said(Role.TOOL_RESULT, *blocks, tool_call_id=call_id, **more)  # type: ignore[arg-type]


def question(text: str) -> ContextMessage:
    return said(Role.USER, text, source=ContextSource.QUESTION)


def call(id: str, name: str = "read", **arguments: object) -> ToolCallBlock:
    return ToolCallBlock(id, name, arguments)


def context(*messages: ContextMessage, system: str | None = None, model: str = "") -> AssembledContext:
    total = sum(message.tokens for message in messages)
    return AssembledContext(
        system=system,
        model=model,
        messages=messages,
        boundary_id=None,
        total_tokens=total,
        full_history_tokens=total,
        omitted=(),
    )


texts = st.sampled_from(["", " ", "\n\t", "hello", "ends with space ", "你好。", "مرحبا؟", "🙂"]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
)
call_ids = st.sampled_from(["a", "b", "call|1", "функция", ""])
images = st.builds(ImageBlock, st.sampled_from(["aGk=", ""]), st.sampled_from(["image/png", "image/tiff", ""]))
thoughts = st.builds(
    ThinkingBlock, texts, st.sampled_from([None, "", "c2ln"]), st.sampled_from([{}, {"redacted": True}])
)
arguments = st.dictionaries(st.text("xyz", max_size=2), st.integers() | texts, max_size=3)
calls = st.builds(ToolCallBlock, call_ids, st.sampled_from(["read", "files.read", "読む", ""]), arguments)
blocks = st.builds(TextBlock, texts) | images | thoughts | calls | st.just(UnknownBlock({"type": "new"}))
contents = st.lists(blocks, max_size=4).map(tuple)


@st.composite
def _messages(draw: st.DrawFn) -> ContextMessage:
    role = draw(st.sampled_from(list(Role)))
    return ContextMessage(
        role=role,
        content=draw(contents),
        source=draw(st.sampled_from([ContextSource.RAW, ContextSource.CUSTOM, ContextSource.NODE_SUMMARY])),
        cache_breakpoint=draw(st.booleans()),
        tool_call_id=draw(call_ids) if role is Role.TOOL_RESULT else None,
        is_error=draw(st.booleans()),
    )


any_messages = st.lists(_messages(), max_size=10)
contexts = st.builds(
    lambda messages, asked, system: context(*messages, question(asked), system=system),
    any_messages,
    texts.filter(str.strip),
    st.none() | texts,
)


@st.composite
def whole_turns(draw: st.DrawFn) -> list[list[ContextMessage]]:
    """Turns as assembly gives them: a question, calls each with its result, an answer; sometimes a note
    before it."""
    turns = []
    for number in range(draw(st.integers(1, 5))):
        turn = [user(draw(texts), source=ContextSource.CUSTOM)] if draw(st.booleans()) else []
        turn.append(user(f"question {number}"))
        for step in range(draw(st.integers(0, 2))):
            call_id = draw(st.sampled_from(["a", "b", f"{number}-{step}"]))
            asked = ToolCallBlock(call_id, "read", draw(arguments))
            turn += [assistant(draw(texts), asked), result(call_id, draw(texts))]
        turn.append(assistant(f"answer {number}"))
        turns.append(turn)
    return turns
