"""What every operation passes through, over HTTP and WebSocket alike: caches, limits, contexts, masking.

`create_schema` puts it all together. Two things are done in the schema and its executor and not in a schema
extension, because an extension cannot do them completely: Strawberry does not let one extension see what
another one throws, and it has no hook before each event of a subscription.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import strawberry
import structlog
from graphql import ASTValidationRule, DocumentNode, GraphQLError, GraphQLSchema, parse
from starlette.requests import HTTPConnection
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext, StreamResult, validate_document
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError
from strawberry.types.graphql import OperationType

from graph_session.api.limits import MAX_TOKENS, limit_errors

log = structlog.stdlib.get_logger("graph_session.api")

QUERY_TIMEOUT = 30.0
"""Seconds a query may run. Mutations are not cut: `ask` waits for a model, and a write would end unseen."""

CACHED_DOCUMENTS = 128
CACHED_DOCUMENT_CHARS = 10_000
"""Longer documents carry their data inline and are not sent twice; caching them would only hold memory."""


@dataclass(slots=True)
class OperationContexts:
    """Stands for one HTTP request or one socket, and makes a context for each operation and each event.

    Strawberry asks for a context once a connection, so on a socket its loaders would cache for hours.

    connection: the Starlette request or WebSocket.
    make: gives a new context; what it returns is `info.context`.
    connection_params: the payload of `connection_init`, set by Strawberry when it comes.
    """

    connection: HTTPConnection
    make: Callable[[HTTPConnection], object]
    connection_params: Mapping[str, Any] | None = field(default=None)

    def fresh(self) -> object:
        return self.make(self.connection)


class FreshContextExecutor(StrawberryGraphQLCoreExecutionContext):
    """Gives each operation a context of its own, and each event of a subscription too.

    The generator of a subscription sees the context of its operation, the fields below an event that of the
    event. A context that is no OperationContexts, as in a test that calls the schema itself, is left alone.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._contexts = self.context_value
        self._renew()

    def build_per_event_executor(self, payload: Any) -> FreshContextExecutor:
        executor = super().build_per_event_executor(payload)
        if not isinstance(executor, FreshContextExecutor):
            raise TypeError("the per-event executor is no copy of the operation's")
        executor._renew()
        return executor

    def _renew(self) -> None:
        if isinstance(self._contexts, OperationContexts):
            self.context_value = self._contexts.fresh()


@lru_cache(maxsize=CACHED_DOCUMENTS)
def _parse(query: str) -> DocumentNode:
    return parse(query, max_tokens=MAX_TOKENS)


def _document_errors(
    schema: GraphQLSchema, document: DocumentNode, rules: tuple[type[ASTValidationRule], ...]
) -> list[GraphQLError]:
    return limit_errors(document) or validate_document(schema, document, rules)


_cached_document_errors = lru_cache(maxsize=CACHED_DOCUMENTS)(_document_errors)


class Documents(SchemaExtension):
    """Parses and validates a document once, and measures it before the costly rules see it.

    The limits are no validation rule of their own: rules run side by side in one visit, and the limits are
    there to spare us that visit.
    """

    def on_operation(self) -> Iterator[None]:
        self.execution_context.parse_options["max_tokens"] = MAX_TOKENS
        yield

    def on_parse(self) -> Iterator[None]:
        query = self.execution_context.query
        if query and len(query) <= CACHED_DOCUMENT_CHARS:
            # A syntax error is Strawberry's to report, so it parses again: thrown from a hook, it is no answer
            # but a failure of the server.
            with contextlib.suppress(GraphQLError):
                self.execution_context.graphql_document = _parse(query)
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        document = context.graphql_document
        if document is not None:
            cached = len(context.query or "") <= CACHED_DOCUMENT_CHARS
            errors = (_cached_document_errors if cached else _document_errors)(
                context.schema._schema, document, context.validation_rules
            )
            # A copy: the cached list must not be anybody's to change.
            context.pre_execution_errors = list(errors)
        yield


class QueryTimeout(SchemaExtension):
    """Ends a query that runs longer than `seconds`, so that one slow read does not hold its connection."""

    seconds: ClassVar[float] = QUERY_TIMEOUT

    async def on_execute(self) -> AsyncIterator[None]:
        if self.execution_context.operation_type is not OperationType.QUERY:
            yield
            return
        limit = asyncio.timeout(self.seconds)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            raise GraphQLError(
                f"The query took longer than {self.seconds:g} seconds.", extensions={"code": "TIMEOUT"}
            ) from None


def is_expected(error: GraphQLError) -> bool:
    """Whether a client may see the error as it is: it is about the request, or it carries a code."""
    original = error.original_error
    if original is None or isinstance(original, GraphQLError):
        return True
    extensions = getattr(original, "extensions", None)
    return isinstance(extensions, Mapping) and isinstance(extensions.get("code"), str)


def masked(error: GraphQLError) -> GraphQLError:
    """The error for the client: itself when expected, else a reference to what the log says about it."""
    if is_expected(error):
        return error
    error_id = secrets.token_hex(6)
    path = ".".join(map(str, error.path)) if error.path else None
    log.error("unexpected_error", error_id=error_id, path=path, exc_info=error.original_error)
    return GraphQLError(
        f"Unexpected error. Reference: {error_id}",
        error.nodes,
        path=error.path,
        extensions={"code": "INTERNAL", "errorId": error_id},
    )


def _masked_failure(error: Exception) -> PreExecutionError:
    if not isinstance(error, GraphQLError):
        error = GraphQLError(str(error), original_error=error)
    return PreExecutionError(data=None, errors=[masked(error)])


class ApiSchema(strawberry.Schema):
    """A schema whose results carry no unexpected error unmasked, wherever in the operation it was raised."""

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Logs nothing: unexpected errors are logged when masked, expected ones quote the user's input."""

    async def execute(self, *args: Any, **kwargs: Any) -> ExecutionResult:
        result = await super().execute(*args, **kwargs)
        if result.errors:
            result.errors = [masked(error) for error in result.errors]
        return result

    async def stream(self, *args: Any, **kwargs: Any) -> StreamResult:
        return _masked_stream(await super().stream(*args, **kwargs))


async def _masked_stream(source: StreamResult) -> AsyncGenerator[Any, None]:
    async with contextlib.aclosing(source) as results:
        try:
            async for result in results:
                if isinstance(result, ExecutionResult) and result.errors:
                    result.errors = [masked(error) for error in result.errors]
                yield result
        except Exception as error:
            yield _masked_failure(error)


def create_schema(
    *,
    query: type,
    mutation: type | None = None,
    subscription: type | None = None,
    extensions: tuple[type[SchemaExtension], ...] = (),
    **options: Any,
) -> ApiSchema:
    """The schema with everything of this module in place; `options` go to `strawberry.Schema`.

    extensions: further extension classes, inside of the ones of this module.
    """
    return ApiSchema(
        query=query,
        mutation=mutation,
        subscription=subscription,
        extensions=[Documents, QueryTimeout, *extensions],
        execution_context_class=FreshContextExecutor,
        **options,
    )
