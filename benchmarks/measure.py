"""Timing cases side by side: every round runs each case once, so that whatever else the machine does hits them all."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.operations import LINE_WRITES, READS, Operation
from benchmarks.trees import Tree
from graph_session.services import Services


async def warm_up(services: Services, tree: Tree, seconds: float) -> None:
    """Everything once and again: a Java engine gets fast with use, and every engine fills its caches."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for operation in (*READS, *LINE_WRITES):
            await operation.call(services, tree)
        await make_summaries(services)


async def make_summaries(services: Services) -> None:
    """All that are due. A person takes longer to ask again than they take, so they are there by then."""
    while await services.worker.run_once():
        pass


async def medians(
    services: Services, operation: Operation, cases: Mapping[int, Sequence[Tree]], *, rounds: int, seconds: float
) -> dict[int, float]:
    """The median milliseconds of an operation in each case. A case with several trees takes them in turn.

    Reads are repeated until `rounds` or, for slow ones, about `seconds` are over, but at least 5 times, after a tenth
    as many rounds that are not counted. What grows its tree runs `rounds` times, all of them counted.
    """
    times: dict[int, list[float]] = {case: [] for case in cases}
    warm_up = 0 if operation.grows else max(2, rounds // 10)
    began = time.monotonic()
    order = list(cases)
    gc.collect()
    for number in range(-warm_up, rounds):
        if not operation.grows and number >= 5 and time.monotonic() - began > seconds:
            break
        for case in order:
            trees = cases[case]
            tree = trees[number % len(trees)]
            start = time.perf_counter()
            await operation.call(services, tree)
            elapsed = time.perf_counter() - start
            if number >= 0:
                times[case].append(elapsed * 1000)
        order.append(order.pop(0))
        if operation.grows:
            await make_summaries(services)
    return {case: median(samples) for case, samples in times.items()}
