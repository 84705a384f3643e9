"""The contract for drawing the tree: short rows of the nodes, and the marks between them."""

from __future__ import annotations

from graph_session.domain.entries import BranchSummary, Compaction, Entry, Label, SummaryScope
from graph_session.domain.outline import COLUMNS, MARK_COLUMNS, Row
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer, failed, note, pending_anchor, question, tool_result, tool_use
from tests.storage.desk import NO_MARKS, OWNER, Desk


def compaction(kept: Entry) -> Compaction:
    return Compaction(summary="all before", first_kept_entry_id=kept.id, tokens_before=9)


def told(of: Entry, scope: SummaryScope) -> BranchSummary:
    return BranchSummary(from_id=of.id, summary='"scope":"HISTORY"', scope=scope, details={"scope": "HISTORY"})


async def test_a_row_says_what_a_drawing_needs(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = desk.line([question("q" * 200), answer(), question("broken"), failed(), question("open"), question("last")])
    line[1] = pending_anchor(line[1])
    await storage.append(desk.id, line)
    await desk.write([Label(target_id=line[1].id, label="here 🌳"), Label(target_id=line[4].id, label="")], line[5])
    page = await storage.outline_page(await desk.session(), None, 9)
    assert page.items == [
        [line[1].id, None, "DONE", True, "PENDING", "q" * 80, "here 🌳"],
        [line[3].id, line[1].id, "FAILED", False, "NONE", "broken", None],
        [line[4].id, line[3].id, "UNANSWERED", False, "NONE", "open", None],
        [line[5].id, line[4].id, "UNANSWERED", False, "NONE", "last", None],
    ]
    assert all(len(row) == len(COLUMNS) for row in page.items)
    assert page.marks == []


async def test_marks_name_the_node_that_they_stand_below(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    (top,) = await desk.write([note()])
    (above_all,) = await desk.write([told(top, SummaryScope.BRANCH)], top)
    first = await desk.ask(above_all)
    (history,) = await desk.write([told(first, SummaryScope.HISTORY)], first)
    asked = await desk.write([question(), tool_use("1"), tool_result("1")], history)
    (inside,) = await desk.write([compaction(first)], asked[-1])
    # The turn goes on below the compaction, and what stands below its end stands below its node.
    (end,) = await desk.write([answer()], inside)
    (last,) = await desk.write([compaction(end)], end)
    page = await storage.outline_page(await desk.session(), None, 9)
    assert [row[0] for row in page.items] == [first.id, end.id]
    expected: list[Row] = [
        [above_all.id, None, "BRANCH_SUMMARY", "BRANCH"],
        [history.id, first.id, "BRANCH_SUMMARY", "HISTORY"],
        [inside.id, first.id, "COMPACTION", None],
        [last.id, end.id, "COMPACTION", None],
    ]
    assert page.marks == expected
    assert all(len(mark) == len(MARK_COLUMNS) for mark in page.marks)
    assert await storage.marks_below([end.id, first.id, first.id, asked[0].id]) == expected[1:]
    assert await storage.marks_below([end.id]) == expected[3:]
    assert await storage.marks_below([]) == []


async def test_pages_have_each_mark_once(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    at: Entry | None = None
    marks: list[str] = []
    for number in range(1, 9):
        end = await desk.ask(at)
        written = await desk.write([note() if number % 2 else compaction(end) for _ in range(number)], end)
        marks += [entry.id for entry in written if isinstance(entry.body, Compaction)]
        at = written[-1]
    session = await desk.session()
    for first in (1, 3, 8, 100):
        found: list[object] = []
        after: str | None = None
        more = True
        while more:
            page = await storage.outline_page(session, after, first)
            found += [mark[0] for mark in page.marks]
            more, after = page.has_next, page.cursors[-1]
        assert found == marks
    rest = await storage.outline_page(session, page.cursors[-1], 5)
    assert (rest.items, [mark[0] for mark in rest.marks]) == ([], marks[-8:])


async def test_an_answer_below_a_compaction_keeps_its_row_and_the_mark_stays_above_it(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    asked, running = await desk.begin(first)
    (compacted,) = await desk.write([compaction(asked)], asked)
    mark: Row = [compacted.id, first.id, "COMPACTION", None]
    page = await storage.outline_page(await desk.session(), None, 9)
    assert ([row[:3] for row in page.items], page.marks) == (
        [[first.id, None, "DONE"], [running.id, first.id, "RUNNING"]],
        [mark],
    )
    ended = desk.ended(compacted, running)
    assert await storage.finish_answer(ended, owner=OWNER, marks=NO_MARKS)
    page = await storage.outline_page(await desk.session(), None, 9)
    assert [row[:3] for row in page.items] == [[first.id, None, "DONE"], [running.id, first.id, "DONE"]]
    assert page.marks == [mark]
