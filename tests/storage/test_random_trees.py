"""Random trees in a storage answer as they do in memory, and no context changes with what is done off its path."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_session.domain.context import AssembledContext, assemble
from graph_session.domain.entries import BranchSummary, Compaction, Entry, Label, LeafMove, SummaryKind
from graph_session.domain.jsonform import entry_to_json
from graph_session.domain.state import STATE_TYPES, fold
from graph_session.domain.turns import active_path, write_under
from graph_session.storage.graph.store import open_graph
from graph_session.storage.protocol import SessionStorage
from tests.domain.random_trees import Step, Tree, step_lists, steps
from tests.storage.desk import Desk, drain
from tests.support.engines import EMBEDDED, EnginePool

KEEP_RAW = 2


@pytest.fixture(scope="module")
def loop_and_storage(engine_pool: EnginePool) -> Iterator[tuple[asyncio.AbstractEventLoop, SessionStorage]]:
    """The embedded engine, on a loop that outlives an example."""
    loop = asyncio.new_event_loop()
    storage = loop.run_until_complete(open_graph(engine_pool.shared(EMBEDDED).endpoint))
    loop.run_until_complete(drain(storage))
    yield loop, storage
    loop.run_until_complete(storage.close())
    loop.close()


class Mirror:
    """A tree in memory and the same one in a session."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.tree = Tree()
        self.stored: dict[str, Entry] = {}

    async def run(self, step: Step) -> set[str]:
        """Do a step in both; the names of what it has changed."""
        before = set(self.tree.entries)
        changed = self.tree.run(step)
        new = [self._as_stored(entry) for entry in changed if entry.id not in before]
        if new:
            await self.desk.storage.append(self.desk.id, new)
        for entry in changed:
            if entry.id in before:
                await self._summarise(entry)
        return {entry.id for entry in changed}

    def _as_stored(self, entry: Entry) -> Entry:
        """The entry with ids that are unique in the database."""
        name = f"{self.desk.id} {entry.id}"
        body: Any = entry.body
        if isinstance(body, Label | LeafMove) and body.target_id:
            body = replace(body, target_id=self.stored[body.target_id].id)
        if isinstance(body, Compaction):
            body = replace(body, first_kept_entry_id=self.stored[body.first_kept_entry_id].id)
        parent = self.stored[entry.parent_id] if entry.parent_id else None
        made = write_under(parent, id=name, session_id=self.desk.id, timestamp=entry.timestamp, body=body)
        made = replace(made, place=replace(made.place, kept_depth=entry.place.kept_depth), summary=entry.summary)
        self.stored[entry.id] = made
        return made

    async def _summarise(self, entry: Entry) -> None:
        """A summary lands as a worker lands it."""
        storage: Any = self.desk.storage
        is_anchor = entry.summary.is_anchor and entry.summary.anchor_summary is not None
        fields = {
            "is_summary_anchor": entry.summary.is_anchor,
            "is_boundary": is_anchor,
            "summary_kind": (SummaryKind.ANCHOR if entry.summary.is_anchor else SummaryKind.NODE).value,
            "summary_state": "DONE",
            "node_summary": entry.summary.node_summary,
            "anchor_summary": entry.summary.anchor_summary,
            "summary_model": entry.summary.model,
        }
        async with storage._db._driver.session(database=storage._db._database) as graph:
            await (
                await graph.run(
                    "MATCH (e:Entry {id: $id}) SET e += $fields", id=self.stored[entry.id].id, fields=fields
                )
            ).consume()
        self.stored[entry.id] = replace(self.stored[entry.id], summary=entry.summary)

    async def context(self, name: str) -> AssembledContext:
        view = await self.desk.storage.view_at(self.desk.id, self.stored[name].id)
        assert view is not None
        return assemble(view.path, keep_raw=KEEP_RAW, model="echo", question="and now?")

    def expected(self, name: str) -> AssembledContext:
        path = [self.stored[entry.id] for entry in self.tree.path(name)]
        return assemble(path, keep_raw=KEEP_RAW, model="echo", question="and now?")


def bytes_of(context: AssembledContext) -> bytes:
    return repr(context).encode()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=step_lists, after=st.lists(steps, max_size=4))
def test_a_stored_tree_answers_as_one_in_memory(
    loop_and_storage: tuple[asyncio.AbstractEventLoop, SessionStorage], before: list[Step], after: list[Step]
) -> None:
    loop, storage = loop_and_storage
    loop.run_until_complete(_compare(storage, before, after))


async def _compare(storage: SessionStorage, before: list[Step], after: list[Step]) -> None:
    desk = await Desk.fresh(storage)
    mirror = Mirror(desk)
    for step in before:
        await mirror.run(step)
    seen = {name: bytes_of(await mirror.context(name)) for name in mirror.stored}
    for step in after:
        changed = await mirror.run(step)
        for name in seen:
            now = bytes_of(await mirror.context(name))
            if changed.isdisjoint(entry.id for entry in mirror.tree.path(name)):
                assert now == seen[name]
            seen[name] = now
    found = await storage.entries([entry.id for entry in mirror.stored.values()])
    for name, entry in mirror.stored.items():
        path = [mirror.stored[it.id] for it in mirror.tree.path(name)]
        assert bytes_of(await mirror.context(name)) == bytes_of(mirror.expected(name))
        assert fold(await storage.path_of_types(entry.id, STATE_TYPES)) == fold(path)
        view = await storage.view_at(desk.id, entry.id)
        assert view is not None
        state = fold(path)
        assert (view.state.model_id, view.state.thinking_level, view.state.active_tools) == (
            *(state.model_id, state.thinking_level, state.active_tools),
        )
        stored = found[entry.id]
        assert orjson.dumps(entry_to_json(stored)) == orjson.dumps(entry_to_json(entry))
        assert (stored.hash, stored.parent_id, stored.place) == (entry.hash, entry.parent_id, entry.place)
        if entry.ends_turn:
            assert await storage.active_path(entry.id) == active_path(path)
    await _compare_pairs(storage, mirror)
    await _compare_session(desk, mirror)


async def _compare_pairs(storage: SessionStorage, mirror: Mirror) -> None:
    names = list(mirror.stored)
    for a, b in zip(names, names[1:] + names[:1], strict=True):
        shared = {it.id for it in mirror.tree.path(a)} & {it.id for it in mirror.tree.path(b)}
        nearest = [it.id for it in mirror.tree.path(a) if it.id in shared][-1:]
        common = await storage.common_ancestor(mirror.stored[a].id, mirror.stored[b].id)
        assert common == (mirror.stored[nearest[0]].id if nearest else None)


async def _compare_session(desk: Desk, mirror: Mirror) -> None:
    session = await desk.session()
    assert session.entry_count == len(mirror.stored)
    page = await desk.storage.node_page(session, None, 500)
    assert session.node_count == len(page.items)
    ended = [entry.id for entry in mirror.stored.values() if entry.ends_turn]
    assert {node.node_id for node in page.items} >= set(ended)
    labels: dict[str, str | None] = {}
    for entry in mirror.stored.values():
        if isinstance(entry.body, Label):
            labels[entry.body.target_id] = entry.body.label or None
    found = await desk.storage.entries(list(labels))
    assert {target: found[target].label for target in labels} == labels
    pending = [it for it in mirror.stored.values() if isinstance(it.body, BranchSummary) and it.summary.kind]
    assert all(
        found_entry.summary.kind for found_entry in (await desk.storage.entries([it.id for it in pending])).values()
    )
    await drain(desk.storage)
