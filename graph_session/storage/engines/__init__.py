"""How the database is reached: an engine inside this process, or a Neo4j server that runs elsewhere.

Either gives an `Endpoint`, and `connect` turns that into a driver; beyond this package only the `Dialect`
of the endpoint tells the two apart.
"""

from graph_session.storage.engines.base import (
    Dialect,
    Endpoint,
    EngineError,
    EngineUnavailable,
    HomeInUse,
    HomeUnusable,
    InvalidEndpoint,
)
from graph_session.storage.engines.driver import connect
from graph_session.storage.engines.embedded import EmbeddedEngine
from graph_session.storage.engines.server import server_endpoint

__all__ = [
    "Dialect",
    "EmbeddedEngine",
    "Endpoint",
    "EngineError",
    "EngineUnavailable",
    "HomeInUse",
    "HomeUnusable",
    "InvalidEndpoint",
    "connect",
    "server_endpoint",
]
