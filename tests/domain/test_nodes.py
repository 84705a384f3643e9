"""Dialogue nodes: a turn as one node, whatever became of it."""

from __future__ import annotations

import pytest

from graph_session.domain.entries import StopReason
from graph_session.domain.ids import parse_timestamp
from graph_session.domain.nodes import NodeStatus, Question, node_of_entry, status_of
from tests.domain.trees import NOON, answer, failed, path_of, question, turns

_ASKED = Question(id="e0", text="Why?", timestamp="2026-11-30T11:59:58.000Z")


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        (None, NodeStatus.DONE),
        (StopReason.STOP, NodeStatus.DONE),
        (StopReason.LENGTH, NodeStatus.DONE),
        (StopReason.REFUSAL, NodeStatus.DONE),
        (StopReason.ERROR, NodeStatus.FAILED),
        (StopReason.ABORTED, NodeStatus.CANCELLED),
        (StopReason.INTERRUPTED, NodeStatus.INTERRUPTED),
    ],
)
def test_the_status_says_how_the_answer_ended(reason: StopReason | None, status: NodeStatus) -> None:
    assert status_of(reason) is status


def test_an_answered_node_shows_question_answer_and_what_it_took() -> None:
    entry = path_of([question(), answer()])[1]
    node = node_of_entry(entry, _ASKED)
    assert (node.node_id, node.entry_id, node.question_id) == ("e1", "e1", "e0")
    assert (node.user_content, node.ai_content, node.status) == ("Why?", "Because.", NodeStatus.DONE)
    assert node.usage is not None
    assert node.usage.total == 15
    assert node.created_ms == parse_timestamp(_ASKED.timestamp).timestamp() * 1000


def test_a_failed_node_keeps_its_error() -> None:
    node = node_of_entry(path_of([question(), failed("half")])[1], _ASKED)
    assert (node.status, node.ai_content, node.error) == (NodeStatus.FAILED, "half", "the model is overloaded")


def test_an_open_question_is_a_node_without_an_answer() -> None:
    path = path_of([*turns(1), question("anybody?")])
    node = node_of_entry(path[2], Question(id="e2", text="anybody?", timestamp=NOON))
    assert (node.parent_node_id, node.status, node.ai_content) == ("e1", NodeStatus.UNANSWERED, "")


def test_an_answer_that_an_import_brings_without_a_question_is_a_node() -> None:
    node = node_of_entry(path_of([answer("hello")])[0], None)
    assert (node.user_content, node.ai_content, node.question_id) == ("", "hello", None)
