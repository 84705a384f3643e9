"""Expected failures: members of every mutation's result, all of the interface Failure."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeAlias

import strawberry

from graph_session.api.context import Context
from graph_session.api.types.node import DialogueNode
from graph_session.domain import errors


@strawberry.interface(description="Why a mutation did nothing, or not all of what was asked. `code` is stable.")
class Failure:
    message: str
    code: str


@strawberry.type(description="Ids that are not the path from a root to a finished node of the session.")
class InvalidActivePath(Failure):
    bad_id: strawberry.ID | None = strawberry.field(description="The first id that does not fit.")
    active_path: list[strawberry.ID] = strawberry.field(description="The leaf's own path, to go on from.")


@strawberry.type(description="The leaf is not where `expectedLeaf` says.")
class LeafConflict(Failure):
    leaf_id: strawberry.ID | None


@strawberry.type(description="Nothing of this kind has this id, or it is somebody else's.")
class NotFound(Failure):
    id: strawberry.ID


@strawberry.type(description="A value that cannot be taken; the message says why.")
class InvalidInput(Failure):
    field: str | None


@strawberry.type(description="The session of the file is there already: delete it first, or import with newIds.")
class SessionExists(Failure):
    session_id: strawberry.ID


@strawberry.type(description="The model did not answer, or not to the end. The question and what had come are kept.")
class ModelFailure(Failure):
    retryable: bool = strawberry.field(description="Whether regenerating the node may succeed.")
    node: DialogueNode | None


@strawberry.type(description="The database does not answer. Try again in a moment.")
class StorageUnavailable(Failure):
    retryable: bool


AnyFailure: TypeAlias = (
    InvalidActivePath | LeafConflict | NotFound | InvalidInput | SessionExists | ModelFailure | StorageUnavailable
)


async def result(context: Context, work: Awaitable[object]) -> Any:
    """What the work gives, or the failure it raised; the caller's own type says which of them its union has."""
    try:
        return await work
    except errors.GraphSessionError as error:
        return await _failure(context, error)


async def _failure(context: Context, error: errors.GraphSessionError) -> AnyFailure:
    match error:
        case errors.InvalidActivePath(bad_id=bad_id, active_path=path):
            bad = None if bad_id is None else strawberry.ID(bad_id)
            return InvalidActivePath(
                message=error.message,
                code=error.code,
                bad_id=bad,
                active_path=[strawberry.ID(node_id) for node_id in path],
            )
        case errors.LeafConflict(leaf_id=leaf_id):
            leaf = None if leaf_id is None else strawberry.ID(leaf_id)
            return LeafConflict(message=error.message, code=error.code, leaf_id=leaf)
        case errors.NotFound(id=id):
            return NotFound(message=error.message, code=error.code, id=strawberry.ID(id))
        case errors.InvalidInput(field=field):
            return InvalidInput(message=error.message, code=error.code, field=field)
        case errors.SessionExists(session_id=session_id):
            return SessionExists(message=error.message, code=error.code, session_id=strawberry.ID(session_id))
        case errors.ModelFailure(node_id=node_id):
            node = None
            if node_id is not None:
                node = DialogueNode.of(await context.services.tree.node(context.principal, node_id))
            return ModelFailure(message=error.message, code=error.reason, retryable=error.retryable, node=node)
        case errors.StorageUnavailable():
            return StorageUnavailable(message=error.message, code=error.code, retryable=True)
    raise error
