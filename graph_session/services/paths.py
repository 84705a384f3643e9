"""Checking the active path that a client sends with a question."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.errors import InvalidActivePath
from graph_session.domain.turns import hash_path
from graph_session.storage.protocol import NodeCheck, SessionStorage, View

_CHUNK = 1000


async def check_active_path(storage: SessionStorage, view: View, active_path: Sequence[str]) -> None:
    """Raises InvalidActivePath, with the first id that does not fit and the path to the leaf, unless the ids are the
    dialogue nodes from a root to a finished node of the session.

    A path that fits costs no read at all, however long: its ids' hash chain is compared with the one stored at its end.
    """
    if not active_path or _fits(view, active_path):
        return
    bad_id, reason = await _first_misfit(storage, view, active_path)
    leaf = view.session.leaf_id
    leaf_path = await storage.active_path(leaf) if leaf else []
    raise InvalidActivePath(
        f"{reason} Take the path in `activePath` (or query activePath) and ask again.", bad_id, leaf_path
    )


def _fits(view: View, active_path: Sequence[str]) -> bool:
    tip = view.tip
    return (
        tip is not None
        and tip.session_id == view.session.id
        and tip.is_node
        and len(active_path) == tip.place.turns_above + 1
        and hash_path(active_path[:-1]) == tip.place.path_hash
    )


async def _first_misfit(storage: SessionStorage, view: View, active_path: Sequence[str]) -> tuple[str, str]:
    above: str | None = None
    for start in range(0, len(active_path), _CHUNK):
        chunk = active_path[start : start + _CHUNK]
        checks = await storage.check_nodes(sorted(set(chunk)))
        for node_id in chunk:
            reason = _misfit(checks.get(node_id), view.session.id, above)
            if reason:
                return node_id, f"{node_id!r} {reason}."
            above = node_id
    return active_path[-1], f"{active_path[-1]!r} has changed while it was checked."


def _misfit(check: NodeCheck | None, session_id: str, above: str | None) -> str | None:
    if check is None or check.session_id != session_id:
        return "is not a dialogue node of this session"
    if check.running:
        return "is still being answered: wait for it or cancel it before asking below it"
    if not check.is_node:
        return "is an entry but not a dialogue node"
    if check.node_above != above:
        return "is not a root" if above is None else f"does not stand directly below {above!r}"
    return None
