"""State at an entry: a fold over the path from the root to it (SPEC §2), for replay and audit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from graph_session.domain.entries import (
    ActiveToolsChange,
    Entry,
    EntryType,
    Label,
    ModelChange,
    SessionInfo,
    ThinkingLevelChange,
)

# From none to the most. Other levels may be set too, for what else reads them; an answer then does without thinking.
THINKING_OFF = "off"
THINKING_LEVELS = (THINKING_OFF, "minimal", "low", "medium", "high", "xhigh", "max")

STATE_TYPES = (
    EntryType.MODEL_CHANGE,
    EntryType.THINKING_LEVEL_CHANGE,
    EntryType.ACTIVE_TOOLS_CHANGE,
    EntryType.SESSION_INFO,
    EntryType.LABEL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """What holds at an entry. `active_tools`: None where none were ever set; `labels`: by entry id."""

    provider: str | None = None
    model_id: str | None = None
    thinking_level: str | None = None
    active_tools: tuple[str, ...] | None = None
    name: str | None = None
    labels: dict[str, str] = field(default_factory=dict)


def fold(entries: Iterable[Entry], state: SessionState | None = None) -> SessionState:
    """The state after entries, oldest first; those of types that change nothing may be left out."""
    state = state or SessionState()
    for entry in entries:
        match entry.body:
            case ModelChange(provider=provider, model_id=model_id):
                state = replace(state, provider=provider, model_id=model_id)
            case ThinkingLevelChange(level=level):
                state = replace(state, thinking_level=level)
            case ActiveToolsChange(tool_names=names):
                state = replace(state, active_tools=names)
            case SessionInfo(name=name):
                state = replace(state, name=name or None)
            case Label(target_id=target, label=label):
                rest = {key: value for key, value in state.labels.items() if key != target}
                state = replace(state, labels=rest | ({target: label} if label else {}))
            case _:
                pass
    return state
