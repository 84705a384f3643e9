"""Finding what was said, on every storage, in languages with blanks between words and without."""

from __future__ import annotations

import pytest

from graph_session.domain.ids import new_id
from graph_session.domain.search import search_of
from graph_session.storage.protocol import SessionStorage
from tests.domain.trees import answer, note, other_model, question, tool_result, tool_use
from tests.storage.desk import NO_MARKS, OWNER, Desk

TEXTS = {
    "english": "The quick brown fox jumps over the lazy dogs.",
    "chinese": "请计划一个解析器。图数据库很好用",
    "japanese": "パーサーを設計してください。グラフデータベースは便利です",
    "code": 'Call foo_bar("x", y[0]) in C++ and \\n: it\'s a-b',
}


async def _found(desk: Desk, text: str, owner: str = "somebody", session_id: str | None = None) -> set[str]:
    hits = await desk.storage.search(owner, search_of(text), session_id or desk.id, 0, 100)
    assert {hit.session.id for hit in hits} <= {session_id or desk.id}
    return {hit.entry.id for hit in hits}


@pytest.mark.parametrize(
    ("typed", "language"),
    [
        ("fox", "english"),
        ("FOX dog", "english"),
        ("quic", "english"),
        ('"lazy dogs"', "english"),
        ("the fox", "english"),
        ("解析器", "chinese"),
        ("图数据库", "chinese"),
        ("图", "chinese"),
        ("好用 计划", "chinese"),
        ("データベース", "japanese"),
        ("設計", "japanese"),
        ("グラフ 便利", "japanese"),
        ("foo_bar", "code"),
        ("C++", "code"),
        ("a-b", "code"),
        ('foo_bar("x', "code"),
        ("it's", "code"),
    ],
)
async def test_words_find_what_has_all_of_them(storage: SessionStorage, typed: str, language: str) -> None:
    desk = await Desk.fresh(storage)
    written = await desk.write([question(text) for text in TEXTS.values()])
    expected = dict(zip(TEXTS, (entry.id for entry in written), strict=True))
    assert await _found(desk, typed) == {expected[language]}


@pytest.mark.parametrize(
    "typed",
    ["fox zebra", '"brown zebra"', "数据解析", "ベースデータ", "the", "AND", "fox NOT", "*", "?!", '"', "~", ""],
)
async def test_words_that_are_not_there_find_nothing(storage: SessionStorage, typed: str) -> None:
    desk = await Desk.fresh(storage)
    await desk.write([question(text) for text in TEXTS.values()])
    if typed == "fox NOT":
        assert len(await _found(desk, typed)) == 1, "a word that every text has is no condition"
    else:
        assert await _found(desk, typed) == set()


async def test_only_messages_are_found_and_only_the_owners(storage: SessionStorage) -> None:
    word = f"w{new_id().replace('-', '')}"
    desk = await Desk.fresh(storage)
    other = await Desk.fresh(storage, owner="another")
    said = await desk.write([question(f"{word} 1"), answer(f"{word} 2"), note(f"{word} 3"), other_model()])
    (elsewhere,) = await other.write([question(word)])
    hits = await storage.search("somebody", search_of(word), None, 0, 100)
    assert {hit.entry.id for hit in hits} == {entry.id for entry in said[:3]}
    assert [hit.entry.parent_id for hit in hits if hit.entry.id == said[1].id] == [said[0].id]
    assert {hit.entry.id for hit in await storage.search("another", search_of(word), None, 0, 9)} == {elsewhere.id}
    assert await storage.search("another", search_of(word), desk.id, 0, 9) == []
    await storage.delete_session(desk.id)
    assert await storage.search("somebody", search_of(word), None, 0, 9) == []


async def test_pages_go_through_all_hits_once(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    written = await desk.write([question(f"apple number {number}") for number in range(25)])
    search = search_of("apple")
    pages = [await storage.search("somebody", search, desk.id, skip, 10) for skip in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert {hit.entry.id for page in pages for hit in page} == {entry.id for entry in written}


async def test_entries_are_part_of_nodes(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    asked, call, result, told, change = await desk.write(
        [question(), tool_use("c"), tool_result("c"), answer(), other_model()]
    )
    (again,) = await desk.write([answer("again")], asked)
    (unanswered,) = await desk.write([question("and now?")], change)
    waiting, running = await desk.begin(told)
    ids = [entry.id for entry in (asked, call, result, told, change, again, unanswered, waiting)]
    found = await storage.nodes_with([*ids, "nobody"])
    assert [found[entry_id] for entry_id in ids] == [
        told.id, told.id, told.id, told.id, told.id, again.id, unanswered.id, running.id,
    ]  # fmt: skip
    assert "nobody" not in found
    await storage.finish_answer(desk.ended(waiting, running), owner=OWNER, marks=NO_MARKS)


async def test_tips_are_the_ends_of_the_branches_below(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    first = await desk.ask(None)
    left = await desk.ask(first)
    right = await desk.ask(first)
    deep = (await desk.write([question(), answer(), other_model()], right))[1]
    open_question, running = await desk.begin(left)
    tips = await storage.tips([first.id, left.id, right.id, deep.id], 20)
    assert tips[first.id] == [deep.id, running.id]
    assert tips[left.id] == [running.id]
    assert tips[right.id] == tips[deep.id] == [deep.id]
    assert len((await storage.tips([first.id], 1))[first.id]) == 1
    await storage.finish_answer(desk.ended(open_question, running), owner=OWNER, marks=NO_MARKS)
    assert (await storage.tips([left.id], 20))[left.id] == [running.id]


async def test_tips_of_a_deep_branch_are_looked_for_so_far(storage: SessionStorage) -> None:
    desk = await Desk.fresh(storage)
    line = await desk.write([body for _ in range(700) for body in (question(), answer())])
    tips = await storage.tips([line[1].id, line[901].id], 20)
    assert tips == {line[1].id: [line[1001].id], line[901].id: [line[-1].id]}
