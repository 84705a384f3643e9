"""Times as they are read."""

from __future__ import annotations

import pytest

from graph_session.domain.ids import parse_timestamp


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("2026-12-01T10:00:00.000Z", "2026-12-01T10:00:00+00:00"),
        ("2026-12-01T10:00:00+02:00", "2026-12-01T08:00:00+00:00"),
        ("2026-12-01T10:00:00", "2026-12-01T10:00:00+00:00"),
        ("2026-12-01", "2026-12-01T00:00:00+00:00"),
    ],
)
def test_a_time_is_read_as_one_of_utc(given: str, read: str) -> None:
    assert parse_timestamp(given).isoformat() == read


@pytest.mark.parametrize("given", ["", "yesterday", "0001-01-01T00:00:00+05:00", "9999-12-31T23:00:00-05:00"])
def test_what_is_no_time(given: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is the parser's own
        parse_timestamp(given)
