"""The list of conversations: names, deletion and its undoing, files in and out, a server that wants a token."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.web.chat import Chat, line
from tests.web.support import Guard, OpenPage, PageServer, StartServer, axe


def actions(page: Page, name: str) -> Locator:
    """The button with what can be done with a conversation of the list, which is seen when the pointer is there."""
    page.get_by_role("navigation").get_by_role("link", name=re.compile(name)).hover()
    # The name stands apart in its direction.
    return page.get_by_role("button", name=re.compile(f"Actions for .?{name}"))


def test_a_conversation_is_renamed_where_it_stands(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", name="Before"))
    actions(page, "Before").click()
    page.get_by_role("menuitem", name="Rename").click()
    field = page.get_by_role("textbox", name="Name of the conversation")
    field.fill("Afterwards")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Afterwards")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Afterwards")).to_be_visible()


def test_a_deletion_can_be_undone_for_a_while(page_server: PageServer, open_page: OpenPage) -> None:
    path = line(page_server, "One?", name="To be kept")
    page = open_page(page_server, path)
    row = page.get_by_role("link", name=re.compile("To be kept"))
    actions(page, "To be kept").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    page.wait_for_timeout(1000)
    assert page_server.api(lambda api: api.session(path.removeprefix("/s/")))["name"] == "To be kept"


def test_what_was_deleted_and_not_undone_is_gone(page_server: PageServer, open_page: OpenPage) -> None:
    path = line(page_server, "One?", name="To be gone")
    page = open_page(page_server)
    actions(page, "To be gone").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text(re.compile("To be gone.* is deleted"))).to_be_visible()
    # Who leaves before the time is over has deleted it all the same.
    page.goto("about:blank")
    gone = open_page(page_server, path, context=page.context)
    expect(gone.get_by_text("There is no such conversation")).to_be_visible()


def test_names_are_searched(page_server: PageServer, open_page: OpenPage) -> None:
    line(page_server, "One?", name="About herons")
    line(page_server, "One?", name="About storks")
    page = open_page(page_server)
    page.get_by_role("textbox", name="Search names").fill("heron")
    found = page.get_by_role("navigation")
    expect(found.get_by_role("link", name=re.compile("About storks"))).to_have_count(0)
    expect(found.get_by_role("link", name=re.compile("About herons"))).to_be_visible()


def test_a_conversation_goes_out_as_a_file_and_comes_in_again(
    page_server: PageServer, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(page_server, line(page_server, "One?", "Two?", name="There and back"))
    Chat(page).shows("One?", "Two?")
    with page.expect_download() as download:
        page.get_by_role("button", name="Conversation menu").click()
        page.get_by_role("menuitem", name="Export").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    lines = [json.loads(it) for it in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["type"] == "session"
    assert sum(it["type"] == "message" for it in lines) == 4

    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import").first.click()
    chooser.value.set_files(file)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("is here already")
    assert axe(page) == []
    dialog.get_by_role("button", name="Import as a copy").click()
    expect(page.get_by_role("link", name=re.compile("There and back"))).to_have_count(2)


def test_settings_are_changed_and_refused_where_they_are_wrong(page_server: PageServer, open_page: OpenPage) -> None:
    page = open_page(page_server, line(page_server, "One?", name="Settings"))
    page.get_by_role("button", name="Conversation menu").click()
    page.get_by_role("menuitem", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Conversation settings")
    field = dialog.get_by_label("Turns before a summary")
    field.fill("0")
    dialog.get_by_role("button", name="Save").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert axe(page) == []
    field.fill("5")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def test_a_server_with_a_token_asks_for_it(start_server: StartServer, open_page: OpenPage, guard: Guard) -> None:
    server = start_server(GRAPH_SESSION_TOKEN="a long secret")
    with guard.allowing("status of 401", "WebSocket connection"):
        page = open_page(server)
        dialog = page.get_by_role("dialog", name="A token is needed")
        dialog.get_by_label("Token").fill("a long secret")
        dialog.get_by_role("button", name="Use it").click()
        expect(dialog).to_be_hidden()
    chat = Chat(page)
    chat.new()
    chat.field.fill("Are you there?")
    chat.field.press("Enter")
    expect(chat.turn("Are you there?")).to_contain_text("You asked: Are you there?")
