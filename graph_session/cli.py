"""The `graph-session` command."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from pydantic import ValidationError

from graph_session import __version__
from graph_session.domain.errors import StorageUnavailable
from graph_session.logs import configure_logging
from graph_session.settings import Settings
from graph_session.storage.engines import EngineError
from graph_session.storage.graph.migrations import MigrationError

EXIT_CANNOT_START = 3
T = TypeVar("T")
HOME = click.option("--home", type=click.Path(path_type=Path), help="Folder of the embedded data.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graph-session")
def main() -> None:
    """Conversations with an LLM as trees in a graph database, over GraphQL. Settings: docs/settings.md."""


@main.command()
@click.option("--host", help="Address to listen on.  [GRAPH_SESSION_HOST, 127.0.0.1]")
@click.option("--port", type=int, help="Port to listen on; 0: a free one.  [GRAPH_SESSION_PORT, 8000]")
@click.option("--home", type=click.Path(path_type=Path), help="Folder of the embedded data.  [GRAPH_SESSION_HOME]")
@click.option("--dev", is_flag=True, help="Serve GraphiQL at /graphiql.")
@click.option("--verbose", is_flag=True, help="Log requests too.")
def serve(host: str | None, port: int | None, home: Path | None, dev: bool, verbose: bool) -> None:
    """Serve the GraphQL API, with a summary worker inside."""
    from graph_session.server import serve as run

    settings = _settings(host=host, port=port, home=home, log_level="debug" if verbose else None)
    _run(run(settings, dev=dev))


@main.command()
@click.option("--verbose", is_flag=True, help="Log more.")
def worker(verbose: bool) -> None:
    """Make summaries outside the server, for a Neo4j that servers share."""
    settings = _settings(log_level="debug" if verbose else None)
    if settings.storage != "graph" or not settings.neo4j_uri:
        _fail(
            "Data on this machine belong to the server's process, whose own worker makes its summaries. Set NEO4J_URI, "
            "and leave GRAPH_SESSION_STORAGE at graph."
        )
    _run(_work(settings))


@main.command()
def schema() -> None:
    """Print the GraphQL schema."""
    from graph_session.api.schema import exported_schema

    click.echo(exported_schema(), nl=False)


@main.command()
@click.argument("session", required=False)
@HOME
def verify(session: str | None, home: Path | None) -> None:
    """Check that SESSION, or every session, is what was written. Exit code 1 when it is not."""
    from graph_session.transfer import verify as run

    sys.exit(_run(run(_settings(home=home), session)))


@main.command()
@click.argument("session")
@HOME
def export(session: str, home: Path | None) -> None:
    """Write SESSION to standard output as JSON lines; import reads them again."""
    from graph_session.transfer import export as run

    sys.exit(_run(run(_settings(home=home), session, sys.stdout.buffer)))


@main.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "format_name", help="Format of the files; without it, it is recognised.")
@click.option("--new-id", is_flag=True, help="Give the session and its entries new ids.")
@HOME
def import_(files: tuple[Path, ...], format_name: str | None, new_id: bool, home: Path | None) -> None:
    """Make a session of each of FILES (-: standard input). Exit code 1 when one cannot be imported."""
    from graph_session.transfer import bring_in as run

    sys.exit(_run(run(_settings(home=home), files, format_name, new_id)))


async def _work(settings: Settings) -> None:
    from graph_session.runtime import open_services

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_services(settings, workers=settings.summary_workers or 1):
        click.echo(f"Making summaries for {settings.neo4j_uri}")
        await stop.wait()


def _settings(**given: Any) -> Settings:
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        lines = [f"  {_variable(problem['loc'])}: {problem['msg']}" for problem in error.errors()]
        _fail("A setting is not valid (see docs/settings.md):\n" + "\n".join(lines))
    configure_logging(settings.log_level)
    return settings


def _variable(location: tuple[int | str, ...]) -> str:
    """The name in the environment of the setting at a location."""
    name = str(location[0])
    return f"GRAPH_SESSION_{name.upper()}" if name in Settings.model_fields else name


def _run(work: Coroutine[Any, Any, T]) -> T:
    try:
        return asyncio.run(work)
    except Exception as error:
        if isinstance(error, _expected()):
            _fail(str(error))
        raise
    except KeyboardInterrupt:
        sys.exit(130)


def _expected() -> tuple[type[Exception], ...]:
    """The failures whose text says all. Looked up when there is one: two of them bring the whole server with them."""
    from graph_session.api.security import InsecureBind
    from graph_session.server import CannotListen

    return EngineError, MigrationError, StorageUnavailable, InsecureBind, CannotListen, ValueError


def _fail(message: str) -> NoReturn:
    click.echo(f"graph-session: {message}", err=True)
    sys.exit(EXIT_CANNOT_START)
