"""A fork at each entry of a tree of 200 entries with two compactions, against a table written by hand and the rules."""

from __future__ import annotations

import pytest

from graph_session.domain.content import ToolCallBlock
from graph_session.domain.context import ContextSource, assemble
from tests.domain.long_tree import BY_HAND, KEEP_RAW, by_rule, long_tree, path_to, raw, shown

TREE = long_tree()


def test_the_tree_has_two_hundred_entries() -> None:
    assert len(TREE) == 200


@pytest.mark.parametrize("name", BY_HAND)
def test_by_hand(name: str) -> None:
    context = assemble(path_to(TREE, name), keep_raw=KEEP_RAW, model="echo")
    assert shown(context) == BY_HAND[name]


@pytest.mark.parametrize("name", BY_HAND)
def test_the_rules_say_what_was_written_by_hand(name: str) -> None:
    assert by_rule(TREE, name) == BY_HAND[name]


def test_at_each_entry() -> None:
    for name in TREE:
        context = assemble(path_to(TREE, name), keep_raw=KEEP_RAW, model="echo")
        assert shown(context) == by_rule(TREE, name), name


def test_half_a_pair_is_left_out_and_said_so() -> None:
    context = assemble(path_to(TREE, "c40.1"), keep_raw=KEEP_RAW, model="echo")
    assert not any(isinstance(block, ToolCallBlock) for block in context.messages[-1].content)
    assert context.omitted[-1].entry_id == "c40.1"


@pytest.mark.parametrize("keep_raw", [0, 1, 5, 16, 40, 1000])
def test_the_raw_window_does_not_reach_above_what_a_compaction_keeps(keep_raw: int) -> None:
    context = assemble(path_to(TREE, "a60"), keep_raw=keep_raw, model="echo")
    assert shown(context)[: 1 + len(raw(44, 45))] == ["C2", *raw(44, 45)]
    assert [it.source for it in context.messages[:2]] == [ContextSource.COMPACTION, ContextSource.RAW]
    assert context.boundary_id == "C2"
