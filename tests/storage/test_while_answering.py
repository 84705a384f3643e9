"""What a user may do while an answer runs at the leaf: look elsewhere and come back, and label, on every storage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph_session.domain.answers import RunningAnswer
from graph_session.domain.entries import Entry, EntryType
from graph_session.domain.errors import InvalidInput, LeafConflict, NotFound
from graph_session.domain.ids import new_id
from graph_session.domain.principal import Principal
from graph_session.services.changes import ChangeService
from graph_session.services.sessions import ForkPosition, SessionService
from graph_session.services.verify import VerifyService
from graph_session.storage.protocol import ANYWHERE, SessionStorage
from tests.storage.desk import NO_MARKS, OWNER, Desk

ME = Principal("somebody")


@dataclass
class User:
    """One who asks, moves and labels, and what that should have led to."""

    desk: Desk
    nodes: list[Entry] = field(default_factory=list)
    running: list[tuple[Entry, RunningAnswer]] = field(default_factory=list)
    leaf: str | None = None
    labels: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sessions = SessionService(self.desk.storage, on_change=lambda _: None)
        self.changes = ChangeService(self.desk.storage, on_change=lambda _: None)

    async def begin(self, at: int) -> None:
        asked, running = await self.desk.begin(self.nodes[at % len(self.nodes)] if self.nodes else None)
        self.running.append((asked, running))
        self.leaf = asked.id

    async def finish(self, at: int) -> None:
        if not self.running:
            return
        asked, running = self.running.pop(at % len(self.running))
        ended = self.desk.ended(asked, running)
        assert await self.desk.storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS)
        self.nodes.append(ended)
        assert (await self.desk.read(ended.id)).parent_id == asked.id
        if self.leaf == asked.id:
            self.leaf = ended.id

    async def move(self, at: int) -> None:
        places = [*((node.id, node.id) for node in self.nodes), *((it.id, asked.id) for asked, it in self.running)]
        if places:
            target, self.leaf = places[at % len(places)]
            if at % 2:
                moved = await self.sessions.move_leaf(ME, self.desk.id, target, ANYWHERE)
            else:
                moved = (await self.sessions.fork(ME, self.desk.id, target, ForkPosition.AT, ANYWHERE)).session
            assert moved.leaf_id == self.leaf

    async def label(self, at: int) -> None:
        if self.nodes:
            target, label = self.nodes[at % len(self.nodes)].id, (f"label {at}", None)[at % 5 == 0]
            done = await self.changes.set_label(ME, target, label)
            self.labels[target] = label
            if not any(asked.id == self.leaf for asked, _ in self.running):
                self.leaf = done.entries[0].id
            assert done.session.leaf_id == self.leaf

    async def check(self) -> None:
        session = await self.desk.session()
        assert session.leaf_id == self.leaf
        shown = await self.desk.storage.nodes([node.id for node in self.nodes])
        assert {node_id: node.label for node_id, node in shown.items()} == {
            node.id: self.labels.get(node.id) for node in self.nodes
        }
        assert {it.id for it, _ in await self.desk.storage.running(self.desk.id)} == {it.id for _, it in self.running}


DOING = st.lists(st.tuples(st.sampled_from(["begin", "finish", "move", "label"]), st.integers(0, 99)), max_size=25)


@settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(doing=DOING)
async def test_the_leaf_stays_where_it_was_moved_and_labels_hold(
    storage: SessionStorage, doing: list[tuple[str, int]]
) -> None:
    user = User(await Desk.fresh(storage))
    await user.begin(0)
    for name, number in doing:
        await getattr(user, name)(number)
        await user.check()
    while user.running:
        await user.finish(0)
        await user.check()
    report = await VerifyService(storage).verify(ME, user.desk.id)
    assert report.problems == ()
    await storage.delete_session(user.desk.id)


async def test_a_label_is_written_beside_the_answer_and_is_not_above_it(storage: SessionStorage) -> None:
    user = User(await Desk.fresh(storage))
    first = await user.desk.ask(None)
    asked, running = await user.desk.begin(first)
    written = (await user.changes.set_label(ME, first.id, "here")).entries[0]
    assert written.parent_id == asked.id
    ended = user.desk.ended(asked, running)
    await storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS)
    assert [entry.type for entry in await storage.path_page(ended.id, 9)] == [EntryType.MESSAGE] * 4
    assert (await user.changes.state_at(ME, ended.id))[0].labels == {}
    assert (await user.changes.state_at(ME, written.id))[0].labels == {first.id: "here"}
    # Where nothing runs it is above what comes next.
    again = (await user.changes.set_label(ME, ended.id, "there")).entries[0]
    assert (again.parent_id, (await user.desk.session()).leaf_id) == (ended.id, again.id)


async def test_what_acts_below_the_leaf_is_refused_there_and_not_elsewhere(storage: SessionStorage) -> None:
    user = User(await Desk.fresh(storage))
    first = await user.desk.ask(None)
    _, running = await user.desk.begin(first)
    before = await user.desk.counts()
    note: dict[str, Any] = {"type": "custom_message", "customType": "note", "content": "x"}
    changes, session_id = user.changes, user.desk.id

    def acts() -> list[Any]:
        return [
            changes.change_model(ME, session_id, "offline", "offline"),
            changes.change_thinking_level(ME, session_id, "high"),
            changes.change_active_tools(ME, session_id, []),
            changes.append(ME, session_id, [note], parent_id=None),
        ]

    for act in acts():
        with pytest.raises(InvalidInput, match="An answer is running at the leaf") as refused:
            await act
        assert refused.value.field == "sessionId"
    with pytest.raises(NotFound):
        await changes.set_label(ME, running.id, "not yet")
    assert await user.desk.counts() == before
    await user.sessions.move_leaf(ME, session_id, first.id, ANYWHERE)
    for act in acts():
        await act


class Late:
    """A storage on which an answer ends just when somebody goes to it."""

    def __init__(self, storage: SessionStorage, ended: Entry) -> None:
        self._storage = storage
        self._ended: Entry | None = ended

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def running_answer(self, answer_id: str) -> RunningAnswer | None:
        found = await self._storage.running_answer(answer_id)
        if self._ended is not None:
            assert await self._storage.finish_answer(self._ended, owner=OWNER, marks=NO_MARKS)
            self._ended = None
        return found


async def test_whoever_goes_to_an_answer_that_ends_meanwhile_stands_at_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    await storage.move_leaf(desk.id, first.id, ANYWHERE)
    late: Any = Late(storage, desk.ended(asked, running))
    sessions = SessionService(late, on_change=lambda _: None)
    moved = await sessions.move_leaf(ME, desk.id, running.id, ANYWHERE)
    assert moved.leaf_id == (await desk.session()).leaf_id == running.id
    assert await storage.active_path(running.id) == [first.id, running.id]


async def test_going_to_an_answer_that_runs_is_refused_as_to_any_place(storage: SessionStorage) -> None:
    user, other = User(await Desk.fresh(storage)), await Desk.fresh(storage)
    first = await user.desk.ask(None)
    asked, running = await user.desk.begin(first)
    _, elsewhere = await other.begin(None)
    for target in (elsewhere.id, new_id()):
        with pytest.raises(NotFound, match=target):
            await user.sessions.move_leaf(ME, user.desk.id, target, ANYWHERE)
    with pytest.raises(LeafConflict):
        await user.sessions.move_leaf(ME, user.desk.id, running.id, first.id)
    # A mark would stand between the question and nothing.
    with pytest.raises(NotFound):
        await user.sessions.fork(ME, user.desk.id, running.id, ForkPosition.AT, ANYWHERE, label="here")
    assert (await user.desk.session()).leaf_id == asked.id
