"""The graph storage as a whole: Neo4j or the embedded engine, by the same statements."""

from __future__ import annotations

from graph_session.storage.engines.base import Dialect, Endpoint
from graph_session.storage.engines.driver import connect
from graph_session.storage.graph.database import Database
from graph_session.storage.graph.migrations import migrate
from graph_session.storage.graph.search import GraphSearch
from graph_session.storage.graph.sessions import GraphSessions
from graph_session.storage.graph.summaries import GraphSummaries
from graph_session.storage.graph.tree import GraphTree
from graph_session.storage.graph.whole import GraphWhole


class GraphStorage(GraphSessions, GraphTree, GraphSummaries, GraphWhole, GraphSearch):
    """Sessions in a graph database; see `storage.protocol.SessionStorage` for what each method promises."""

    async def ping(self) -> None:
        await self._db.rows("ping")

    async def close(self) -> None:
        await self._db.close()


async def open_graph(endpoint: Endpoint) -> GraphStorage:
    """Connect and bring the schema up to date. Raises EngineUnavailable, MigrationError, StorageUnavailable."""
    database = Database(await connect(endpoint), endpoint)
    try:
        await migrate(database)
    except BaseException:
        await database.close()
        raise
    # The embedded engine lives inside this process and its home is locked, so no other process can write to it.
    return GraphStorage(database, exclusive=endpoint.dialect is Dialect.ARCADEDB)
