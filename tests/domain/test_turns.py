"""Where entries stand in a tree, and how a path reads as a conversation."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graph_session.domain.entries import Body, Entry, Message, Role, StopReason
from graph_session.domain.turns import (
    Turn,
    active_path,
    entry_hash,
    finished,
    hash_path,
    split_turns,
    standing_node,
    standing_path_hash,
    write_under,
)
from tests.domain.trees import (
    NOON,
    answer,
    branch,
    failed,
    note,
    other_model,
    path_of,
    question,
    tool_result,
    tool_use,
    turns,
)

_BODIES: list[Body] = [
    question(),
    answer(),
    failed(),
    tool_use("1"),
    tool_result("1"),
    note(),
    other_model(),
    branch("elsewhere"),
]


@st.composite
def trees(draw: st.DrawFn) -> list[list[Entry]]:
    """The path to each entry of a random tree, in the order of writing."""
    paths: list[list[Entry]] = []
    for number in range(draw(st.integers(1, 25))):
        above = draw(st.sampled_from(paths)) if paths and draw(st.integers(0, 9)) else []
        parent = above[-1] if above else None
        body = draw(st.sampled_from(_BODIES))
        entry = write_under(parent, id=f"e{number}", session_id="s", timestamp=NOON, body=body)
        paths.append([*above, entry])
    return paths


def _walk(path: list[Entry]) -> tuple[list[str], str | None]:
    """By reading the whole path: the nodes above the turn that its last entry is in, and that turn's question."""
    nodes: list[str] = []
    opened: str | None = None
    for entry in path:
        if isinstance(entry.body, Message) and entry.body.role is Role.USER:
            if opened:
                nodes.append(opened)
            opened = entry.id
        elif entry.ends_turn and entry is not path[-1]:
            nodes.append(entry.id)
            opened = None
    return nodes, opened


@given(trees())
def test_the_place_written_from_the_parent_alone_is_what_the_whole_path_says(paths: list[list[Entry]]) -> None:
    for path in paths:
        place = path[-1].place
        nodes, opened = _walk(path)
        assert place.depth == len(path) - 1
        assert place.turns_above == len(nodes)
        assert place.node_above == (nodes[-1] if nodes else None)
        assert place.question_id == opened
        assert place.path_hash == hash_path(nodes)
        assert place.path_tokens == sum(entry.place.tokens for entry in path)


@given(trees())
def test_the_active_path_is_the_same_read_forwards_and_followed_upwards(paths: list[list[Entry]]) -> None:
    entries = {path[-1].id: path[-1] for path in paths}
    for path in paths:
        followed: list[str] = []
        at = standing_node(path[-1])
        while at is not None:
            followed.append(at)
            at = entries[at].place.node_above
        assert followed[::-1] == active_path(path)
        assert standing_path_hash(path[-1]) == hash_path(active_path(path))


@given(trees())
def test_splitting_a_path_loses_and_reorders_nothing(paths: list[list[Entry]]) -> None:
    for path in paths:
        parts = split_turns(path)
        joined = [entry for part in parts for entry in (part.entries if isinstance(part, Turn) else [part])]
        assert joined == path
        assert all(part.question is not None for part in parts if isinstance(part, Turn) and not part.ended)


@given(trees(), st.data())
def test_the_hash_chain_shows_a_changed_a_lost_and_an_added_entry(
    paths: list[list[Entry]], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(paths))
    assert _chain_holds(path)
    index = data.draw(st.integers(0, len(path) - 1))
    changed = replace(path[index], body=note("not what was written"))
    added = replace(path[index], id="added")
    assert not _chain_holds([*path[:index], changed, *path[index + 1 :]])
    assert not _chain_holds([*path[:index], added, *path[index:]])
    if index < len(path) - 1:
        assert not _chain_holds([*path[:index], *path[index + 1 :]])


def _chain_holds(path: list[Entry]) -> bool:
    above = ""
    for entry in path:
        if entry.hash != entry_hash(above, entry):
            return False
        above = entry.hash
    return True


@given(st.lists(st.text(max_size=5), max_size=6), st.lists(st.text(max_size=5), max_size=6))
def test_different_active_paths_have_different_hashes(one: list[str], other: list[str]) -> None:
    assert (hash_path(one) == hash_path(other)) is (one == other)


def test_nobody_stands_anywhere_in_an_empty_session() -> None:
    assert standing_node(None) is None
    assert standing_path_hash(None) == hash_path([])
    assert active_path([]) == []


def test_tool_calls_and_their_results_are_one_turn_with_the_answer() -> None:
    path = path_of([question(), tool_use("1"), tool_result("1"), answer(), other_model(), question()])
    parts = split_turns(path)
    assert [part.node_id if isinstance(part, Turn) else part.id for part in parts] == ["e3", "e4", "e5"]
    assert active_path(path) == ["e3", "e5"]


def test_a_question_that_another_follows_is_a_node_of_its_own() -> None:
    path = path_of([question("one"), note(), question("two"), answer()])
    assert active_path(path) == ["e0", "e3"]
    assert path[-1].place.node_above == "e0"


def test_a_path_cut_inside_a_turn_still_names_its_node() -> None:
    path = path_of([question(), tool_use("1"), tool_result("1"), answer(), *turns(1)])
    assert active_path(path[2:]) == ["e3", "e5"]


def test_only_an_answer_that_came_to_its_own_end_is_finished() -> None:
    ended = {reason: finished(path_of([answer("x", reason)])[0]) for reason in StopReason}
    assert [reason for reason, is_finished in ended.items() if not is_finished] == [
        StopReason.ERROR,
        StopReason.ABORTED,
        StopReason.INTERRUPTED,
    ]
    assert not finished(path_of([question()])[0])
    assert not finished(path_of([tool_use("1")])[0])
