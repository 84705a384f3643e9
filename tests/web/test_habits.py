"""What readers bring along: their keyboard, their language, the dark, a phone, a screen reader."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.support import Api
from tests.web.chat import Chat, line
from tests.web.support import OpenPage, PageServer, axe


def test_the_keys_are_listed_and_work(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?"))
    chat = Chat(page)
    chat.shows("One?", "Two?")
    page.get_by_role("main").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("Fork from there")
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    for key, panel in {"c": "What the model sees", "b": "Compare", "u": "Usage", "s": "Search", "t": "Tree"}.items():
        page.keyboard.press(f"Alt+{key}")
        expect(page.get_by_role("complementary", name=panel)).to_be_visible()
    page.get_by_role("main").focus()
    page.keyboard.press("Alt+ArrowUp")
    chat.shows("One?")
    page.keyboard.press("Alt+ArrowDown")
    chat.shows("One?", "Two?")
    page.keyboard.press("/")
    expect(chat.field).to_be_focused()
    page.keyboard.press("?")
    expect(chat.field).to_have_value("?")
    chat.field.fill("")
    page.keyboard.press("Alt+n")
    expect(page).not_to_have_url(re.compile("/n/"))
    expect(page.get_by_role("article")).to_have_count(0)


def test_the_tree_is_walked_by_the_keyboard(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?", "Three?"))
    chat = Chat(page)
    chat.node("Three?").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(chat.node("One?")).to_be_focused()
    page.keyboard.press("Space")
    expect(chat.node("Two?")).to_have_count(0)
    expect(chat.node("One?")).to_have_accessible_name(re.compile("2 folded"))
    page.keyboard.press("Space")
    expect(chat.node("Two?")).to_be_visible()
    page.keyboard.press("Enter")
    chat.shows("One?")
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Find in the tree")).to_be_focused()


def test_who_leaves_an_edited_question_is_back_where_they_were(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?", "Three?"))
    chat = Chat(page)
    chat.node("Two?").click()
    chat.shows("One?", "Two?")
    chat.do("One?", "Ask in other words")
    expect(chat.field).to_have_value("One?")
    page.keyboard.press("Escape")
    chat.shows("One?", "Two?")


def test_something_is_found_in_the_tree(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "A heron?", "A stork?", "A grey heron?"))
    field = page.get_by_role("textbox", name="Find in the tree")
    field.fill("heron")
    expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    field.press("Enter")
    expect(page.get_by_text("2 of 2", exact=True)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_in_the_light_and_in_the_dark(
    scheme: str, page_server: PageServer, open_page: OpenPage
) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?"), color_scheme=scheme)
    chat = Chat(page)
    chat.shows("One?", "Two?")
    for panel in ("Tree", "What the model sees", "Compare", "Search", "Usage"):
        chat.open(panel)
        page.wait_for_timeout(300)
        assert axe(page) == [], panel


def test_the_page_speaks_chinese(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "里斯本有什么好看的？", name="里斯本"), locale="zh-CN")
    expect(page.get_by_role("treeitem", name="里斯本有什么好看的？")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    expect(page.get_by_role("button", name=re.compile("^新对话")).first).to_be_visible()
    assert axe(page) == []


def test_a_phone_shows_one_thing_at_a_time(page_server: PageServer, open_page: OpenPage) -> None:
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
    page = open_page(page_server, line(page_server, "One?", "Two?", name="On the phone"), **phone)
    chat = Chat(page)
    chat.shows("One?", "Two?")
    expect(chat.node("One?")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    chat.open("Tree")
    expect(chat.field).to_be_hidden()
    chat.node("One?").tap()
    chat.shows("One?")
    assert axe(page) == []
    page.get_by_role("button", name="Show conversations").tap()
    page.get_by_role("link", name=re.compile("On the phone")).tap()
    expect(chat.field).to_be_visible()


def test_nothing_jumps_while_an_answer_is_written(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, *(f"Question {number}?" for number in range(8))))
    chat = Chat(page)
    expect(chat.turn("Question 7?")).to_be_in_viewport()
    chat.turn("Question 3?").scroll_into_view_if_needed()
    # What comes into view is laid out, and takes its own height.
    page.wait_for_timeout(300)
    before = chat.turn("Question 3?").bounding_box()
    page_server.api(lambda api: _ask_below(api, page.url))
    expect(chat.page.get_by_role("treeitem", name="And then?")).to_be_visible()
    page.wait_for_timeout(500)
    after = chat.turn("Question 3?").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 1


async def _ask_below(api: Api, url: str) -> None:
    session_id = url.split("/s/")[1].split("/")[0]
    path = await api.active_path(session_id)
    await api.ask(session_id, path, "And then?")
