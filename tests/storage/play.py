"""The same things done to several storages: what is to be done is decided once, and each storage's answers are kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, is_dataclass, replace
from typing import Any

from hypothesis import strategies as st

from graph_session.domain.answers import Piece, RunningAnswer
from graph_session.domain.entries import (
    Body,
    BranchSummary,
    Compaction,
    Entry,
    LeafMove,
    Summary,
    SummaryKind,
    SummaryState,
)
from graph_session.domain.errors import GraphSessionError
from graph_session.domain.ids import new_id
from graph_session.domain.sessions import Session, SessionConfig
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import write_under
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, SessionStorage, SummaryJob
from tests.domain.trees import NOON, answer, condensed, failed, question
from tests.storage.desk import due
from tests.storage.play_bodies import BODIES, change_body

Step = tuple[str, tuple[int, ...]]
ACTIONS = (
    *(
        "create",
        "append",
        "append",
        "append",
        "change",
        "change",
        "change",
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
            names = f"{type(storage).__name__} and {type(self.storages[0]).__name__}"
            assert other == shown[0], f"{what}: {names} differ: {differences(other, shown[0])}"
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

    def _written(self, parent: Entry | None, session_id: str, body: Body, extra: bool = False) -> Entry:
        more: dict[str, object] | None = {"app": {"colour": "blue 🌳", "none": None}} if extra else None
        return write_under(parent, id=new_id(), session_id=session_id, timestamp=NOON, body=body, extra=more)

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
            parent = self._written(parent, session_id, BODIES[(what + number) % len(BODIES)], extra=options == 4)
            line.append(parent)
        if options % 4 == 3 and line[-1].ends_turn:
            line[-1] = due(line[-1]) if what % 2 else condensed(line[-1], anchor="all so far")
        await self._append_line(session_id, line, options, self._marks(session_id, line, what) if where % 2 else None)

    async def _change(self, which: int, where: int, what: int, options: int) -> None:
        """Entries of the types that are no messages: one, or several in a row."""
        session_id = self._session(which)
        parent, line = self._parent(session_id, where), []
        for number in range(1 + options % 2 * (where % 3)):
            own = [entry for entry in self.entries if entry.session_id == session_id] + line
            path = path_to(parent, own)
            body = change_body(what + number, options, own, path)
            parent = self._placed(self._written(parent, session_id, body), path)
            line.append(parent)
        await self._append_line(session_id, line, options, None)

    async def _append_line(self, session_id: str, line: list[Entry], options: int, marks: Marks | None) -> None:
        async def append(storage: SessionStorage) -> Session:
            expected = self._expected(options)
            return await storage.append(session_id, line, expected_leaf=expected, move_leaf=options != 5, marks=marks)

        written = await self.each(append, "append")
        self.entries += line if written else []

    @staticmethod
    def _placed(entry: Entry, path: Sequence[Entry]) -> Entry:
        """What services give an entry beside its body: how deep the first entry is that a compaction keeps, and the
        work of a branch summary that has no text yet."""
        match entry.body:
            case Compaction(first_kept_entry_id=first):
                # One that keeps nothing names itself, with an id that is not known before it is written.
                body = entry.body if first else replace(entry.body, first_kept_entry_id=entry.id)
                parent = path[-1] if path else None
                entry = write_under(
                    parent, id=entry.id, session_id=entry.session_id, timestamp=entry.timestamp, body=body
                )
                kept = next(other for other in [*path, entry] if other.id == body.first_kept_entry_id)
                return replace(entry, place=replace(entry.place, kept_depth=kept.place.depth))
            case BranchSummary(summary=""):
                return replace(entry, summary=Summary(state=SummaryState.PENDING, kind=SummaryKind.BRANCH))
            case _:
                return entry

    def _marks(self, session_id: str, new: Sequence[Entry], number: int) -> Marks:
        ends = [entry for entry in (*self.entries, *new) if entry.ends_turn and entry.session_id == session_id]
        some = [entry.id for entry in ends[-1 - number :]]
        return Marks(some[0] if some and number % 3 == 0 else None, tuple(some))

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
            # Below the question, or below what was written in its turn since, such as a compaction.
            since = [e for e in self.entries if e.place.question_id == asked.id and not e.ends_turn]
            above = since[-1] if since and what % 2 else asked
            entry = write_under(above, id=running.id, session_id=asked.session_id, timestamp=NOON, body=body)
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

    async def _move(self, which: int, where: int, options: int, recorded: int) -> None:
        session_id = self._session(which)
        entry = self._parent(session_id, where)
        target, expected, record = entry.id if entry else None, self._expected(options), None
        leaf = await self._leaf(session_id) if recorded % 2 else None
        if leaf is not None:
            record = self._written(leaf, session_id, LeafMove(target_id=target))
            expected = leaf.id if options < 9 else expected if isinstance(expected, str) else leaf.id
        moved = await self.each(lambda storage: storage.move_leaf(session_id, target, expected, record), "move_leaf")
        self.entries += [record] if moved and record else []

    async def _leaf(self, session_id: str) -> Entry | None:
        session = await self.storages[0].session(session_id)
        return next((entry for entry in self.entries if session and entry.id == session.leaf_id), None)

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


def path_to(entry: Entry | None, entries: Sequence[Entry]) -> list[Entry]:
    """The entries from the root to one of them."""
    by_id = {other.id: other for other in entries}
    path: list[Entry] = []
    while entry is not None:
        path.append(entry)
        entry = by_id.get(entry.parent_id or "")
    return path[::-1]


def differences(a: object, b: object, at: str = "") -> list[str]:
    """Where two answers differ, so that a failure can be read."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return [found for key in a for found in differences(a[key], b[key], f"{at}.{key}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [found for i, (x, y) in enumerate(zip(a, b, strict=True)) for found in differences(x, y, f"{at}[{i}]")]
    return [] if a == b else [f"{at}: {a!r:.300} != {b!r:.300}"]
