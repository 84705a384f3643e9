"""A Neo4j server that somebody else runs."""

from __future__ import annotations

from urllib.parse import urlsplit

from graph_session.storage.engines.base import Dialect, Endpoint, InvalidEndpoint

_SCHEMES = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})


def server_endpoint(uri: str, user: str, password: str, database: str) -> Endpoint:
    """The endpoint of a Neo4j server, without connecting to it.

    `uri` is `neo4j://host[:port]` (routed: single servers and clusters) or `bolt://host[:port]` (that host
    only), with `+s` or `+ssc` for TLS. Raises InvalidEndpoint for any other form.
    """
    try:
        parts = urlsplit(uri)
        host, has_login = parts.hostname, parts.username is not None or parts.password is not None
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError as error:
        raise InvalidEndpoint("NEO4J_URI is not a valid address: write it as neo4j://host:port") from error
    if has_login:
        raise InvalidEndpoint("NEO4J_URI holds a login: give it in NEO4J_USER and NEO4J_PASSWORD instead")
    if parts.scheme not in _SCHEMES:
        raise InvalidEndpoint(
            f"NEO4J_URI begins with {parts.scheme or 'no scheme'!r}: it takes {', '.join(sorted(_SCHEMES))}"
        )
    if not host:
        raise InvalidEndpoint("NEO4J_URI names no host: write it as neo4j://host:port")
    if not database:
        raise InvalidEndpoint("NEO4J_DATABASE is empty: the usual name is neo4j")
    return Endpoint(uri=uri, user=user, password=password, database=database, dialect=Dialect.NEO4J)
