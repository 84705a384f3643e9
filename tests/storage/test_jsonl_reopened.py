"""A session with entries of every type, opened again from its file, is what it was; and a damaged one still opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from graph_session.domain.entries import (
    ActiveToolsChange,
    Body,
    BranchSummary,
    Compaction,
    Custom,
    Entry,
    EntryType,
    Label,
    LeafMove,
    SessionInfo,
    Summary,
    SummaryKind,
    SummaryScope,
    SummaryState,
    ThinkingLevelChange,
)
from graph_session.domain.state import STATE_TYPES
from graph_session.domain.turns import write_under
from graph_session.storage.jsonl import JsonlStorage, ProblemCode
from tests.domain.trees import answer, note, other_model, question, tool_result, tool_use
from tests.storage.desk import Desk

HISTORY, BRANCH = SummaryScope.HISTORY, SummaryScope.BRANCH


def waiting(entry: Entry) -> Entry:
    """A branch summary whose text is still to be made."""
    return replace(entry, summary=Summary(state=SummaryState.PENDING, kind=SummaryKind.BRANCH))


def without_text(from_id: str, scope: SummaryScope) -> Body:
    return BranchSummary(from_id=from_id, summary="", scope=scope)


async def _made(home: Path) -> dict[str, str]:
    """The session "s" with all that there is; the ids by name."""
    storage = JsonlStorage(home)
    desk = await Desk.fresh(storage, id="s", owner="me", name="at first")
    turn = [question(), tool_use("1"), tool_result("1"), answer()]
    changes = [other_model(), ThinkingLevelChange(level="high"), ActiveToolsChange(tool_names=("look",))]
    line = await desk.write([*turn, *changes, note(), Custom(custom_type="app", data=[1, None]), question(), answer()])
    said, asked, last = line[3], line[9], line[10]
    compaction = desk.entry(last, Compaction(summary="short", first_kept_entry_id=asked.id, tokens_before=9))
    compaction = replace(compaction, place=replace(compaction.place, kept_depth=asked.place.depth))
    # One that keeps nothing names itself.
    whole = desk.entry(said, Compaction(summary="all", first_kept_entry_id="", tokens_before=9))
    body = Compaction(summary="all", first_kept_entry_id=whole.id, tokens_before=9)
    whole = write_under(said, id=whole.id, session_id="s", timestamp=whole.timestamp, body=body)
    whole = replace(whole, place=replace(whole.place, kept_depth=whole.place.depth))
    await storage.append(desk.id, [compaction])
    made = await storage.append(desk.id, [whole])
    assert made.leaf_id == whole.id
    done = [waiting(desk.entry(said, without_text(last.id, scope))) for scope in (HISTORY, BRANCH)]
    await storage.append(desk.id, done)
    while (job := await storage.claim_summary("worker", 60)) is not None:
        await storage.finish_summary(job, f"made for {job.entry.id}", "echo")
    pending = [waiting(desk.entry(said, without_text(last.id, scope))) for scope in (HISTORY, BRANCH)]
    await storage.append(desk.id, pending)
    labels = [Label(target_id=said.id, label="first"), Label(target_id=last.id, label="gone")]
    below = await desk.write(
        [*labels, Label(target_id=said.id, label="second"), Label(target_id=last.id, label=None)], last
    )
    (named,) = await desk.write([SessionInfo(name="Trees")], below[-1])
    record = desk.entry(named, LeafMove(target_id=last.id))
    await storage.move_leaf(desk.id, last.id, named.id, record)
    await storage.close()
    return {
        "said": said.id,
        "asked": asked.id,
        "last": last.id,
        "compaction": compaction.id,
        "whole": whole.id,
        "named": named.id,
        "record": record.id,
        "model": line[4].id,
        "thinking": line[5].id,
        "tools": line[6].id,
        **{f"done {entry.body.scope}": entry.id for entry in done if isinstance(entry.body, BranchSummary)},
        **{f"pending {entry.body.scope}": entry.id for entry in pending if isinstance(entry.body, BranchSummary)},
    }


def _file(home: Path) -> Path:
    (path,) = home.glob("*/*.jsonl")
    return path


async def _answers(storage: JsonlStorage, ids: Sequence[str]) -> list[object]:
    session = await storage.session("s")
    assert session is not None
    stored = [found async for found in storage.stored_entries("s")]
    views = [await storage.view_at("s", entry.id) for entry in stored]
    paths = [await storage.path_of_types(entry_id, STATE_TYPES) for entry_id in ids]
    pages = [await storage.node_page(session, None, 99), await storage.outline_page(session, None, 99)]
    places: list[object] = [await storage.nodes_with(ids), await storage.tips(ids, 9), await storage.entry_counts()]
    return [session, stored, views, paths, pages, places, await storage.session_usage(session)]


async def test_a_session_of_every_type_is_the_same_when_it_is_opened_again(tmp_path: Path) -> None:
    ids = await _made(tmp_path)
    storage = JsonlStorage(tmp_path)
    found = {name: (await storage.entries([entry_id]))[entry_id] for name, entry_id in ids.items()}
    assert {entry.entry.type async for entry in storage.stored_entries("s") if entry.entry} == set(EntryType)
    assert found["compaction"].place.kept_depth == found["asked"].place.depth
    assert found["whole"].place.kept_depth == found["whole"].place.depth
    place = found["record"].place
    assert (place.model_from, place.thinking_from, place.tools_from) == (ids["model"], ids["thinking"], ids["tools"])
    assert (found["said"].label, found["last"].label) == ("second", None)
    for scope in SummaryScope:
        done, pending = found[f"done {scope}"], found[f"pending {scope}"]
        assert (done.summary.state, done.summary.branch_summary) == (SummaryState.DONE, f"made for {done.id}")
        assert (pending.summary.state, pending.summary.branch_summary) == (SummaryState.PENDING, None)
    view = await storage.view_at("s", None)
    assert view is not None
    assert (view.state.model_id, view.state.thinking_level, view.state.active_tools) == ("other", "high", ("look",))
    assert (view.session.name, view.session.leaf_id) == ("Trees", ids["last"])
    # What waits is still worked on, and what was worked on is still there once more.
    while (job := await storage.claim_summary("worker", 60)) is not None:
        await storage.finish_summary(job, "late", "echo")
    before = await _answers(storage, list(ids.values()))
    await storage.close()
    again = JsonlStorage(tmp_path)
    assert await _answers(again, list(ids.values())) == before
    assert (await again.entries([ids["pending HISTORY"]]))[ids["pending HISTORY"]].summary.branch_summary == "late"
    assert await again.check_files() == []
    await again.close()


async def test_a_name_that_an_entry_gave_is_found_before_the_file_is_read(tmp_path: Path) -> None:
    ids = await _made(tmp_path)
    # Until nothing is due any more, files are read at once.
    storage = JsonlStorage(tmp_path)
    while (job := await storage.claim_summary("worker", 60)) is not None:
        await storage.finish_summary(job, "late", "echo")
    desk = Desk(storage, "s")
    await desk.write([SessionInfo(name="Bäume")], await desk.read(ids["named"]))
    await storage.close()
    again = JsonlStorage(tmp_path)
    assert [session.id for session in (await again.sessions("me", "BÄUME", None, 9)).items] == ["s"]
    assert (await again.sessions("me", "trees", None, 9)).items == []
    await again.close()


@pytest.mark.parametrize("kind", [*EntryType, "summary"])
async def test_without_the_lines_of_one_type_the_others_are_there(tmp_path: Path, kind: str) -> None:
    await _made(tmp_path)
    path = _file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(f'{{"type":"{kind}"'.encode())]
    assert len(kept) < len(lines)
    whole = JsonlStorage(tmp_path)
    count = (await whole.entry_counts())["s"]
    await whole.close()
    path.write_bytes(b"".join(kept))
    storage = JsonlStorage(tmp_path)
    missing = 0 if kind == "summary" else len(lines) - len(kept)
    assert await storage.entry_counts() == {"s": count - missing}
    codes = {problem.code for problem in await storage.check_files()}
    # The last change is one without its end, the others have lost a line.
    assert codes & {ProblemCode.MISSING_LINES, ProblemCode.CUT_CHANGE}
    for found in [found async for found in storage.stored_entries("s")]:
        assert await storage.view_at("s", found.id) is not None
    await storage.close()


async def test_a_label_that_stands_before_its_entry_is_its_label(tmp_path: Path) -> None:
    storage = JsonlStorage(tmp_path)
    desk = await Desk.fresh(storage, id="s")
    first, second = await desk.write([question(), answer()])
    await desk.write([Label(target_id=second.id, label="end")], second)
    await storage.close()
    path = _file(tmp_path)
    header, *rest = path.read_bytes().splitlines(keepends=True)
    entries = [line for line in rest if not line.startswith(b'{"type":"change"')]
    path.write_bytes(b"".join([header, entries[2], entries[1], entries[0]]))
    again = JsonlStorage(tmp_path)
    found = await again.entries([first.id, second.id])
    assert [found[entry_id].label for entry_id in (first.id, second.id)] == [None, "end"]
    await again.close()
