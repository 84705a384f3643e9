"""A process for a test to kill: it appends to a session and prints the last id of each change that is acknowledged."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from graph_session.domain.entries import Entry
from graph_session.storage.jsonl import JsonlStorage
from tests.domain.trees import note
from tests.storage.desk import Desk


async def main() -> None:
    desk = await Desk.fresh(JsonlStorage(Path(sys.argv[1])), id="s")
    parent: Entry | None = None
    while True:
        parent, *_ = reversed(await desk.write([note("one"), note("two")], parent))
        print(parent.id, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
