"""What resolvers get as `info.context`: the use cases, who asks, and loaders that live for one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from starlette.requests import HTTPConnection
from strawberry import Info
from strawberry.dataloader import DataLoader

from graph_session.api.application import request_id_of
from graph_session.api.security import principal_of
from graph_session.domain.entries import Entry
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.services import Services


@dataclass(frozen=True, slots=True)
class Loaders:
    """Reads that many objects of one result need, made together."""

    children: DataLoader[str, list[str]]
    turn_entries: DataLoader[DialogueNode, list[Entry]]
    tips: DataLoader[str, list[str]]


@dataclass(frozen=True, slots=True)
class Context:
    services: Services
    principal: Principal
    request_id: str
    loaders: Loaders


ApiInfo: TypeAlias = Info[Context, None]


def make_context(connection: HTTPConnection) -> Context:
    """The context of one operation, or of one event of a subscription."""
    services: Services = connection.state.services
    return Context(services, principal_of(connection), request_id_of(connection), _loaders(services))


def _loaders(services: Services) -> Loaders:
    async def children(ids: list[str]) -> Sequence[list[str]]:
        found = await services.tree.children(ids)
        return [found[node_id] for node_id in ids]

    async def turn_entries(nodes: list[DialogueNode]) -> Sequence[list[Entry]]:
        found = await services.tree.turn_entries(nodes)
        return [found[node.node_id] for node in nodes]

    async def tips(ids: list[str]) -> Sequence[list[str]]:
        found = await services.search.tips(ids)
        return [found[entry_id] for entry_id in ids]

    return Loaders(
        DataLoader(load_fn=children),
        DataLoader(load_fn=turn_entries, cache_key_fn=lambda node: node.node_id),
        DataLoader(load_fn=tips),
    )
