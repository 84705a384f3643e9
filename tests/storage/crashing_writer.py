"""A process for a test to kill: it prints the number of each node that it has been told is committed."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from neo4j import GraphDatabase

from graph_session.storage.engines import EmbeddedEngine


def main() -> None:
    with EmbeddedEngine.start(Path(sys.argv[1])) as engine:
        at = engine.endpoint
        with GraphDatabase.driver(at.uri, auth=(at.user, at.password)) as driver:
            for number in count():
                driver.execute_query("CREATE (:Written {number: $n})", n=number, database_=at.database)
                print(number, flush=True)


if __name__ == "__main__":
    main()
