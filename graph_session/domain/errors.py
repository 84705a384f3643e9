"""The failures a caller can act on. Each class's docstring is its default message; `code` is stable for clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class GraphSessionError(Exception):
    """The request could not be carried out."""

    code: ClassVar[str] = "ERROR"

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        super().__init__(self.message)

    @property
    def extensions(self) -> dict[str, Any]:
        """What a GraphQL error carries beside the message where no result union can hold the failure."""
        return {"code": self.code}


class NotFound(GraphSessionError):
    """No such object, or it belongs to somebody else."""

    code = "NOT_FOUND"

    def __init__(self, what: str, id: str) -> None:
        self.id = id
        super().__init__(f"There is no {what} {id!r}.")


class InvalidInput(GraphSessionError):
    """The input is not valid."""

    code = "INVALID_INPUT"

    def __init__(self, message: str, field: str | None = None) -> None:
        self.field = field
        super().__init__(message)

    @property
    def extensions(self) -> dict[str, Any]:
        return {"code": self.code, "field": self.field}


class InvalidActivePath(GraphSessionError):
    """The active path is not a path of this session."""

    code = "INVALID_ACTIVE_PATH"

    def __init__(self, message: str, bad_id: str | None, active_path: Sequence[str]) -> None:
        self.bad_id = bad_id
        self.active_path = tuple(active_path)
        super().__init__(message)

    @property
    def extensions(self) -> dict[str, Any]:
        return {"code": self.code, "badId": self.bad_id, "activePath": list(self.active_path)}


class SessionExists(GraphSessionError):
    """There is a session with this id already."""

    code = "SESSION_EXISTS"

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        super().__init__(
            f"There is a session {session_id} already. Delete it first, or import with new ids (--new-id, newIds) to "
            "have both."
        )

    @property
    def extensions(self) -> dict[str, Any]:
        return {"code": self.code, "sessionId": self.session_id}


class LeafConflict(GraphSessionError):
    """The leaf is no longer where you expected it; read it again, then repeat the call with the new one."""

    code = "LEAF_CONFLICT"

    def __init__(self, leaf_id: str | None) -> None:
        self.leaf_id = leaf_id
        super().__init__()


class ModelFailure(GraphSessionError):
    """The model did not answer. The question is kept; regenerate the node to try again."""

    code = "MODEL_FAILURE"

    def __init__(self, message: str, code: str, retryable: bool, node_id: str | None = None) -> None:
        self.reason = code
        self.retryable = retryable
        self.node_id = node_id
        super().__init__(message)


class StorageUnavailable(GraphSessionError):
    """The database does not answer. Nothing was changed by this call as far as is known; try again in a moment."""

    code = "STORAGE_UNAVAILABLE"


class DamagedSession(GraphSessionError):
    """The session is not as it was written. `graph-session verify` says what is wrong."""

    code = "DAMAGED_SESSION"

    def __init__(self, session_id: str, entry_id: str) -> None:
        super().__init__(
            f"Entry {entry_id} of session {session_id} is damaged; `graph-session verify {session_id}` says how."
        )
