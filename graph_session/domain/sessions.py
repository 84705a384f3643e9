"""Sessions: one conversation tree with its settings, its owner and its leaf."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from graph_session.domain.errors import InvalidInput
from graph_session.domain.text import camel_case


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfig:
    """When a session summarises, and what it keeps raw.

    `linear_threshold`: turns since the last anchor that make a new one due; `keep_raw_count`: turns at the end of a
    path that are always sent as written; the rest in tokens.
    """

    linear_threshold: int = 12
    keep_raw_count: int = 3
    anchor_budget_tokens: int = 2000
    reserve_tokens: int = 16384
    keep_recent_tokens: int = 20000


_BOUNDS = {
    "linear_threshold": (1, 10_000),
    "keep_raw_count": (0, 1_000),
    "anchor_budget_tokens": (100, 1_000_000),
    "reserve_tokens": (0, 10_000_000),
    "keep_recent_tokens": (0, 10_000_000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """`revision` grows with every change; `leaf_id` is the entry where the user stands, None before any.

    `model`: None for the server's own choice.
    """

    id: str
    owner: str
    created_at: str
    updated_at: str
    name: str | None = None
    system_prompt: str | None = None
    model: str | None = None
    config: SessionConfig = SessionConfig()
    leaf_id: str | None = None
    revision: int = 0
    node_count: int = 0
    entry_count: int = 0
    next_sequence: int = 0


def changed_config(config: SessionConfig, changes: dict[str, Any]) -> SessionConfig:
    """The config with the given values, None meaning unchanged. Raises InvalidInput for a value out of bounds."""
    given = {name: value for name, value in changes.items() if value is not None}
    known = {field.name for field in fields(SessionConfig)}
    for name, value in given.items():
        told = camel_case(name)
        if name not in known:
            raise InvalidInput(f"There is no setting {told!r}.", f"config.{told}")
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidInput(f"{told} is {value!r}; it must be a whole number.", f"config.{told}")
        low, high = _BOUNDS[name]
        if not low <= value <= high:
            raise InvalidInput(f"{told} is {value}; it must be from {low:,} to {high:,}.", f"config.{told}")
    return replace(config, **given)
