"""The queries for Neo4j Browser, which are kept in docs/neo4j-browser/queries, and what is made of them.

After a change of a query or of the style:
    python -m tests.support.neo4j_guide
"""

from __future__ import annotations

import html
import io
import re
import textwrap
import zipfile
from dataclasses import dataclass
from pathlib import Path

from graph_session.api.neo4j_browser import PATH, SHOWN_ADDRESS

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "neo4j-browser"
PAGE = DOCS / "neo4j-browser.md"
STYLE = FOLDER / "graph_session.grass"
GUIDE = FOLDER / "guide.html"
FAVORITES = FOLDER / "favorites.zip"
IMAGES = DOCS / "images"

ANY_SESSION = "WITH '' AS name"
"""With what those queries begin that are about one session; a name belongs between the quotes."""

_BEGIN, _END = "<!-- queries: made by tests.support.neo4j_guide -->", "<!-- end of queries -->"
_SHOWN = {
    "User": "a question",
    "Assistant": "an answer",
    "Answer": "an answer that is running",
    "ToolResult": "what a tool gave",
    "Compaction": "a summary of all before it",
    "BranchSummary": "a summary of another branch, or of all before",
    "ModelChange": "another model, level or tools",
    "Label": "a label, a name",
    "LeafMove": "a move of the leaf",
    "Session": "the session",
}
_GUIDE = """\
<article class="guide" style="padding: 0 15px">
<title>graph_session</title>
<p>Click a title to put its query into the editor, or the arrow before it to run it. None of them writes.</p>
<p>Most look at the session that was used last. For another one, write its name between the quotes of
<code>{any_session}</code>.</p>
<p><b>First: </b><a data-exec="style {style}">load the style</a></p>
<p>{colours}</p>
<p>An arrow without a name is PARENT: it points to the entry before. An answer that begins with ANCHOR has a summary of
all from the root to it; with NODE, one of its turn.</p>
{entries}
</article>
"""
_ENTRY = '<p><b><a data-populate="{text}">{title}</a></b><br>{says}</p>'
_COLOUR = (
    '<span style="background: {color}; color: {text}; border: 1px solid {border}; border-radius: 8px; padding: 0 6px">'
    "{label}</span>&nbsp;{says}"
)


@dataclass(frozen=True, slots=True)
class Query:
    """One file: `text` is all of it, `statement` what follows the comment that gives its title and what it says."""

    name: str
    title: str
    says: str
    statement: str
    text: str


def queries() -> list[Query]:
    """All of them, in order."""
    return [_query(file) for file in sorted((FOLDER / "queries").glob("*.cypher"))]


def _query(file: Path) -> Query:
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    comment = [line.removeprefix("// ") for line in lines if line.startswith("// ")]
    statement = "\n".join(lines[len(comment) :])
    assert not any(line.startswith("//") for line in statement.splitlines()), f"{file}: its comment stands at its head"
    return Query(file.stem, comment[0], " ".join(comment[1:]), statement, text)


def parse_style(text: str) -> dict[str, dict[str, str]]:
    """The rules of a .grass by selector, such as `node.User`."""
    rules = re.findall(r"^([\w.]+) \{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL)
    return {selector: dict(re.findall(r"^  ([\w-]+): '?(.*?)'?;$", body, re.MULTILINE)) for selector, body in rules}


def guide() -> str:
    """What `:guide` shows: a drawer of titles to click."""
    style = parse_style(STYLE.read_text(encoding="utf-8"))
    colours = [
        _COLOUR.format(
            color=style[f"node.{label}"]["color"],
            # That of the session, on the drawer's dark ground, would not be seen.
            border="#A5ABB6",
            text=style[f"node.{label}"]["text-color-internal"],
            label=label,
            says=says,
        )
        for label, says in _SHOWN.items()
    ]
    entries = [
        _ENTRY.format(text=html.escape(it.text.rstrip()), title=html.escape(it.title), says=html.escape(it.says))
        for it in queries()
    ]
    return _GUIDE.format(
        any_session=html.escape(ANY_SESSION),
        style=SHOWN_ADDRESS + PATH + STYLE.name,
        colours="<br>\n".join(colours),
        entries="\n".join(entries),
    )


def favorites() -> bytes:
    """A file that Neo4j Browser takes as a folder of favourites when it is dropped there; always the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for query in queries():
            archive.writestr(zipfile.ZipInfo(f"graph_session/{query.name}.cypher"), query.text.rstrip())
    return file.getvalue()


def page(text: str) -> str:
    """docs/neo4j-browser.md with its queries as they are now."""
    before, _, rest = text.partition(_BEGIN)
    _, found, after = rest.partition(_END)
    assert found, f"{PAGE} lacks {_BEGIN} or {_END}"
    return f"{before}{_BEGIN}\n\n{''.join(map(_section, queries()))}{_END}{after}"


def _section(query: Query) -> str:
    says = textwrap.fill(query.says, 120, break_on_hyphens=False, break_long_words=False)
    image = IMAGES / f"neo4j-browser-{query.name}.png"
    shown = f"![{query.title[3:]}, in Neo4j Browser]({image.relative_to(DOCS)})\n\n" if image.exists() else ""
    return f"### {query.title}\n\n{says}\n\n{shown}```cypher\n{query.statement}\n```\n\n"


def main() -> None:
    GUIDE.write_text(guide(), encoding="utf-8")
    FAVORITES.write_bytes(favorites())
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
