"""The shape of the code: which part may know which, where Cypher lives, how long a module may be."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from graph_session.storage.engines import Dialect
from graph_session.storage.graph.migrations import migrations
from graph_session.storage.graph.statements import statements

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "graph_session"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 350

# A layer and what of the package it may import; whoever puts the parts together may import everything.
ALLOWED = {
    "domain": ("domain",),
    "models": ("domain", "models"),
    "storage": ("domain", "storage", "resources"),
    "services": ("domain", "services", "interchange", "storage.protocol", "models.base"),
    "interchange": ("domain", "interchange"),
    "api": ("domain", "services", "api", "logs", "storage.protocol", "resources"),
}
COMPOSITION = {"cli.py", "runtime.py", "server.py", "transfer.py", "__main__.py"}

# What a statement begins with, followed by what no sentence has after that word.
CYPHER = re.compile(
    r"\b(MATCH|MERGE|CREATE|DELETE|UNWIND|DETACH)\s*[($`]|\b(CREATE|DROP)\s+(CONSTRAINT|INDEX)\b|\bSET\s+\w+\.\w+\s*="
)


def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def _name(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def _imports(module: Path) -> set[str]:
    """The modules of the package that a module imports, also inside functions and for types only."""
    package = ("graph_session", *module.relative_to(PACKAGE).parent.parts)
    found: set[str] = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, [above, node.module]))
            # `from package import module` names a module as well.
            found |= {source} | {f"{source}.{alias.name}" for alias in node.names if source == "graph_session"}
    return {name.removeprefix("graph_session.") for name in found if name.startswith("graph_session.")}


def _within(name: str, allowed: tuple[str, ...]) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in allowed)


@pytest.mark.parametrize("layer", ALLOWED)
def test_arrows_point_inward_only(layer: str) -> None:
    wrong = {
        f"{_name(module)} imports {name}"
        for module in (PACKAGE / layer).rglob("*.py")
        for name in _imports(module)
        if name != "__version__" and not _within(name, ALLOWED[layer])
    }
    assert not wrong


def test_every_module_belongs_to_a_layer_or_knows_few_of_them() -> None:
    for module in PACKAGE.glob("*.py"):
        if module.name not in COMPOSITION:
            assert not {name.split(".")[0] for name in _imports(module)} & ALLOWED.keys(), module.name
    folders = {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and any(folder.glob("*.py"))}
    assert folders <= ALLOWED.keys()


def test_the_domain_does_no_input_or_output() -> None:
    forbidden = {"asyncio", "socket", "pathlib", "os", "neo4j", "anthropic", "strawberry", "starlette", "structlog"}
    for module in (PACKAGE / "domain").rglob("*.py"):
        for node in ast.walk(_tree(module)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & forbidden, module.name


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_short_enough_to_read(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def _strings(module: Path) -> list[str]:
    return [
        node.value for node in ast.walk(_tree(module)) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_python_holds_no_cypher(module: Path) -> None:
    assert [text for text in _strings(module) if CYPHER.search(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (s:Session) RETURN s",
        "match\nMERGE(n)",
        "CREATE INDEX x IF NOT EXISTS",
        "DETACH DELETE (n)",
        "SET s.a = 1",
    ],
)
def test_cypher_would_be_noticed(text: str) -> None:
    assert CYPHER.search(text)


@pytest.mark.parametrize("dialect", Dialect)
def test_every_statement_is_used_and_nothing_else_is_called(dialect: Dialect) -> None:
    graph = PACKAGE / "storage" / "graph"
    literals = {text for module in graph.glob("*.py") for text in _strings(module)}
    assert set(statements(dialect)) <= literals
    called = {
        node.args[0].value
        for module in graph.glob("*.py")
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"row", "rows"}
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert called <= set(statements(dialect))


@pytest.mark.parametrize("dialect", Dialect)
def test_every_call_gives_all_the_parameters_of_its_statement(dialect: Dialect) -> None:
    known = statements(dialect)
    for module in (PACKAGE / "storage" / "graph").glob("*.py"):
        for node in ast.walk(_tree(module)):
            if not (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"row", "rows"}
            ):
                continue
            given = {keyword.arg for keyword in node.keywords}
            # What is unpacked is checked when the statement runs.
            if node.args and isinstance(node.args[0], ast.Constant) and None not in given:
                assert given == known[node.args[0].value].parameters, node.args[0].value


def test_every_cypher_file_says_what_it_does() -> None:
    for file in (ROOT / "cypher").glob("*.cypher"):
        first, *rest = file.read_text(encoding="utf-8").splitlines()
        assert re.match(rf"// {file.name.split('.')[0]} \((READ|WRITE|SCHEMA)\): \w", first), file.name
        assert any(line and not line.startswith("//") for line in rest), file.name
    for dialect in Dialect:
        assert [step.version for step in migrations(dialect)] == list(range(1, len(migrations(dialect)) + 1))
