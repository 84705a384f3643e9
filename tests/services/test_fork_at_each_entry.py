"""A fork before and at each entry of a stored tree of 200 entries with two compactions gives what the rules say."""

from __future__ import annotations

from graph_session.domain.errors import InvalidInput
from graph_session.domain.ids import new_id
from tests.domain.long_tree import BY_HAND, KEEP_RAW, by_rule, long_tree, shown
from tests.services.world import World


async def stored(world: World) -> tuple[str, dict[str, str]]:
    """A session that holds the tree, and the ids by name."""
    session_id = await world.create(keep_raw_count=KEEP_RAW)
    tree = long_tree(session_id, f"{new_id()} ")
    await world.services.storage.append(session_id, list(tree.values()))
    return session_id, {name: entry.id for name, entry in tree.items()}


async def test_a_fork_at_and_before_each_entry(world: World) -> None:
    session_id, ids = await stored(world)
    tree = long_tree()
    names = {entry_id: name for name, entry_id in ids.items()}
    refused = set()
    for name, entry_id in ids.items():
        for position in ("AT", "BEFORE"):
            try:
                forked = await world.fork(session_id, entry_id, position)
            except InvalidInput:
                refused.add((position, name))
                continue
            leaf_id = forked.session.leaf_id
            below = tree[name].parent_id if position == "BEFORE" else name
            assert (names[leaf_id] if leaf_id else None) == below
            context = await world.context(session_id)
            assert shown(context) == (by_rule(tree, below) if below else []), (position, name)
            if below in BY_HAND:
                assert shown(context) == BY_HAND[below]
            is_question = position == "BEFORE" and name.startswith("q")
            assert forked.edit_text == (name if is_question else None)
    # Between a call and its result, and nowhere else.
    called = {name for name in ids if name.startswith("c")}
    results = {name for name in ids if name.startswith("r")}
    assert refused == {("AT", name) for name in called} | {("BEFORE", name) for name in results}
    session = await world.session(session_id)
    assert session.node_count == 70


async def test_the_context_at_an_entry_is_read_without_a_fork(world: World) -> None:
    session_id, ids = await stored(world)
    for name, sent in BY_HAND.items():
        assert shown(await world.context(session_id, ids[name])) == sent, name
    assert (await world.session(session_id)).leaf_id == ids["a110"]
