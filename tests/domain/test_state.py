"""State at an entry: a fold over its path, whatever else is in the tree."""

from __future__ import annotations

from hypothesis import given

from graph_session.domain.entries import ActiveToolsChange, Label, ModelChange, SessionInfo, ThinkingLevelChange
from graph_session.domain.state import STATE_TYPES, SessionState, fold
from tests.domain.random_trees import Tree, replayed, trees
from tests.domain.trees import answer, note, path_of, question


def test_nothing_was_set() -> None:
    assert fold([]) == SessionState()
    assert fold(path_of([question(), answer(), note()])) == SessionState()


def test_the_latest_of_each_holds() -> None:
    path = path_of(
        [
            ModelChange(provider="p", model_id="small"),
            ThinkingLevelChange(level="low"),
            ActiveToolsChange(tool_names=("read",)),
            SessionInfo(name="one"),
            ModelChange(provider="q", model_id="large"),
            ActiveToolsChange(tool_names=()),
            SessionInfo(name="two"),
        ]
    )
    state = fold(path)
    assert (state.provider, state.model_id, state.thinking_level) == ("q", "large", "low")
    assert (state.active_tools, state.name) == ((), "two")
    earlier = fold(path[:4])
    assert (earlier.model_id, earlier.active_tools, earlier.name) == ("small", ("read",), "one")


def test_an_empty_name_or_label_clears() -> None:
    labels = [Label(target_id="a", label="x"), Label(target_id="b", label="y"), Label(target_id="a", label="z")]
    assert fold(path_of(labels)).labels == {"a": "z", "b": "y"}
    assert fold(path_of([*labels, Label(target_id="a", label=None)])).labels == {"b": "y"}
    assert fold(path_of([*labels, Label(target_id="b", label="")])).labels == {"a": "z"}
    assert fold(path_of([SessionInfo(name="n"), SessionInfo(name="")])).name is None
    assert fold(path_of([SessionInfo(name="n"), SessionInfo(name=None)])).name is None


def test_a_fold_goes_on_from_a_state() -> None:
    path = path_of([ModelChange(provider="p", model_id="m"), Label(target_id="a", label="x"), SessionInfo(name="n")])
    assert fold(path[1:], fold(path[:1])) == fold(path)


@given(trees())
def test_the_fold_equals_a_replay_of_the_path_and_needs_nothing_but_it(tree: Tree) -> None:
    for entry in tree.entries.values():
        path = tree.path(entry.id)
        assert fold(path) == replayed(tree, entry.id)
        assert fold(it for it in path if it.type in STATE_TYPES) == fold(path)
        # The nearest changes, as an entry's place names them, are all that a question needs.
        place = entry.place
        nearest = [tree.entries[it] for it in (place.model_from, place.thinking_from, place.tools_from) if it]
        found, whole = fold(nearest), fold(path)
        assert (found.provider, found.model_id) == (whole.provider, whole.model_id)
        assert (found.thinking_level, found.active_tools) == (whole.thinking_level, whole.active_tools)
