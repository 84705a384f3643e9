"""Random trees: the context at a node is its path's alone, and tool calls and results come in pairs."""

from __future__ import annotations

import pickle
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from graph_session.domain.compaction import find_cut
from graph_session.domain.content import ToolCallBlock
from graph_session.domain.context import AssembledContext, assemble, is_boundary
from graph_session.domain.entries import Compaction, Entry, Message, Role
from tests.domain.random_trees import Step, Tree, is_result, step_lists, steps, tree_of, trees
from tests.domain.trees import condensed, turns


def _context(tree: Tree, entry_id: str, keep_raw: int = 2) -> AssembledContext:
    return assemble(tree.path(entry_id), keep_raw=keep_raw, model="echo", question="and now?")


def _pairs_are_whole(context: AssembledContext) -> None:
    waiting: Counter[str] = Counter()
    for it in context.messages:
        if it.role == Role.TOOL_RESULT:
            waiting[it.tool_call_id or ""] -= 1
            assert waiting[it.tool_call_id or ""] >= 0
        waiting.update(block.id for block in it.content if isinstance(block, ToolCallBlock))
    assert not +waiting


@settings(max_examples=200)
@given(step_lists, st.lists(steps, max_size=8))
def test_a_context_does_not_change_with_what_is_done_off_its_path(before: list[Step], after: list[Step]) -> None:
    tree = tree_of(before)
    seen = {entry_id: pickle.dumps(_context(tree, entry_id)) for entry_id in tree.entries}
    for step in after:
        changed = {entry.id for entry in tree.run(step)}
        for entry_id, bytes_before in seen.items():
            if changed.isdisjoint(it.id for it in tree.path(entry_id)):
                assert pickle.dumps(_context(tree, entry_id)) == bytes_before
            else:
                # Only a summary beside an entry of the path can have come.
                seen[entry_id] = pickle.dumps(_context(tree, entry_id))


@settings(max_examples=200)
@given(trees(), st.integers(0, 4))
def test_every_result_has_its_call_and_every_call_its_result(tree: Tree, keep_raw: int) -> None:
    for entry_id in tree.entries:
        _pairs_are_whole(_context(tree, entry_id, keep_raw))


@given(trees())
def test_what_is_kept_by_a_compaction_is_raw_and_nothing_above_it_is_read(tree: Tree) -> None:
    for entry in tree.entries.values():
        path = tree.path(entry.id)
        boundary = max((at for at, it in enumerate(path) if is_boundary(it)), default=None)
        if boundary is None or not isinstance(path[boundary].body, Compaction):
            continue
        kept_depth = path[boundary].place.kept_depth
        assert kept_depth is not None
        context = assemble(path, keep_raw=50, model="echo")
        above = {it.id for it in path[:kept_depth]}
        assert above.isdisjoint(it for message in context.messages for it in message.entry_ids)
        kept = [it for it in path[kept_depth:boundary] if isinstance(it.body, Message)]
        shown = {entry_id: it.source for it in context.messages for entry_id in it.entry_ids}
        left_out = {it.entry_id for it in context.omitted}
        for it in kept:
            assert shown.get(it.id) == "RAW" or it.id in left_out
        assert context == assemble(path[kept_depth:], keep_raw=50, model="echo")


@settings(max_examples=200)
@given(trees(), st.integers(0, 60))
def test_a_cut_keeps_pairs_and_loses_nothing(tree: Tree, keep_recent: int) -> None:
    for entry_id in tree.entries:
        path = tree.path(entry_id)
        cut = find_cut(path, keep_recent)
        if cut is None:
            continue
        at = path.index(cut.first_kept)
        assert isinstance(cut.first_kept.body, Message)
        assert not is_result(cut.first_kept)
        assert cut.before
        assert _halves(path[at:]) == _halves_in(path, path[at:])
        boundary = max((index for index, it in enumerate(path) if is_boundary(it)), default=-1)
        before = [it for it in path[:at] if it in cut.before]
        assert list(cut.before) == before
        assert {it.id for it in path[boundary + 1 : at]} <= {it.id for it in cut.before}
        assert (cut.previous is None) == (boundary < 0)


def _halves(entries: list[Entry]) -> Counter[str]:
    """Results without a call above them, by call id."""
    open_calls: Counter[str] = Counter()
    lonely: Counter[str] = Counter()
    for entry in entries:
        if not isinstance(entry.body, Message):
            continue
        if is_result(entry):
            call = entry.body.tool_call_id or ""
            if open_calls[call]:
                open_calls[call] -= 1
            else:
                lonely[call] += 1
        for block in entry.body.content:
            if isinstance(block, ToolCallBlock):
                open_calls[block.id] += 1
    return lonely


def _halves_in(path: list[Entry], tail: list[Entry]) -> Counter[str]:
    """The same of the whole path, as far as they lie in its tail."""
    lonely = _halves(path)
    in_tail = Counter(it.body.tool_call_id or "" for it in tail if isinstance(it.body, Message) and is_result(it))
    return lonely & in_tail


def test_a_summary_that_lands_on_the_path_changes_its_context_and_no_other() -> None:
    tree = Tree()
    fork = tree.line(None, turns(2))
    below, beside = tree.line(fork, turns(2, first=3)), tree.line(fork, turns(2, first=5))
    untouched = _context(tree, beside.id)
    parent = tree.entries[below.parent_id or ""]
    summarised = tree.entries[parent.parent_id or ""]
    tree.entries[summarised.id] = condensed(summarised, anchor="up to here")
    assert _context(tree, below.id).boundary_id == summarised.id
    assert _context(tree, beside.id) == untouched
