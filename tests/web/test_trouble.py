"""Networks, browsers and people as they are: files that are gone, no room to keep anything, a wrong token."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.conftest import asking
from tests.e2e.support import DELETE
from tests.support.anthropic_standin import AnthropicStandin
from tests.web.chat import Chat, line
from tests.web.support import Guard, OpenPage, PageServer, StartServer, axe

FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
TOKEN = "a-token-of-this-test-0123456789"


def test_a_part_that_cannot_be_loaded_says_so_in_its_place(
    page_server: PageServer, open_page: OpenPage, guard: Guard
) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?"))
    chat = Chat(page)
    chat.shows("One?", "Two?")
    expect(chat.node("Two?")).to_be_visible()
    guard.allow("404", "Unable to preload CSS", "NotLoaded", "dynamically imported module")
    page.route("**/assets/*Panel*", lambda route: route.fulfill(status=404))
    page.route("**/assets/DetailsDialog*", lambda route: route.fulfill(status=404))
    panel = chat.open("Usage")
    expect(panel.get_by_role("alert")).to_contain_text("This part of the page could not be loaded")
    chat.do("Two?", "Summaries")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("This part of the page could not be loaded")
    assert axe(page) == []
    page.keyboard.press("Escape")
    chat.field.fill("Half a ques")
    chat.shows("One?", "Two?")
    page.unroute_all()
    panel.get_by_role("button", name="Load the page again").click()
    expect(panel).to_contain_text("This branch")
    expect(chat.field).to_have_value("Half a ques")
    chat.field.fill("")


@pytest.mark.parametrize("script", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_a_browser_that_keeps_nothing_shows_the_page(script: str, page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server)
    page.context.add_init_script(script)
    page.goto(page_server.url + line(page_server, "One?", "Two?"))
    chat = Chat(page)
    chat.shows("One?", "Two?")
    chat.open("Usage")
    chat.field.fill("Three?")
    chat.field.press("Enter")
    chat.shows("One?", "Two?", "Three?")


def test_a_question_that_was_not_asked_stands_where_it_would_have_been(
    page_server: PageServer, open_page: OpenPage, guard: Guard
) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?"))
    chat = Chat(page)
    chat.shows("One?", "Two?")

    def lose(route: Route) -> None:
        if "mutation Ask" in (route.request.post_data or ""):
            route.abort("failed")
        else:
            route.continue_()

    guard.allow("ERR_FAILED")
    page.route("**/graphql", lose)
    chat.ask("Three?", wait=False)
    expect(page.get_by_text("This question was not asked")).to_be_visible()
    chat.node("One?").click()
    chat.shows("One?")
    expect(page.get_by_text("A question at another place of the tree was not asked")).to_be_visible()
    page.get_by_role("button", name="Go there").last.click()
    chat.shows("One?", "Two?")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(chat.turn("Three?")).to_have_attribute("aria-busy", "false")
    chat.shows("One?", "Two?", "Three?")


def test_a_wrong_token_is_told_as_one_and_asked_for_once(
    start_server: StartServer, open_page: OpenPage, guard: Guard
) -> None:
    guard.allow("401")
    page = open_page(start_server(GRAPH_SESSION_TOKEN=TOKEN))
    dialog = page.get_by_role("dialog", name="A token is needed")
    field = dialog.get_by_label("Token", exact=True)
    expect(field).to_be_focused()
    field.fill("wrong")
    field.press("Enter")
    expect(dialog).to_contain_text("The token that this browser has is not this server's")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_text("The server does not answer without its token")).to_be_visible()
    page.get_by_role("button", name="Give the token").click()
    field.fill(TOKEN)
    field.press("Enter")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_one_conversation_is_begun_however_often_one_asks_for_it(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server)
    made = 0

    def count(route: Route) -> None:
        nonlocal made
        made += "mutation CreateSession" in (route.request.post_data or "")
        route.continue_()

    page.route("**/graphql", count)
    button = page.get_by_role("button", name=re.compile("^New conversation")).first
    button.dblclick()
    expect(Chat(page).field).to_be_focused()
    assert made == 1


def test_a_link_to_a_place_that_is_not_there_says_so(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, f"{line(page_server, 'One?')}/n/nowhere")
    Chat(page).shows("One?")
    expect(page.get_by_text("a place that this conversation does not have")).to_be_visible()


def test_the_back_button_leads_back_from_a_fork(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?", "Three?"))
    chat = Chat(page)
    chat.shows("One?", "Two?", "Three?")
    chat.node("One?").focus()
    page.keyboard.press("f")
    chat.shows("One?")
    page.go_back()
    chat.shows("One?", "Two?", "Three?")


def test_what_one_wrote_is_not_lost_with_a_conversation_that_another_deletes(
    page_server: PageServer, open_page: OpenPage
) -> None:
    path = line(page_server, "One?")
    chat = Chat(open_page(page_server, path))
    chat.shows("One?")
    chat.field.fill("A long question")
    chat.page.wait_for_timeout(500)
    page_server.api(lambda api: api.run(DELETE, id=path.removeprefix("/s/")))
    notice = chat.page.get_by_role("alert")
    expect(notice).to_contain_text("There is no such conversation")
    expect(notice).to_contain_text("A long question")
    expect(notice.get_by_role("button", name="Copy what you were writing")).to_be_visible()
    expect(chat.page.get_by_role("main")).to_be_focused()


def test_a_server_that_comes_back_with_a_model_offers_it(
    start_server: StartServer, standin: AnthropicStandin, open_page: OpenPage, guard: Guard
) -> None:
    server = start_server()
    page = open_page(server, line(server, "One?"))
    Chat(page).shows("One?")
    offline = page.get_by_text("No model is connected: set ANTHROPIC_API_KEY")
    expect(offline).to_be_visible()
    page.wait_for_load_state("networkidle")
    with guard.allowing(r"net::ERR_", r"WebSocket connection"):
        server.kill()
        server.change(asking(standin))
        server.start()
        expect(offline).to_be_hidden()
    page.get_by_role("button", name=re.compile("^Model:")).click()
    expect(page.get_by_role("menuitemradio", name=re.compile("claude-sonnet"))).to_be_visible()
