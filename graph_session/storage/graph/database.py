"""Running named statements: reads and writes routed apart, retried by the driver, failures turned into the project's
own.

Bookmarks are the driver's: what this process has written, its next read sees, on a cluster too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncResult, RoutingControl
from neo4j.exceptions import (
    ConnectionAcquisitionTimeoutError,
    ConstraintError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from graph_session.domain.errors import StorageUnavailable
from graph_session.storage.engines.base import Dialect, Endpoint
from graph_session.storage.graph.statements import Access, Statement, statement
from graph_session.storage.protocol import Duplicate

Row = dict[str, Any]
T = TypeVar("T")
# A test or benchmark sets a list here and finds in it the names of the statements that ran: the round trips.
round_trips: ContextVar[list[str] | None] = ContextVar("round_trips", default=None)


class Database:
    """Statements by name, on one driver. Every method raises StorageUnavailable when the database cannot be used."""

    def __init__(self, driver: AsyncDriver, endpoint: Endpoint) -> None:
        self._driver = driver
        self._database = endpoint.database
        self._command = endpoint.command
        self.dialect: Dialect = endpoint.dialect
        # The embedded engine has optimistic pages, so that writers at the same time fail each other even when they are
        # about different sessions. All of them are in this process, so they queue here and none has to try again.
        self._writing = asyncio.Lock() if endpoint.dialect is Dialect.ARCADEDB else contextlib.nullcontext()

    async def rows(self, statement_name: str, /, **parameters: Any) -> list[Row]:
        """Run one statement in a transaction of its own; all its rows. Raises Duplicate."""
        query = _checked(statement_name, self.dialect, parameters)
        _note(statement_name)
        if query.access is Access.READ:
            return await self._execute(query, parameters, RoutingControl.READ)
        async with self._writing:
            return await self._execute(query, parameters, RoutingControl.WRITE)

    async def row(self, statement_name: str, /, **parameters: Any) -> Row | None:
        """Run one statement; its first row, or None."""
        rows = await self.rows(statement_name, **parameters)
        return rows[0] if rows else None

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several statements in one write transaction. `work` may run again after a conflict, so it must have no
        other effects; what it raises rolls the transaction back. Raises Duplicate."""

        async def run(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx, self.dialect))

        async def in_session() -> T:
            async with self._driver.session(
                database=self._database, bookmark_manager=self._driver.execute_query_bookmark_manager
            ) as session:
                return await session.execute_write(run)

        async with self._writing:
            return await _translated(in_session())

    async def schema(self, text: str) -> None:
        """Run one statement of a migration."""
        # Starters that make the first constraint at the same time dead-lock on Neo4j, so this too is tried again.
        async with self._writing:
            await _translated(self._driver.execute_query(text, database_=self._database))

    async def native(self, sql: str) -> None:
        """Run one statement of a migration in the engine's own SQL, which only an engine in this process takes."""
        if self._command is None:
            raise TypeError("this engine is not in the process, and takes no SQL of its own")
        async with self._writing:
            await asyncio.to_thread(self._command, sql)

    async def close(self) -> None:
        """Close the driver."""
        await self._driver.close()

    async def _execute(self, query: Statement, parameters: Row, routing: RoutingControl) -> list[Row]:
        return await _translated(
            self._driver.execute_query(
                query.text,
                parameters,
                routing_=routing,
                database_=self._database,
                result_transformer_=_all_rows,
            )
        )


class Transaction:
    """Statements by name inside one transaction."""

    def __init__(self, tx: AsyncManagedTransaction, dialect: Dialect) -> None:
        self._tx = tx
        self._dialect = dialect

    async def rows(self, statement_name: str, /, **parameters: Any) -> list[Row]:
        """Run one statement; all its rows."""
        query = _checked(statement_name, self._dialect, parameters)
        _note(statement_name)
        return await _all_rows(await self._tx.run(query.text, parameters))


async def _all_rows(result: AsyncResult) -> list[Row]:
    # The statements return plain maps and lists, so nothing has to be converted as `data` would.
    return [dict(record) async for record in result]


async def _translated(work: Awaitable[T]) -> T:
    try:
        return await work
    except ConstraintError as error:
        raise Duplicate(error.message) from error
    except (TransientError, ServiceUnavailable, SessionExpired, ConnectionAcquisitionTimeoutError) as error:
        raise StorageUnavailable from error
    except Neo4jError as error:
        # A server that is stopping or starting refuses with codes of other classes, which it marks as worth a retry.
        if error.is_retryable():
            raise StorageUnavailable from error
        raise


def _checked(name: str, dialect: Dialect, parameters: dict[str, Any]) -> Statement:
    query = statement(name, dialect)
    if parameters.keys() != query.parameters:
        raise TypeError(f"{name} takes {sorted(query.parameters)}, not {sorted(parameters)}")
    return query


def _note(name: str) -> None:
    names = round_trips.get()
    if names is not None:
        names.append(name)
