"""Text that means harm, or that is only very large, is shown as text and breaks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import asking
from tests.e2e.test_entries import append
from tests.services.world import assistant, user
from tests.support.anthropic_standin import AnthropicStandin
from tests.web.chat import Chat
from tests.web.support import OpenPage, PageServer, axe

ATTACKS = {
    "script": "<script>window.hacked = 1</script>",
    "handler": '<img src="x" onerror="window.hacked = 1">',
    "frame": '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
    "svg": '<svg onload="window.hacked = 1"><a href="javascript:window.hacked=1">x</a></svg>',
    "link": "[a link](javascript:window.hacked=1) and [another](data:text/html,<script>parent.hacked=1</script>)",
    "picture": "![a picture](https://elsewhere.example/tracks-you.png) ![two](data:image/svg+xml,<svg/>)",
    "style": '<style>body { display: none }</style><p style="position:fixed;inset:0">covered</p>',
    "maths": r"$\href{javascript:window.hacked=1}{x}$ and $\includegraphics{https://elsewhere.example/a.png}$",
    "definition": "[x]\n\n[x]: javascript:window.hacked=1",
    "override": "The file is called \u202egpj.exe and \u2066 is not closed",
    "template": "{{constructor.constructor('window.hacked=1')()}} ${window.hacked=1}",
}


@pytest.fixture(scope="module")
def server(built_page: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with (
        AnthropicStandin() as standin,
        PageServer(asking(standin), tmp_path_factory.mktemp("attacks")) as server,
    ):
        yield server


def session_of(server: PageServer, *bodies: Any, name: str = "Attacks") -> str:
    """A session with these entries."""

    async def make(api: Any) -> str:
        session_id: str = await api.create(name=name)
        await append(api, session_id, *bodies)
        return session_id

    return server.api(make)


def is_whole(page: Page) -> None:
    """The page works, and nothing in it was obeyed."""
    assert page.evaluate("window.hacked === undefined")
    expect(page.get_by_role("textbox", name="Question")).to_be_in_viewport()
    expect(page.get_by_role("treeitem").first).to_be_visible()


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_attacks_is_shown_as_text(attack: str, server: PageServer, open_page: OpenPage) -> None:
    text = ATTACKS[attack]
    page = open_page(server, f"/s/{session_of(server, user(text), assistant(text), name=text)}")
    article = page.get_by_role("article")
    expect(article).to_have_count(1)
    expect(article).to_contain_text(re.compile(re.escape(text[:8])))
    for link in article.get_by_role("link").all():
        assert re.match("https?:|mailto:", link.get_attribute("href") or ""), link
    assert article.locator("img, script, iframe, style, svg[onload]").count() == 0
    is_whole(page)
    assert axe(page) == []


def test_large_things_are_shown_in_parts_and_the_page_stays_quick(server: PageServer, open_page: OpenPage) -> None:
    megabyte = "Lorem ipsum dolor sit amet, *consectetur* adipiscing elit. " * 9 + "\n\n"
    bodies = [
        user("A long answer?"),
        assistant(megabyte * 1900),
        user("A long line?"),
        assistant("x" * 1_000_000),
        user("Long code?"),
        assistant("```python\n" + "\n".join(f"print({number})" for number in range(5000)) + "\n```"),
        user("y" * 200_000),
        assistant("Done."),
    ]
    page = open_page(server, f"/s/{session_of(server, *bodies)}")
    chat = Chat(page)
    expect(chat.page.get_by_text("Done.")).to_be_visible()
    code = chat.turn("Long code?")
    code.scroll_into_view_if_needed()
    expect(code.get_by_role("button", name=re.compile("5,000 lines"))).to_be_visible()
    line = chat.turn("A long line?")
    line.scroll_into_view_if_needed()
    expect(line.get_by_role("button", name=re.compile("[Ss]how"))).to_be_visible()
    long = chat.turn("A long answer?")
    long.scroll_into_view_if_needed()
    expect(long).to_contain_text("Lorem ipsum")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    is_whole(page)
