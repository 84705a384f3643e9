"""A session's settings: each may be changed, within its bounds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from graph_session.domain.errors import InvalidInput
from graph_session.domain.sessions import SessionConfig, changed_config
from graph_session.domain.text import camel_case

_BOUNDS = [
    ("linear_threshold", 1, 10_000),
    ("keep_raw_count", 0, 1_000),
    ("anchor_budget_tokens", 100, 1_000_000),
    ("reserve_tokens", 0, 10_000_000),
    ("keep_recent_tokens", 0, 10_000_000),
]


def test_every_setting_has_bounds_that_its_default_keeps() -> None:
    assert {name for name, _, _ in _BOUNDS} == asdict(SessionConfig()).keys()
    assert changed_config(SessionConfig(), asdict(SessionConfig())) == SessionConfig()


@pytest.mark.parametrize(("name", "low", "high"), _BOUNDS)
def test_a_setting_takes_its_bounds_and_nothing_beyond(name: str, low: int, high: int) -> None:
    for value in (low, high):
        assert getattr(changed_config(SessionConfig(), {name: value}), name) == value
    for value in (low - 1, high + 1):
        with pytest.raises(InvalidInput, match=camel_case(name)) as caught:
            changed_config(SessionConfig(), {name: value})
        assert caught.value.field == f"config.{camel_case(name)}"


@pytest.mark.parametrize("changes", [{}, {"keep_raw_count": None}])
def test_what_is_not_given_stays(changes: dict[str, Any]) -> None:
    config = SessionConfig(keep_raw_count=7)
    assert changed_config(config, changes) == config


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(InvalidInput, match="no setting 'threshold'"):
        changed_config(SessionConfig(), {"threshold": 3})


@pytest.mark.parametrize("value", [2.5, True, "3"])
def test_a_setting_that_is_no_whole_number_is_refused_and_named(value: Any) -> None:
    with pytest.raises(InvalidInput, match="whole number") as caught:
        changed_config(SessionConfig(), {"keep_raw_count": value})
    assert caught.value.field == "config.keepRawCount"
