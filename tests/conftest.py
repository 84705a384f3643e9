"""What all tests share."""

from __future__ import annotations

import pytest

pytest_plugins = ["tests.support.lacking", "tests.support.engines"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
