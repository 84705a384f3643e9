"""What is read from a tree: small pure functions over its entries."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from graph_session.domain.answers import RunningAnswer, node_of_answer
from graph_session.domain.context import is_boundary
from graph_session.domain.entries import Entry, EntryType, text_of_body
from graph_session.domain.nodes import DialogueNode, Question, node_of_entry
from graph_session.domain.state import SessionState, fold
from graph_session.storage.memory.tree import Tree


def question_of(entry: Entry) -> Question:
    """What a node shows of its question."""
    return Question(id=entry.id, text=text_of_body(entry.body), timestamp=entry.timestamp)


def without_parent(entry: Entry) -> Entry:
    """The entry as those read it that the contract gives no parent id to."""
    return replace(entry, parent_id=None)


def node(tree: Tree, node_id: str) -> DialogueNode | None:
    """The dialogue node of an id: an answer that runs, or an entry that is one."""
    running = tree.running.get(node_id)
    if running is not None:
        return node_of_answer(running.answer, question_of(tree.entries[running.answer.question_id]))
    entry = tree.entries.get(node_id)
    return entry_node(tree, entry) if entry is not None and entry.is_node else None


def entry_node(tree: Tree, entry: Entry) -> DialogueNode:
    """The dialogue node that an entry stands for."""
    asked = tree.entries.get(entry.place.question_id or "")
    return node_of_entry(entry, question_of(asked) if asked else None)


def nodes_after(tree: Tree, sequence: int) -> Iterator[DialogueNode]:
    """The nodes after a place in the order of creation."""
    for at in range(sequence + 1, tree.session.next_sequence):
        found = node(tree, tree.order.get(at, ""))
        if found is not None:
            yield found


def entries_between(tree: Tree, types: Collection[EntryType], after: int, until: int | None) -> list[Entry]:
    """The entries of these types after a place in the order of creation, up to another (None: its end)."""
    end = tree.session.next_sequence - 1 if until is None else min(until, tree.session.next_sequence - 1)
    found = (tree.entries.get(tree.order.get(at, "")) for at in range(after + 1, end + 1))
    return [entry for entry in found if entry is not None and entry.type in types]


def latest_answer(tree: Tree, question_id: str) -> RunningAnswer | None:
    """The answer to a question that was begun last, of those that run."""
    answers = [running.answer for running in tree.running.values() if running.answer.question_id == question_id]
    return max(answers, key=lambda answer: answer.sequence, default=None)


def standing_nodes(tree: Tree, entry: Entry) -> Iterator[str]:
    """The dialogue nodes from where a user stands at an entry up to the root: the turn that ends here; the answer that
    is running for the question here; the open question, if it is a node; else the node above."""
    asked = tree.entries.get(entry.place.question_id or "")
    running = latest_answer(tree, entry.id) if asked is entry else None
    wanted: str | None
    if entry.ends_turn:
        wanted = entry.id
    elif running is not None:
        yield running.id
        wanted = running.node_above
    else:
        wanted = asked.id if asked is not None and asked.is_node else entry.place.node_above
    while wanted is not None and (above := tree.entries.get(wanted)) is not None:
        yield wanted
        wanted = above.place.node_above


def context_path(tree: Tree, start: Entry | None) -> tuple[Entry, ...]:
    """The path that a context at an entry is assembled from, oldest first: up to the nearest boundary, and further
    until the turns that the session keeps raw are complete, or (for a compaction) to the first entry that it keeps."""
    if start is None:
        return ()
    path: list[Entry] = []
    boundary: Entry | None = None
    in_turn = start.ends_turn or start.place.question_id is not None
    low = start.place.turns_above - tree.session.config.keep_raw_count + in_turn
    for entry in tree.up(start.id):
        path.append(entry)
        boundary = boundary or (entry if is_boundary(entry) else None)
        kept_depth = boundary.place.kept_depth if boundary else None
        if boundary and (entry.place.turns_above < low if kept_depth is None else entry.place.depth <= kept_depth):
            break
    return tuple(reversed(path))


def state_at(tree: Tree, start: Entry | None) -> SessionState:
    """Model, thinking level and tools that hold at an entry."""
    place = start.place if start else None
    changes = (place.model_from, place.thinking_from, place.tools_from) if place else ()
    return fold(tree.entries[change] for change in changes if change in tree.entries)


def turn(tree: Tree, entry: Entry) -> list[Entry]:
    """The entries of the turn that an entry is in, down to it, oldest first."""
    first = entry.place.question_id or entry.id
    entries: list[Entry] = []
    for above in tree.up(entry.id):
        entries.append(above)
        if above.id == first:
            break
    return entries[::-1]
