"""Who asks: the result of authentication, passed to every use case."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_OWNER = "local"
"""Whose the sessions are where nobody is told apart."""


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated caller; every use case is told who asks, and serves only what that owner owns.

    owner: the name that sessions carry as their owner, never empty.
    """

    owner: str
