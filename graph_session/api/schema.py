"""The GraphQL schema of graph_session; `schema.graphql` at the project's root is its export."""

from __future__ import annotations

import strawberry
from strawberry.schema.config import StrawberryConfig

from graph_session.api.extensions import create_schema
from graph_session.api.mutations.answers import AnswerMutations
from graph_session.api.mutations.entries import EntryMutations
from graph_session.api.mutations.imports import ImportMutations
from graph_session.api.mutations.sessions import SessionMutations
from graph_session.api.queries import Query
from graph_session.api.subscriptions import AnswerDelta, AnswerDone, AnswerFailed, Subscription
from graph_session.api.types.entry import ENTRY_TYPES
from graph_session.api.types.failure import Failure


@strawberry.type
class Mutation(SessionMutations, AnswerMutations, EntryMutations, ImportMutations):
    pass


schema = create_schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[*ENTRY_TYPES, AnswerDelta, AnswerDone, AnswerFailed, Failure],
    config=StrawberryConfig(disable_field_suggestions=True),
)


def exported_schema() -> str:
    """The schema in GraphQL's own language, as it is kept in `schema.graphql`."""
    return f"{schema.as_str()}\n"
