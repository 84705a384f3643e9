"""A conversation from its first question on, as somebody has it who has only the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import asking
from tests.support.anthropic_reply import Reply
from tests.support.anthropic_standin import AnthropicStandin
from tests.web.chat import Chat, reply
from tests.web.support import Guard, OpenPage, PageServer, StartServer, axe

ONE, TWO, THREE = "What is a tree?", "What is a branch?", "What is a leaf?"
OTHER = "What is a root?"
GONE = (r"net::ERR_", r"WebSocket connection")


@pytest.fixture(scope="module")
def server(built_page: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with AnthropicStandin() as standin:
        standin.responder = reply
        with PageServer(asking(standin), tmp_path_factory.mktemp("story")) as server:
            yield server


@pytest.fixture
def chat(server: PageServer, open_page: OpenPage) -> Chat:
    """A new conversation."""
    chat = Chat(open_page(server))
    chat.new()
    return chat


@pytest.fixture
def forked(chat: Chat) -> Chat:
    """Three questions, the second of which was then asked in other words."""
    for question in (ONE, TWO, THREE):
        chat.ask(question)
    chat.do(TWO, "Ask in other words")
    expect(chat.field).to_have_value(TWO)
    chat.ask(OTHER)
    return chat


def test_an_edited_question_is_another_branch_and_both_can_be_walked_to(forked: Chat) -> None:
    forked.shows(ONE, OTHER)
    forked.walk(OTHER, "Previous")
    forked.shows(ONE, TWO, THREE)
    previous = forked.turn(TWO).get_by_role("button", name="Next version")
    previous.click()
    forked.shows(ONE, OTHER)
    expect(forked.turn(OTHER).get_by_text("Version 2 of 2")).to_be_attached()
    assert axe(forked.page) == []


def test_a_reload_a_link_and_the_back_button_lead_where_they_should(
    forked: Chat, open_page: OpenPage, server: PageServer
) -> None:
    page = forked.page
    here = page.url
    forked.walk(OTHER, "Previous")
    forked.shows(ONE, TWO, THREE)
    expect(page).not_to_have_url(here)
    page.reload()
    forked.shows(ONE, TWO, THREE)
    page.go_back()
    expect(page).to_have_url(here)
    forked.shows(ONE, OTHER)

    forked.node(THREE).click()
    forked.shows(ONE, TWO, THREE)
    page.wait_for_timeout(1000)
    linked = Chat(open_page(server, here.removeprefix(server.url), context=page.context))
    linked.shows(ONE, OTHER)
    expect(linked.page.get_by_text("left at another place")).to_be_visible()
    page.wait_for_timeout(1000)
    forked.shows(ONE, TWO, THREE)
    linked.page.get_by_role("button", name="Go there").click()
    linked.shows(ONE, TWO, THREE)


def test_a_draft_is_kept_over_a_reload(chat: Chat) -> None:
    chat.ask(ONE)
    chat.field.fill("Half a ques")
    chat.page.reload()
    expect(chat.field).to_have_value("Half a ques")
    chat.field.fill("")


def test_a_label_shows_in_the_conversation_and_in_the_tree(forked: Chat) -> None:
    forked.do(OTHER, "Label")
    dialog = forked.page.get_by_role("dialog", name="Label")
    dialog.get_by_role("textbox").fill("the roots")
    dialog.get_by_role("button", name="Save").click()
    expect(forked.turn(OTHER).get_by_role("button", name=re.compile("Label: the roots"))).to_be_visible()
    expect(forked.node(f"the roots {OTHER}")).to_be_visible()


def test_one_goes_anywhere_in_the_tree_and_forks_there(forked: Chat) -> None:
    forked.node(ONE).click()
    forked.shows(ONE)
    expect(forked.page.get_by_text("2 ways go on from here")).to_be_visible()
    forked.node(TWO).focus()
    forked.page.keyboard.press("f")
    forked.shows(ONE, TWO)
    expect(forked.field).to_be_focused()
    forked.ask("And what of twigs?")
    forked.shows(ONE, TWO, "And what of twigs?")
    expect(forked.tree.get_by_role("treeitem")).to_have_count(5)


def test_an_anchor_arrives_and_the_context_says_what_it_stands_for(forked: Chat) -> None:
    # The first turn has two ways on from it, so it becomes an anchor, and its summary is made in the background.
    expect(forked.node(re.compile(f"{re.escape(ONE)}.*summary anchor"))).to_be_visible()
    panel = forked.open("What the model sees")
    expect(panel.get_by_text("Anchor summary").first).to_be_visible()
    expect(panel).to_contain_text("Summary of")
    expect(panel).to_contain_text(f"About: {OTHER}")
    expect(panel).not_to_contain_text(TWO)
    forked.field.fill("A question that is being written")
    expect(panel).to_contain_text("A question that is being written")
    forked.field.fill("")
    assert axe(forked.page) == []


def test_summaries_are_read_beside_the_turns_they_stand_for(forked: Chat) -> None:
    expect(forked.node(re.compile(f"{re.escape(ONE)}.*summary anchor"))).to_be_visible()
    forked.do(ONE, "Summaries")
    dialog = forked.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Summary of")
    expect(dialog).to_contain_text(f"About: {ONE}")
    assert axe(forked.page) == []
    forked.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_two_branches_are_compared_and_one_is_brought_into_the_other(forked: Chat) -> None:
    forked.node(THREE).focus()
    forked.page.keyboard.press("c")
    panel = forked.page.get_by_role("complementary", name="Compare")
    for question in (ONE, TWO, THREE, OTHER):
        expect(panel).to_contain_text(question)
    assert axe(forked.page) == []
    panel.get_by_role("button", name=re.compile("Bring B into A")).click()
    dialog = forked.page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("^Bring")).click()
    expect(forked.page.get_by_role("main")).to_contain_text("Summary of another branch")


def test_what_was_said_is_found_and_gone_to(forked: Chat) -> None:
    panel = forked.open("Search")
    panel.get_by_role("combobox").fill("leaf")
    hit = panel.get_by_role("option").filter(has_text="About: What is a leaf?").first
    expect(hit).to_be_visible()
    assert axe(forked.page) == []
    hit.click()
    forked.shows(ONE, TWO, THREE)


def test_an_answer_is_stopped_and_given_again(chat: Chat) -> None:
    question = "What, slowly, is a trunk?"
    chat.ask(question, wait=False)
    expect(chat.turn(question)).to_contain_text("And so on.")
    expect(chat.node(re.compile(re.escape(question) + ".*answering"))).to_be_visible()
    chat.stop.click()
    expect(chat.turn(question)).to_contain_text("You stopped this answer")
    expect(chat.turn(question)).to_contain_text("And so on.")
    chat.do(question, "Try again")
    expect(chat.turn(question).get_by_text("Version 2 of 2")).to_be_attached()
    expect(chat.turn(question)).to_contain_text("And so on.")
    chat.stop.click()


def test_a_second_window_goes_along(forked: Chat, open_page: OpenPage, server: PageServer) -> None:
    path = forked.page.url.removeprefix(server.url)
    second = Chat(open_page(server, path, context=forked.page.context))
    second.shows(ONE, OTHER)
    forked.node(THREE).click()
    second.shows(ONE, TWO, THREE)
    question = "Is it, slowly, seen there?"
    forked.ask(question, wait=False)
    expect(second.turn(question)).to_contain_text("And so on.")
    second.stop.click()
    expect(forked.turn(question)).to_contain_text("You stopped this answer")


def test_a_server_that_dies_in_the_middle_of_an_answer_and_comes_back(
    standin: AnthropicStandin, start_server: StartServer, open_page: OpenPage, guard: Guard
) -> None:
    standin.responder = reply
    server = start_server(GRAPH_SESSION_LEASE_SECONDS="3", **asking(standin))
    chat = Chat(open_page(server))
    chat.new()
    chat.ask(ONE)
    question = "What, slowly, is bark?"
    chat.ask(question, wait=False)
    expect(chat.turn(question)).to_contain_text("And so on.")
    node_id = chat.turn(question).get_attribute("data-node") or ""
    server.api(lambda api: api.written_down(node_id, "And so on."))
    chat.page.wait_for_load_state("networkidle")
    with guard.allowing(*GONE):
        server.kill()
        offline = chat.page.get_by_text("The server cannot be reached. What you see may be old")
        expect(offline).to_be_visible()
        expect(chat.turn(question)).to_contain_text("And so on.")
        server.start()
        expect(offline).to_be_hidden()
    expect(chat.turn(question)).to_contain_text("The server stopped in the middle of the answer")
    expect(chat.turn(question)).to_contain_text("And so on.")
    chat.ask("Are you there again?")
    chat.shows(ONE, question, "Are you there again?")


def test_a_question_that_cannot_be_sent_is_kept_and_sent_later(
    standin: AnthropicStandin, start_server: StartServer, open_page: OpenPage, guard: Guard
) -> None:
    standin.responder = reply
    server = start_server(**asking(standin))
    chat = Chat(open_page(server))
    chat.new()
    chat.ask(ONE)
    chat.page.wait_for_load_state("networkidle")
    with guard.allowing(*GONE):
        server.kill()
        chat.ask(TWO, wait=False)
        expect(chat.page.get_by_text("This question was not asked")).to_be_visible()
        server.start()
        expect(chat.page.get_by_text("The server cannot be reached. What you see may be old")).to_be_hidden()
    chat.page.get_by_role("button", name="Try again").click()
    chat.answered(TWO)
    chat.shows(ONE, TWO)


def test_a_failed_answer_says_why_and_can_be_tried_again(
    standin: AnthropicStandin, start_server: StartServer, open_page: OpenPage
) -> None:
    standin.responder = lambda body: Reply(status=401, message="this key is not known")
    server = start_server(**asking(standin))
    chat = Chat(open_page(server))
    chat.new()
    chat.ask(ONE, wait=False)
    expect(chat.turn(ONE)).to_contain_text("this key is not known")
    assert axe(chat.page) == []
    standin.responder = reply
    chat.do(ONE, "Try again")
    chat.answered(ONE)
