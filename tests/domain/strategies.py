"""Hypothesis strategies for domain values: any that a person, a model or an import may write."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from graph_session.domain import content as c
from graph_session.domain import entries as e

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
names = st.text("abcdefgh_", min_size=1, max_size=8)
# What orjson writes and reads back unchanged: 64-bit integers, finite floats.
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
finite_json = json_values.filter(lambda value: "inf" not in repr(value))
# Names that no field of the format has.
extras = st.dictionaries(names.map(lambda name: f"x-{name}"), finite_json, max_size=2)
counts = st.integers(0, 2_000_000)

blocks = st.one_of(
    st.builds(c.TextBlock, texts, extras),
    st.builds(c.ThinkingBlock, texts, st.none() | texts, extras),
    st.builds(c.ImageBlock, texts, names, extras),
    st.builds(c.ToolCallBlock, names, names, st.dictionaries(texts, finite_json, max_size=2), extras),
    st.builds(c.UnknownBlock, extras.map(lambda extra: {"type": "hologram", **extra})),
)
contents = st.lists(blocks, max_size=4).map(tuple)
usages = st.builds(c.Usage, counts, counts, counts, counts, extras)
details = st.none() | st.dictionaries(texts, finite_json, max_size=2)


@st.composite
def messages(draw: st.DrawFn) -> e.Message:
    role = draw(st.sampled_from(e.Role))
    own: dict[str, Any] = {}
    if role is e.Role.ASSISTANT:
        own = {
            "provider": draw(st.none() | names),
            "model": draw(st.none() | names),
            "usage": draw(st.none() | usages),
            "stop_reason": draw(st.none() | st.sampled_from(e.StopReason)),
            "error": draw(st.none() | texts),
        }
    elif role is e.Role.TOOL_RESULT:
        own = {"tool_call_id": draw(names), "tool_name": draw(names), "is_error": draw(st.booleans())}
    return e.Message(role=role, content=draw(contents), extra=draw(extras), **own)


bodies_by_type: dict[e.EntryType, st.SearchStrategy[Any]] = {
    e.EntryType.MESSAGE: messages(),
    e.EntryType.CUSTOM_MESSAGE: st.builds(
        e.CustomMessage, custom_type=names, content=contents, display=st.booleans(), details=details
    ),
    e.EntryType.MODEL_CHANGE: st.builds(e.ModelChange, provider=names, model_id=names),
    e.EntryType.THINKING_LEVEL_CHANGE: st.builds(e.ThinkingLevelChange, level=names),
    e.EntryType.ACTIVE_TOOLS_CHANGE: st.builds(e.ActiveToolsChange, tool_names=st.lists(names, max_size=3).map(tuple)),
    e.EntryType.SESSION_INFO: st.builds(e.SessionInfo, name=st.none() | texts),
    e.EntryType.LABEL: st.builds(e.Label, target_id=names, label=st.none() | texts),
    e.EntryType.COMPACTION: st.builds(
        e.Compaction, summary=texts, first_kept_entry_id=names, tokens_before=counts, details=details
    ),
    e.EntryType.BRANCH_SUMMARY: st.builds(
        e.BranchSummary, from_id=names, summary=texts, scope=st.sampled_from(e.SummaryScope), details=details
    ),
    e.EntryType.CUSTOM: st.builds(e.Custom, custom_type=names, data=finite_json),
    e.EntryType.LEAF: st.builds(e.LeafMove, target_id=st.none() | names),
}
bodies = st.one_of(*bodies_by_type.values())
