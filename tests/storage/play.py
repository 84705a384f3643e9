"""The same things done to several storages: what is to be done is decided once, and each storage's answers are kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, is_dataclass, replace
from typing import Any

from hypothesis import strategies as st

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import Body, Entry, SummaryScope
from graph_session.domain.errors import GraphSessionError
from graph_session.domain.ids import new_id
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import write_under
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, SessionStorage, SummaryJob
from tests.domain.trees import (
    NOON,
    answer,
    branch,
    condensed,
    failed,
    note,
    other_model,
    question,
    tool_result,
    tool_use,
)
from tests.storage.desk import due

Step = tuple[str, tuple[int, ...]]
ACTIONS = (
    *(
        "create",
        "append",
        "append",
        "append",
        "begin",
        "begin",
        "begin",
        "again",
        "renew",
        "finish",
        "finish",
        "finish",
    ),
    *("cancel", "move", "update", "claim", "renew_summary", "finish_summary", "finish_summary", "fail_summary"),
    *("release_summary", "retry", "delete", "expired"),
)
steps = st.lists(st.tuples(st.sampled_from(ACTIONS), st.tuples(*[st.integers(0, 11)] * 4)), min_size=8, max_size=60)
_BODIES: tuple[Body, ...] = (
    question("Why 🌳?"),
    answer(),
    question(""),
    answer("Also so."),
    note(),
    tool_use("1", text="let me look"),
    tool_result("1"),
    failed("half"),
    other_model(),
    branch("what came before", SummaryScope.HISTORY),
    branch("elsewhere"),
    answer("", answer().stop_reason or "stop"),  # type: ignore[arg-type]
)
_OWNERS = ("this process", "another")
_TEXTS = ("Be", "Beca", "Because", "Other")


class Play:
    """Decides what steps mean. `entries` and `answers` are those that were tried, written or not: storages must agree
    on that too. `masked`: fields whose values differ from run to run."""

    def __init__(self, storages: Sequence[SessionStorage], masked: frozenset[str] = frozenset()) -> None:
        self.storages = list(storages)
        self._masked = masked
        self.sessions: list[str] = []
        self.entries: list[Entry] = []
        self.answers: list[tuple[Entry, RunningAnswer]] = []
        self._jobs: list[list[SummaryJob]] = []
        self.owner = f"owner {new_id()}"

    async def do(self, step: Step) -> None:
        """Do one step on each storage. AssertionError where their answers differ."""
        name, numbers = step
        if name == "create" or not self.sessions:
            await self._create(numbers)
        else:
            await getattr(self, f"_{name}")(*numbers)

    async def each(self, ask: Callable[[SessionStorage], Awaitable[Any]], what: str) -> Any:
        """What all storages answer."""
        return (await self._each([lambda storage=storage: ask(storage) for storage in self.storages], what))[0]

    async def _each(self, asked: Sequence[Callable[[], Awaitable[Any]]], what: str) -> list[Any]:
        outcomes, shown = [], []
        for ask in asked:
            try:
                outcome = await ask()
            except (GraphSessionError, Duplicate) as error:
                outcome = None
                shown.append(("refused", type(error).__name__, getattr(error, "leaf_id", None)))
            else:
                shown.append(self._plain(outcome))
            outcomes.append(outcome)
        for storage, other in zip(self.storages[1:], shown[1:], strict=True):
            assert other == shown[0], f"{what}: {type(storage).__name__} and {type(self.storages[0]).__name__} differ"
        return outcomes

    def _plain(self, value: object) -> object:
        if is_dataclass(value) and not isinstance(value, type):
            value = asdict(value)
        if isinstance(value, dict):
            return {key: self._plain(item) for key, item in value.items() if key not in self._masked}
        if isinstance(value, list | tuple):
            return [self._plain(item) for item in value]
        return value

    def _session(self, number: int) -> str:
        return self.sessions[number % len(self.sessions)]

    def _parent(self, session_id: str, number: int) -> Entry | None:
        own = [entry for entry in self.entries if entry.session_id == session_id]
        # The newest ones more often, so that there are long paths too.
        return None if number == 11 or not own else own[-1 - (number // 2) % len(own)]

    def _expected(self, number: int) -> ExpectedLeaf:
        return ANYWHERE if number < 9 or not self.entries else self.entries[-1].id if number < 11 else None

    def _written(self, parent: Entry | None, session_id: str, body: Body) -> Entry:
        return write_under(parent, id=new_id(), session_id=session_id, timestamp=NOON, body=body)

    async def _create(self, numbers: tuple[int, ...]) -> None:
        session = Session(
            id=new_id(),
            owner=self.owner,
            created_at=NOON,
            updated_at=NOON,
            name=(None, "Tree", "tree 🌳")[numbers[0] % 3],
            system_prompt=(None, "Be brief.")[numbers[1] % 2],
            config=SessionConfig(keep_raw_count=numbers[2] % 4),
        )
        self.sessions.append(session.id)
        await self.each(lambda storage: storage.create_session(session), "create_session")

    async def _append(self, which: int, where: int, what: int, options: int) -> None:
        session_id = self._session(which)
        parent, line = self._parent(session_id, where), []
        for number in range(1 + options % 3):
            parent = self._written(parent, session_id, _BODIES[(what + number) % len(_BODIES)])
            line.append(parent)
        if options % 4 == 3 and line[-1].ends_turn:
            line[-1] = due(line[-1]) if what % 2 else condensed(line[-1], anchor="all so far")

        async def append(storage: SessionStorage) -> Session:
            expected = self._expected(options)
            session = await storage.append(session_id, line, expected_leaf=expected, move_leaf=options != 5)
            # The graph counts the nodes that older questions become, or no longer are, after it has read the session.
            return replace(session, node_count=0)

        written = await self.each(append, "append")
        self.entries += line if written else []

    async def _begin(self, which: int, where: int, request: int, options: int) -> None:
        session_id = self._session(which)
        parent = self._parent(session_id, where)
        asked = self._written(parent, session_id, question(f"q{where}"))
        running = self._running(asked, options)
        opened = None if parent is None or parent.ends_turn else parent.place.question_id
        begun = await self.each(
            lambda storage: storage.begin_answer(
                asked,
                running,
                lease_seconds=60,
                expected_leaf=self._expected(options),
                request_id=f"r{request}" if request < 3 else None,
                superseded=opened,
            ),
            "begin_answer",
        )
        if begun:
            self.entries.append(asked)
            self.answers.append((asked, running))

    def _running(self, asked: Entry, options: int) -> RunningAnswer:
        return RunningAnswer(
            id=new_id(),
            session_id=asked.session_id,
            question_id=asked.id,
            node_above=asked.place.node_above,
            owner=_OWNERS[options == 0],
            model="echo",
            started=NOON,
        )

    async def _again(self, which: int, options: int, *_: int) -> None:
        asked = [entry for entry in self.entries if entry.is_question]
        if asked:
            chosen = asked[-1 - which % len(asked)]
            running = self._running(chosen, options)
            if await self.each(lambda storage: storage.begin_again(running, lease_seconds=60), "begin_again"):
                self.answers.append((chosen, running))

    def _answer(self, which: int) -> tuple[Entry, RunningAnswer] | None:
        return self.answers[-1 - which % len(self.answers)] if self.answers else None

    async def _renew(self, which: int, text: int, kind: int, owner: int) -> None:
        if found := self._answer(which):
            pieces = [Piece("hm", True)] * (kind % 2) + [Piece(_TEXTS[text % 4], False)]
            who = _OWNERS[owner == 0]
            await self.each(lambda storage: storage.renew_answer(found[1].id, who, pieces, 60), "renew_answer")

    async def _finish(self, which: int, what: int, marks: int, owner: int) -> None:
        if found := self._answer(which):
            asked, running = found
            body = (answer("Because."), answer("So."), failed())[what % 3]
            entry = write_under(asked, id=running.id, session_id=asked.session_id, timestamp=NOON, body=body)
            ends = [entry, *(e for e in self.entries if e.ends_turn and e.session_id == asked.session_id)]
            some = Marks(ends[-1 - marks % len(ends)].id if marks % 3 == 0 else None, tuple(e.id for e in ends[marks:]))
            who, expired = _OWNERS[owner == 0], owner == 1
            if await self.each(
                lambda storage: storage.finish_answer(entry, owner=who, marks=some, expired=expired), "finish_answer"
            ):
                self.entries.append(entry)

    async def _cancel(self, which: int, *_: int) -> None:
        if found := self._answer(which):
            await self.each(lambda storage: storage.cancel_answer(found[1].id), "cancel_answer")

    async def _move(self, which: int, where: int, options: int, _: int) -> None:
        session_id = self._session(which)
        entry = self._parent(session_id, where)
        await self.each(
            lambda storage: storage.move_leaf(session_id, entry.id if entry else None, self._expected(options)),
            "move_leaf",
        )

    async def _update(self, which: int, what: int, value: int, _: int) -> None:
        changes: dict[str, object] = {"name": f"n{value}"} if what % 2 else {"name": None, "keep_raw_count": value}
        await self.each(lambda storage: storage.update_session(self._session(which), changes), "update_session")

    async def _delete(self, which: int, sure: int, *_: int) -> None:
        if sure < 3:
            session_id = self._session(which)
            await self.each(lambda storage: storage.delete_session(session_id), "delete_session")

    async def _claim(self, *_: int) -> None:
        # Which of several that are due is free, so all of them are claimed.
        jobs: list[list[SummaryJob]] = []
        for storage in self.storages:
            claimed = []
            while (job := await storage.claim_summary(f"worker {len(self._jobs)}", 60)) is not None:
                claimed.append(job)
            jobs.append(sorted(claimed, key=lambda job: job.entry.id))
        assert self._plain(jobs[1:]) == self._plain(jobs[:1] * (len(jobs) - 1))
        self._jobs += [list(same) for same in zip(*jobs, strict=True)]

    async def _on_job(self, which: int, act: Callable[[SessionStorage, SummaryJob], Awaitable[Any]]) -> None:
        if self._jobs:
            jobs = self._jobs[-1 - which % len(self._jobs)]
            pairs = list(zip(self.storages, jobs, strict=True))
            await self._each([lambda storage=s, job=j: act(storage, job) for s, j in pairs], "summary work")

    async def _renew_summary(self, which: int, *_: int) -> None:
        await self._on_job(which, lambda storage, job: storage.renew_summary(job, 60))

    async def _finish_summary(self, which: int, text: int, *_: int) -> None:
        await self._on_job(which, lambda storage, job: storage.finish_summary(job, f"summary {text}", "echo"))

    async def _fail_summary(self, which: int, wait: int, *_: int) -> None:
        retry = None if wait % 2 else 60.0
        await self._on_job(which, lambda storage, job: storage.fail_summary(job, "overloaded", retry))

    async def _release_summary(self, which: int, *_: int) -> None:
        await self._on_job(which, lambda storage, job: storage.release_summary(job))

    async def _retry(self, which: int, where: int, *_: int) -> None:
        session_id = self._session(which)
        if entry := self._parent(session_id, where):
            await self.each(lambda storage: storage.retry_summary(session_id, entry.id), "retry_summary")

    async def _expired(self, *_: int) -> None:
        ids = {running.id for _, running in self.answers}

        async def expired(storage: SessionStorage) -> object:
            found = [e for e in await storage.expired_answers(_OWNERS[0]) if e.answer.id in ids]
            return sorted(found, key=lambda item: item.answer.id)

        await self.each(expired, "expired_answers")

    async def same(self, method: str, *given: object, **named: object) -> Any:
        """What all storages answer to one question."""
        return await self.each(lambda storage: getattr(storage, method)(*given, **named), method)

    async def compare(self) -> None:
        """Everything that can be asked."""
        entry_ids = [entry.id for entry in self.entries]
        ids = [*entry_ids, *(running.id for _, running in self.answers), new_id()]
        for method in ("entries", "nodes", "children", "turn_entries"):
            await self.same(method, ids)
        await self.same("check_nodes", entry_ids)
        await self.same("revisions", self.sessions)
        await self.each(self._listed, "sessions")
        for entry_id in ids:
            for method in ("running_answer", "active_path", "nearest_anchor"):
                await self.same(method, entry_id)
            await self.same("path_page", entry_id, 3)
        for session_id in self.sessions:
            await self._compare_session(session_id, entry_ids)

    async def _listed(self, storage: SessionStorage) -> object:
        page = await storage.sessions(self.owner, "TREE", None, 50)
        return sorted(page.items, key=lambda session: session.id)

    async def _compare_session(self, session_id: str, entry_ids: Sequence[str]) -> None:
        session = await self.same("session", session_id)
        await self.same("summaries_between", session_id, 0, 1000)
        for tip_id in (None, *entry_ids):
            await self.same("view", session_id, tip_id=tip_id, request_id="r1")
            await self.same("view_at", session_id, tip_id)
        if session is None:
            return

        async def running(storage: SessionStorage) -> object:
            return sorted(await storage.running(session_id), key=lambda found: found[0].id)

        await self.each(running, "running")
        for after in (None, "1", "5"):
            for first in (2, 50):
                await self.same("node_page", session, after, first)
                await self.same("outline_page", session, after, first)
