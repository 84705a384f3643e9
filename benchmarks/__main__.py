"""`python -m benchmarks`: measure, and print one table an engine."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import platform
import time
from collections.abc import Sequence

from benchmarks.engines import ENGINES, started, title
from benchmarks.measure import medians, warm_up
from benchmarks.operations import BRANCH_WRITES, LINE_WRITES, PATH_PAGE, READS, Operation, ask_on
from benchmarks.table import Row, render
from benchmarks.trees import Tree, build_branches, build_line
from graph_session.services import Services
from graph_session.storage.graph.database import round_trips
from tests.support.neo4j_server import EngineMissing

SIZES = (100, 1_000, 10_000, 100_000)
BRANCHES = (1, 10, 100, 1_000)
ROUND_TRIPS_GOAL = 3
# A tree with few branches is built once for each round that writes to it, so that each still has few when written to.
COPY_BELOW = 20


def main() -> None:
    options = _options()
    # A new Neo4j warns of each name that it does not have yet.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"
    print(f"graph_session, medians of rounds that take all cases in turn; {where}", flush=True)
    for engine in options.engines:
        try:
            asyncio.run(_measure(engine, options))
        except EngineMissing as missing:
            print(f"\n{engine} was not measured: {missing}", flush=True)


async def _measure(engine: str, options: argparse.Namespace) -> None:
    async with started(engine) as services:
        print(f"\n## {title(engine)}", flush=True)
        embedded = engine == "embedded"
        began = time.monotonic()
        lines = {size: [await build_line(services, size)] for size in options.sizes}
        reads, writes = await _build_branches(services, options)
        built = time.monotonic() - began

        # Java compiles what it has seen often enough, which takes a busy machine a while.
        await warm_up(services, await build_line(services, 100), options.warm_up * (1 if embedded else 4))
        rows = [await _row(services, operation, lines, embedded, options) for operation in (*READS, *LINE_WRITES)]
        trips = {size: await _round_trips(services, trees[0]) for size, trees in lines.items()}
        rows.append(Row("ask, round trips", trips, goal=ROUND_TRIPS_GOAL, whole=True))
        _show("entries", options.sizes, "entries in one line", rows)

        rows = [await _row(services, operation, reads, embedded, options, branches=True) for operation in READS]
        rows += [
            await _row(services, operation, writes, embedded, options, branches=True) for operation in BRANCH_WRITES
        ]
        _show("branches", options.branches, "branches at a node in the middle", rows)
        print(f"\nBuilt in {built:.0f} s, measured in {time.monotonic() - began - built:.0f} s.", flush=True)


async def _build_branches(
    services: Services, options: argparse.Namespace
) -> tuple[dict[int, list[Tree]], dict[int, list[Tree]]]:
    reads: dict[int, list[Tree]] = {}
    writes: dict[int, list[Tree]] = {}
    for branches in options.branches:
        copies = 2 * options.writes if branches < COPY_BELOW else 1
        built = [await build_branches(services, branches) for _ in range(copies)]
        reads[branches] = [built[0][0]]
        writes[branches] = [write for _, write in built]
    return reads, writes


async def _row(
    services: Services,
    operation: Operation,
    cases: dict[int, list[Tree]],
    embedded: bool,
    options: argparse.Namespace,
    *,
    branches: bool = False,
) -> Row:
    rounds = options.writes if operation.grows else options.rounds
    figures = await medians(services, operation, cases, rounds=rounds, seconds=options.seconds)
    return Row(
        operation.name,
        figures,
        goal=operation.goal_embedded_ms if embedded else operation.goal_neo4j_ms,
        goal_ratio=operation.goal_branch_ratio if branches else operation.goal_line_ratio,
        # A shorter line does not fill a page.
        ratio_from=PATH_PAGE if operation.name.startswith("path page") and not branches else 0,
    )


async def _round_trips(services: Services, tree: Tree) -> float:
    names: list[str] = []
    token = round_trips.set(names)
    await ask_on(services, tree)
    round_trips.reset(token)
    return len(names)


def _show(unit: str, cases: Sequence[int], goal_name: str, rows: Sequence[Row]) -> None:
    print(f"\n{render(unit, cases, rows)}")
    if any(row.ratio_from > cases[0] and row.ratio is not None for row in rows):
        print(f"\n\\* from the smallest line that fills a page of {PATH_PAGE}.")
    missed = [miss for row in rows for miss in row.misses(goal_name)]
    print("\nMissed: " + ("; ".join(missed) if missed else "nothing") + ".", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure graph_session.")
    parser.add_argument("--engines", type=_names, default=ENGINES, help=f"default: {','.join(ENGINES)}")
    parser.add_argument("--sizes", type=_numbers, default=SIZES, help="entries in one line, e.g. 100,10000")
    parser.add_argument("--branches", type=_numbers, default=BRANCHES, help="branches at one node, e.g. 1,1000")
    parser.add_argument("--quick", action="store_true", help="small trees and few rounds, the embedded engine only")
    options = parser.parse_args()
    options.rounds, options.writes, options.seconds, options.warm_up = 200, 30, 20.0, 15.0
    if options.quick:
        options.rounds, options.writes, options.seconds, options.warm_up = 30, 10, 5.0, 2.0
        if options.sizes is SIZES:
            options.sizes = SIZES[:3]
        if options.branches is BRANCHES:
            options.branches = BRANCHES[:3]
        if options.engines is ENGINES:
            options.engines = ENGINES[:1]
    return options


def _names(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in ENGINES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown {', '.join(unknown)}; there are {', '.join(ENGINES)}")
    return names


def _numbers(text: str) -> list[int]:
    numbers = sorted(int(part.replace("_", "")) for part in text.split(","))
    if numbers[0] < 1:
        raise argparse.ArgumentTypeError("numbers from 1 on")
    return numbers


if __name__ == "__main__":
    main()
