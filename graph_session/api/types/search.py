"""What a search finds."""

from __future__ import annotations

import strawberry

from graph_session.api.connection import Connection
from graph_session.api.context import ApiInfo
from graph_session.api.types.entry import Entry, entry_of
from graph_session.api.types.node import DialogueNode
from graph_session.api.types.session import Session
from graph_session.services.search import Found


@strawberry.type(description="A message that was found.")
class SearchHit:
    entry: Entry
    node: DialogueNode | None = strawberry.field(description="The turn it is part of.")
    session: Session
    snippet: str = strawberry.field(description="The text around the first place where a word stands.")

    @strawberry.field(
        description="The nodes at the ends of the branches it lies on, at most 20. A branch that goes on for more than "
        "1,000 entries is named by a node on it."
    )
    async def tip_ids(self, info: ApiInfo) -> list[strawberry.ID]:
        return [strawberry.ID(tip) for tip in await info.context.loaders.tips.load(self.entry.id)]

    @classmethod
    def of(cls, found: Found) -> SearchHit:
        """The GraphQL object of a hit."""
        return cls(
            entry=entry_of(found.entry),
            node=None if found.node is None else DialogueNode.of(found.node),
            session=Session.of(found.session),
            snippet=found.snippet,
        )


@strawberry.type
class SearchConnection(Connection[SearchHit]):
    pass
