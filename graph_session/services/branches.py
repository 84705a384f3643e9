"""Branches together: compare two, tell one what happened on another, and what each has cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from graph_session.domain.catalogue import Catalogue, usage_by_model
from graph_session.domain.compaction import file_lists
from graph_session.domain.content import Usage
from graph_session.domain.entries import Entry, Message, SummaryScope
from graph_session.domain.errors import InvalidInput, NotFound
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.services.access import owned_entry, owned_session, refuse_inside_pair, refuse_while_answering
from graph_session.services.walk import path_below
from graph_session.services.write import pending_summary
from graph_session.storage.protocol import ANYWHERE, SessionStorage


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of model calls and what they cost in US dollars; None where a price is not known."""

    usage: Usage
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two branches: the node where they part, and what is on only one of them, oldest first."""

    common_ancestor: str | None
    only_a: list[DialogueNode]
    only_b: list[DialogueNode]
    cost_a: Cost
    cost_b: Cost


class BranchService:
    """Every method raises NotFound for what is not the caller's. Ids may be of nodes or of entries."""

    def __init__(self, storage: SessionStorage, catalogue: Catalogue, *, on_change: Callable[[str], None]) -> None:
        self._storage = storage
        self._catalogue = catalogue
        self._on_change = on_change

    async def compare(self, who: Principal, a: str, b: str) -> Comparison:
        """Two branches, by an entry of each. Raises InvalidInput for entries of different sessions."""
        running = {it.node_id: it for it in (await self._storage.nodes([a, b])).values() if it.entry_id != it.node_id}
        at_a, at_b = (running[it].entry_id if it in running else it for it in (a, b))
        entry_a, entry_b, _ = await self._pair(who, at_a, at_b)
        common = await self._storage.common_ancestor(entry_a.id, entry_b.id)
        path_a = await path_below(self._storage, common, entry_a.id)
        path_b = await path_below(self._storage, common, entry_b.id)
        # Of nodes and not of entries: two answers to a question, or what follows it unanswered, have that entry in
        # common and not its node.
        ids_a, ids_b = await self._nodes_to(entry_a, running.get(a)), await self._nodes_to(entry_b, running.get(b))
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ids_a, ids_b, strict=False)))
        nodes = await self._storage.nodes([*ids_a[shared:], *ids_b[shared:]])
        return Comparison(
            ids_a[shared - 1] if shared else None,
            [nodes[node_id] for node_id in ids_a[shared:] if node_id in nodes],
            [nodes[node_id] for node_id in ids_b[shared:] if node_id in nodes],
            self._cost(usage_by_model(path_a)),
            self._cost(usage_by_model(path_b)),
        )

    async def summarize(self, who: Principal, from_id: str, into_id: str | None) -> tuple[Entry, Session]:
        """Write, below `into_id` (None: the leaf), a summary of what happened on the branch that ends at `from_id`,
        from its tip up to where the two part; the leaf moves to it. Its text comes later.

        Raises InvalidInput where there is nothing to tell, while an answer runs at the leaf, and for a place between a
        tool call and its result, LeafConflict where the leaf moved meanwhile.
        """
        tip, session = await owned_entry(self._storage, who, from_id)
        into = into_id or session.leaf_id
        if into is None:
            raise InvalidInput("The session has no leaf; say into which branch.", "intoId")
        if into == session.leaf_id:
            await refuse_while_answering(self._storage, session)
        _, at, _ = await self._pair(who, from_id, into)
        if at.id != session.leaf_id:
            await refuse_inside_pair(self._storage, at, "intoId")
        parted_at = await self._storage.common_ancestor(tip.id, at.id)
        entries = await path_below(self._storage, parted_at, tip.id)
        if not any(isinstance(entry.body, Message) for entry in entries):
            raise InvalidInput("Nothing happened there that the other branch does not have.", "fromId")
        details: dict[str, object] = dict(file_lists(entries, entries))
        summary = pending_summary(at, tip.id, SummaryScope.BRANCH, details)
        expected = session.leaf_id if into_id is None else ANYWHERE
        changed = await self._storage.append(session.id, [summary], expected_leaf=expected)
        self._on_change(session.id)
        return summary, changed

    async def costs(self, who: Principal, node_id: str) -> tuple[Cost, Cost]:
        """What the path from the root to a node or entry has cost, and what its whole session has."""
        found = (await self._storage.nodes([node_id])).get(node_id)
        entry, session = await owned_entry(self._storage, who, node_id if found is None else found.entry_id)
        path = await self._storage.path_usage(entry.id)
        return self._cost(path), self._cost(await self._storage.session_usage(session))

    def _cost(self, usages: Mapping[str | None, Usage]) -> Cost:
        """Usages by model, together."""
        sums, dollars = Usage(), [self._catalogue.cost_usd(model, usage) for model, usage in usages.items()]
        for usage in usages.values():
            sums = sums.plus(usage)
        known = [cost for cost in dollars if cost is not None]
        return Cost(sums, sum(known) if len(known) == len(dollars) else None)

    async def _nodes_to(self, entry: Entry, running: DialogueNode | None) -> list[str]:
        """The dialogue nodes from the root to where a user stands at an entry, or to an answer that runs."""
        if running is None:
            return await self._storage.active_path(entry.id)
        above = running.parent_node_id
        return [*(await self._storage.active_path(above) if above else []), running.node_id]

    async def _pair(self, who: Principal, a: str, b: str) -> tuple[Entry, Entry, Session]:
        entry_a, session = await owned_entry(self._storage, who, a)
        entry_b = (await self._storage.entries([b])).get(b)
        if entry_b is None:
            raise NotFound("entry", b)
        if entry_b.session_id != session.id:
            await owned_session(self._storage, who, entry_b.session_id)
            raise InvalidInput("The two are of different sessions.", "b")
        return entry_a, entry_b, session
