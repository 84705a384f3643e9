"""Finds the Cypher statements, the exported schema and the files for Neo4j Browser, in a wheel and in a checkout alike.

They lie in the checkout where a reader looks for them, and inside the package in a wheel.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


class ResourceMissing(Exception):
    """A file that belongs to every installation is not there: the installation is broken."""


def _find(name: str, folder: str = "") -> Traversable:
    packaged = files("graph_session") / name
    if packaged.is_dir() or packaged.is_file():
        return packaged
    in_checkout = Path(__file__).resolve().parent.parent / folder / name
    if in_checkout.exists():
        return in_checkout
    raise ResourceMissing(
        f"{name} is neither in the installed graph_session package nor beside it; reinstall graph_session"
    )


def cypher_dir() -> Traversable:
    """The folder of Cypher statements, one named statement per file.

    Raises ResourceMissing if the installation lacks it.
    """
    return _find("cypher")


def neo4j_browser_dir() -> Traversable:
    """The folder of what Neo4j Browser can load: a guide, a style, favourites.

    Raises ResourceMissing if the installation lacks it.
    """
    return _find("neo4j-browser", "docs")


def schema_text() -> str:
    """The exported GraphQL schema, as SDL.

    Raises ResourceMissing if the installation lacks it.
    """
    return _find("schema.graphql").read_text(encoding="utf-8")
