"""Turns that a client writes make the same summaries due as those that are answered here."""

from __future__ import annotations

from graph_session.domain.entries import SummaryKind
from tests.services.world import World, assistant, call, result, user


def turns(first: int, last: int) -> list[dict[str, object]]:
    return [it for n in range(first, last + 1) for it in (user(f"q{n}"), assistant(f"a{n}"))]


async def marked(world: World, session_id: str) -> list[str]:
    """The nodes that something is due for or was made for: A an anchor, N a turn's summary, - nothing."""
    marks = {SummaryKind.ANCHOR: "A", SummaryKind.NODE: "N", None: "-"}
    return [marks[node.summary.kind] for node in await world.nodes(session_id)]


async def test_turns_that_leave_the_raw_window_and_the_linear_trigger(world: World) -> None:
    whole = await world.create(linear_threshold=5, keep_raw_count=2)
    one_by_one = await world.create(linear_threshold=5, keep_raw_count=2)
    await world.append(whole, *turns(1, 4))
    assert await marked(world, whole) == ["N", "N", "-", "-"]
    await world.append(whole, *turns(5, 8))
    for n in range(1, 9):
        await world.append(one_by_one, *turns(n, n))
    assert await marked(world, one_by_one) == ["N", "N", "A", "N", "N", "A", "-", "-"]
    # At once, the newest turn outside the window becomes the anchor and covers the others.
    assert await marked(world, whole) == ["N", "N", "-", "-", "-", "A", "-", "-"]
    await world.summarise()
    assert (await world.shown(whole))[0].startswith("ANCHOR_SUMMARY: Summary of 12 lines, from: q1")
    assert (await world.shown(whole))[1:] == ["q7", "a7", "q8", "a8"]


async def test_a_turn_counts_when_it_ends_and_not_before(world: World) -> None:
    session_id = await world.create(keep_raw_count=1)
    await world.append(session_id, *turns(1, 1), user("q2"), call("1"), result("1", "r"))
    assert await marked(world, session_id) == ["-", "-"]
    await world.append(session_id, assistant("a2"))
    assert await marked(world, session_id) == ["N", "-"]
    failed = assistant("half")
    failed["message"]["stopReason"] = "error"
    await world.append(session_id, user("q3"), failed)
    assert await marked(world, session_id) == ["N", "-", "-"]


async def test_a_second_turn_below_a_node_makes_it_an_anchor(world: World) -> None:
    session_id = await world.create()
    written = await world.append(session_id, *turns(1, 2))
    await world.append(session_id, user("other"), parent_id=written[1].id)
    assert await marked(world, session_id) == ["-", "-", "-"]
    await world.append(session_id, assistant("way"))
    assert await marked(world, session_id) == ["A", "-", "-"]
    # Both branches in one list.
    other = await world.create()
    ids = [f"{other} {name}" for name in ("q", "a")]
    top = [user("top", id=ids[0]), assistant("top", id=ids[1])]
    forks = [it for n in range(2) for it in (user(f"q{n}", parentId=ids[1]), assistant(f"a{n}"))]
    await world.append(other, *top, *forks)
    assert await marked(world, other) == ["A", "-", "-"]
    await world.summarise()
    assert (await world.node(ids[1])).summary.anchor_summary


async def test_what_is_no_turn_makes_nothing_due(world: World) -> None:
    session_id = await world.create(keep_raw_count=0)
    await world.append(session_id, user("q"), {"type": "custom", "customType": "c", "data": 1})
    await world.services.changes.change_model(world.who, session_id, "p", "m")
    assert await marked(world, session_id) == ["-"]
