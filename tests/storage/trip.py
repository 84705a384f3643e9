"""A session whose forks, summaries and costs are known, for what is read of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, Label, Message
from graph_session.domain.ids import new_id
from graph_session.domain.triggers import Marks
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer
from tests.storage.desk import NO_MARKS, OWNER, Desk, claim, drain


@dataclass(frozen=True, slots=True)
class Trip:
    """A session with three forks, one of them at the root; summaries in every state; and an answer that is running.

    stay
    where ─┬─ plane
           └─ train ─┬─ when ── cheaper
                     └─ long ─┬─ bus
                              └─ again ── (back)
    """

    desk: Desk
    name: str
    answers: dict[str, Entry]
    questions: dict[str, str]
    back: Entry
    running_id: str


def _answer(model: str, number: int) -> Message:
    usage = Usage(number, 10 * number, 100 * number, 1000 * number)
    return replace(answer(f"Answer {number}."), model=model, usage=usage)


async def plan_trip(storage: SessionStorage) -> Trip:
    """The session, written to a storage where no other summary waits from then on."""
    await drain(storage)
    name = f"Trip {new_id()}"
    desk = await Desk.fresh(storage, name=name)
    where = await desk.ask(None, "Where to?", _answer("one", 1))
    train = await desk.ask(where, "By train?", _answer("one", 2))
    plane = await desk.ask(where, "By plane?", _answer("two", 3))
    await storage.finish_summary(await claim(storage, "w"), "They travel.", "echo")
    when = await desk.ask(train, "When?", _answer("one", 4))
    long = await desk.ask(train, "How long?", _answer("two", 5))
    await storage.fail_summary(await claim(storage, "w"), "overloaded", None)
    cheaper = await desk.ask(when, "Cheaper?", _answer("two", 6), Marks(None, (when.id,)))
    await claim(storage, "w")
    bus = await desk.ask(long, "By bus?", _answer("one", 7))
    asked = await desk.read((await desk.read(bus.id)).parent_id or "")
    running = desk.running(asked)
    await storage.begin_again(running, lease_seconds=60)
    again = desk.ended(asked, running, _answer("two", 8))
    await storage.finish_answer(again, owner=OWNER, marks=NO_MARKS)
    stay = await desk.ask(None, "Stay at home?", _answer("one", 9))
    await desk.write([Label(target_id=train.id, label="the plan")], train)
    back, waiting = await desk.begin(again, "And back?")
    answers = {
        "where": where,
        "train": train,
        "plane": plane,
        "when": when,
        "long": long,
        "cheaper": cheaper,
        "bus": bus,
        "again": again,
        "stay": stay,
    }
    return Trip(desk, name, answers, {key: it.parent_id or "" for key, it in answers.items()}, back, waiting.id)
