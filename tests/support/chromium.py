"""The browser for tests and benchmarks: the machine's own, since those that Playwright fetches are no packages."""

from __future__ import annotations

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LACK = f"none of {', '.join(NAMES)} was found"


def chromium() -> str | None:
    """The program; None if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)
