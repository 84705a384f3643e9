"""The page's own unit tests, which run in Node."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.support import WEB, run


def test_the_units_of_the_page(built_page: Path) -> None:
    # The types that the build generates are there now.
    said = run("npm", "test", folder=WEB)
    print(said)
    passed = re.search(r"Tests +(\d+) passed \(\d+\)", said)
    assert passed, "no tests ran, or not all of them"
    assert int(passed[1]) > 0
