"""A pytest plugin: what the tests need of the machine and it lacks, such as Java, Node or a browser.

A test that needs such a thing is skipped, and the end of the run lists what did not run and why. With
GRAPH_SESSION_REQUIRE_ENGINES=1 the test fails instead.
"""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


class Lacking:
    """What does not run here, and why."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}

    def check(self, name: str) -> None:
        """Ends the test if `name` was given up before."""
        if name in self.reasons:
            self.give_up(name, self.reasons[name])

    def give_up(self, name: str, reason: str) -> NoReturn:
        """Ends the test, which needs what does not run."""
        self.reasons[name] = reason
        told = f"{name} does not run: {reason}"
        if os.environ.get("GRAPH_SESSION_REQUIRE_ENGINES") == "1":
            pytest.fail(told, pytrace=False)
        pytest.skip(told)


_LACKING = pytest.StashKey[Lacking]()


@pytest.fixture(scope="session")
def lacking(request: pytest.FixtureRequest) -> Lacking:
    return request.config.stash[_LACKING]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LACKING] = Lacking()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reasons = config.stash[_LACKING].reasons
    if reasons:
        terminalreporter.section("what did not run")
        for name, reason in reasons.items():
            terminalreporter.write_line(f"{name}: {reason}")
