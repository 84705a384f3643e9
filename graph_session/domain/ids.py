"""Identifiers: UUIDv7 (RFC 9562), so that ids sort by the time they were made."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import uuid_utils

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def new_id() -> str:
    """A new UUIDv7 in its usual text form, monotonic within a process."""
    return str(uuid_utils.uuid7())


def is_uuid(value: object) -> bool:
    """Whether a value is a UUID in its usual text form: lower case, with hyphens."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def timestamp_now() -> str:
    """The time now: ISO 8601, UTC, milliseconds, with a `Z`."""
    return format_timestamp(datetime.now(UTC))


def format_timestamp(moment: datetime) -> str:
    """A time in UTC in that form."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_timestamp(timestamp: str) -> datetime:
    """An ISO 8601 time, in UTC; one without a zone is UTC. Raises ValueError."""
    parsed = datetime.fromisoformat(timestamp)
    try:
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError(f"{timestamp} is outside the years 1 to 9999 in UTC") from error
