"""The one way to a driver, whatever the engine."""

from __future__ import annotations

import asyncio
from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, ClientError, ConfigurationError, DriverError, Neo4jError

from graph_session import __version__
from graph_session.storage.engines.base import Dialect, Endpoint, EngineUnavailable

# Seconds for the first contact as a whole: the driver's own limits are per address and per step.
_CONNECT_DEADLINE = 10.0

_OPTIONS: dict[str, Any] = {
    "user_agent": f"graph_session/{__version__}",
    "telemetry_disabled": True,
    "keep_alive": True,
    "connection_timeout": 5.0,
    # A full pool is an overload that a client should hear of, not a minute of silence.
    "connection_acquisition_timeout": 5.0,
    "liveness_check_timeout": 30.0,
    # The default first wait of 1 s is far longer than a conflict over one session's lock lasts.
    "initial_retry_delay": 0.02,
    "max_transaction_retry_time": 6.0,
}


async def connect(endpoint: Endpoint) -> AsyncDriver:
    """Open a driver and prove that it reaches the endpoint's database. The caller closes it.

    Raises EngineUnavailable, with what to do about it, if it does not within about 10 seconds.
    """
    options = dict(_OPTIONS)
    if endpoint.dialect is Dialect.NEO4J:
        # The embedded engine's protocol version has no such filter and the driver refuses to ask for one.
        options["notifications_min_severity"] = "WARNING"
    auth = (endpoint.user, endpoint.password) if endpoint.user else None
    try:
        driver = AsyncGraphDatabase.driver(endpoint.uri, auth=auth, **options)
    except (ConfigurationError, ValueError) as error:
        raise EngineUnavailable(f"{endpoint.uri} is not an address for the driver: {error}") from error
    try:
        async with asyncio.timeout(_CONNECT_DEADLINE):
            # Not `verify_connectivity`, which takes a database only as a preview; and outside a managed
            # transaction, which would try again for seconds where there is no server.
            async with driver.session(database=endpoint.database) as session:
                await (await session.run("RETURN 1")).consume()
    except (DriverError, Neo4jError, OSError) as error:
        await driver.close()
        raise EngineUnavailable(_advice(endpoint, error)) from error
    except BaseException:
        await driver.close()
        raise
    return driver


def _advice(endpoint: Endpoint, error: Exception) -> str:
    """What went wrong at the first contact, and what the user can do."""
    where = endpoint.uri
    code = (error.code if isinstance(error, Neo4jError) else None) or ""
    if code.endswith("AuthenticationRateLimit"):
        return f"{where} refuses logins after too many wrong ones: wait some seconds and check NEO4J_PASSWORD"
    if code.endswith("CredentialsExpired"):
        return f"{where} wants a new password for {endpoint.user!r}: change it there, then set NEO4J_PASSWORD"
    if isinstance(error, AuthError):
        return f"{where} refuses the login of user {endpoint.user!r}: check NEO4J_USER and NEO4J_PASSWORD"
    if code.endswith("DatabaseNotFound"):
        return f"{where} has no database {endpoint.database!r}: check NEO4J_DATABASE"
    cause = _cause(error)
    # The driver's own time limit shows as a cancelled handshake.
    if isinstance(cause, TimeoutError | asyncio.CancelledError):
        return f"{where} accepts connections but does not answer: is it a Bolt port, is the server up?"
    if isinstance(error, ClientError):
        return f"{where} refuses the connection: {error.message}"
    return (
        f"nothing usable answers at {where}: check that the server runs, that NEO4J_URI has the Bolt port "
        f"(usually 7687), and that +s in the scheme matches whether it speaks TLS "
        f"({str(cause) or type(cause).__name__})"
    )


def _cause(error: BaseException) -> BaseException:
    """The innermost reason: the driver wraps the socket's own error several times, routing in a group too."""
    while True:
        if isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        elif error.__cause__ is not None:
            error = error.__cause__
        else:
            return error
