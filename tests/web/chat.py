"""The page as its reader uses it: what is on it, by the names that a screen reader says."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.support import Api
from tests.support.anthropic_reply import Reply, last_text, summary_of
from tests.web.support import PageServer

SLOWLY = "slowly"


def reply(body: dict[str, Any]) -> Reply | None:
    """Of the stand-in: "What is a fork?" is answered with "About: What is a fork?", and at length where it says
    "slowly"; summaries as it makes them."""
    if summary_of(body) is not None:
        return None
    question = last_text(body)
    if SLOWLY in question:
        return Reply(text=f"About: {question} " + "And so on. " * 60, delay=0.08)
    return Reply(text=f"About: {question}")


def line(server: PageServer, *questions: str, name: str = "Lisbon") -> str:
    """A session in which these were asked; its path on the page."""

    async def ask(api: Api) -> str:
        session_id = await api.create(name=name)
        await api.line(session_id, [], list(questions))
        return session_id

    return f"/s/{server.api(ask)}"


class Chat:
    """One page with a conversation open, or about to be."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.field = page.get_by_role("textbox", name="Question")
        self.tree = page.get_by_role("tree")
        self.stop = page.get_by_role("button", name="Stop the answer")

    def new(self) -> None:
        """Begin a conversation."""
        self.page.get_by_role("button", name=re.compile("^New conversation")).first.click()
        expect(self.field).to_be_focused()

    def ask(self, question: str, *, wait: bool = True) -> None:
        """Ask below what is shown."""
        self.field.fill(question)
        self.field.press("Enter")
        if wait:
            self.answered(question)

    def answered(self, question: str) -> None:
        """The answer to a question is there, as a whole, and nothing is on its way."""
        expect(self.turn(question)).to_contain_text(f"About: {question}")
        expect(self.turn(question)).to_have_attribute("aria-busy", "false")

    def turn(self, question: str) -> Locator:
        """A turn that is shown."""
        return self.page.get_by_role("article", name=f"Question: {question}", exact=True)

    def shows(self, *questions: str) -> None:
        """Just these turns are shown, in this order."""
        articles = self.page.get_by_role("article", name=re.compile("^Question: "))
        expect(articles).to_have_count(len(questions))
        for number, question in enumerate(questions):
            expect(articles.nth(number)).to_have_accessible_name(f"Question: {question}")

    def do(self, question: str, action: str) -> None:
        """One of the actions of a turn, which are seen when the pointer is there."""
        turn = self.turn(question)
        turn.hover()
        button = turn.get_by_role("button", name=action, exact=True)
        if not button.is_visible():
            turn.get_by_role("button", name="More", exact=True).click()
            button = turn.get_by_role("menuitem", name=action, exact=True)
        button.click()

    def walk(self, question: str, to: str) -> None:
        """`Previous` or `Next` version of a turn."""
        self.turn(question).get_by_role("button", name=f"{to} version").click()

    def node(self, question: str) -> Locator:
        """A turn in the tree."""
        return self.tree.get_by_role("treeitem", name=question)

    def open(self, panel: str) -> Locator:
        """The panel of this name, opened."""
        area = self.page.get_by_role("complementary", name=panel)
        if not area.is_visible():
            self.page.get_by_role("button", name=panel, exact=True).click()
        expect(area).to_be_visible()
        return area
