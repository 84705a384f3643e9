"""The contexts that pi itself assembles for leaves of a tree it wrote, a sample that lies beside the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from graph_session.domain.appending import entries_from_json
from graph_session.domain.content import ThinkingBlock, ToolCallBlock
from graph_session.domain.context import FRAMES, ContextMessage, ContextSource, assemble
from graph_session.domain.entries import Entry
from graph_session.domain.state import fold

_SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "pi"
_SUMMARIES = {"compactionSummary": ContextSource.COMPACTION, "branchSummary": ContextSource.BRANCH_SUMMARY}

pytestmark = pytest.mark.skipif(not _SAMPLES.is_dir(), reason=f"there are no samples in {_SAMPLES}")


def _tree() -> dict[str, Entry]:
    header, *lines = (_SAMPLES / "generated-v3-tree.jsonl").read_bytes().splitlines()
    assert orjson.loads(header)["version"] == 3
    forms = [orjson.loads(line) for line in lines]
    return {entry.id: entry for entry in entries_from_json(forms, session_id="pi", parent=None, known={})}


def _path(tree: dict[str, Entry], leaf_id: str) -> list[Entry]:
    path = [tree[leaf_id]]
    while path[-1].parent_id:
        path.append(tree[path[-1].parent_id])
    return path[::-1]


def _as_pi_shows(message: ContextMessage) -> dict[str, str]:
    """A message of ours with pi's role; summaries out of their frames."""
    for role, source in _SUMMARIES.items():
        if message.source is source:
            inside = message.text.removeprefix(f"{FRAMES[source]}\n<summary>\n").removesuffix("\n</summary>")
            return {"role": role, "text": inside}
    parts = [
        "[toolCall]" if isinstance(block, ToolCallBlock) else getattr(block, "text", "") for block in message.content
    ]
    assert not any(isinstance(block, ThinkingBlock) for block in message.content)
    return {"role": message.role, "text": " | ".join(parts)}


def _without_thinking(message: dict[str, str]) -> dict[str, str]:
    # Ours leaves the thinking of ended turns out; the sample has one such block.
    return message | {"text": message["text"].removeprefix("think… | ")}


def test_six_leaves_give_what_pi_gives() -> None:
    tree = _tree()
    golden: dict[str, Any] = orjson.loads((_SAMPLES / "generated-v3-tree.golden.json").read_bytes())["leaves"]
    assert len(golden) == 6
    for name, leaf in golden.items():
        path = _path(tree, leaf["leafId"])
        for keep_raw in (0, 3, 100):
            context = assemble(path, keep_raw=keep_raw, model="echo")
            wanted = [_without_thinking(message) for message in leaf["messages"]]
            assert [_as_pi_shows(message) for message in context.messages] == wanted, name
        state = fold(path)
        if name != "Root2" and any(it.type == "model_change" for it in path):
            assert (state.thinking_level or "off") == leaf["thinkingLevel"]


def test_every_entry_of_the_sample_is_read() -> None:
    lines = (_SAMPLES / "generated-v3-tree.jsonl").read_bytes().splitlines()
    assert len(_tree()) == len(lines) - 1
