"""Cursor connections in the form that Relay gave them, over pages that the services make.

`Connection[DialogueNode]` is the type DialogueNodeConnection with DialogueNodeEdge in GraphQL; a subclass may
choose other names.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

import strawberry

MAX_PAGE = 500
_PREFIX = "v1:"
_MAX_CURSOR_CHARS = 1000

T = TypeVar("T")
Item = TypeVar("Item")
ItemCo = TypeVar("ItemCo", covariant=True)


class Page(Protocol[ItemCo]):
    """What a service gives: a slice of a longer list.

    items, cursors: of the same length; a cursor is the service's own text for the place of its item.
    has_next: whether more follow. total: the length of the whole list, None where counting costs too much.
    """

    @property
    def items(self) -> Sequence[ItemCo]: ...
    @property
    def cursors(self) -> Sequence[str]: ...
    @property
    def has_next(self) -> bool: ...
    @property
    def total(self) -> int | None: ...


class PagingError(Exception):
    """The arguments of a connection are not valid; `extensions` give the code and the argument."""

    code = "INVALID_INPUT"
    argument = ""

    @property
    def extensions(self) -> dict[str, Any]:
        return {"code": self.code, "field": self.argument}


class InvalidCursor(PagingError):
    """`after` is no cursor of ours."""

    code = "INVALID_CURSOR"
    argument = "after"


class InvalidPageSize(PagingError):
    """`first` is not between 1 and the largest page."""

    argument = "first"


def encode_cursor(position: str) -> str:
    """The service's text for a place, in a form that clients will not take apart."""
    return base64.urlsafe_b64encode(f"{_PREFIX}{position}".encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """The service's text again; None for None, the start of the list.

    Raises InvalidCursor for anything that `encode_cursor` did not make.
    """
    if cursor is None:
        return None
    try:
        if len(cursor) > _MAX_CURSOR_CHARS:
            raise ValueError
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
        if not text.startswith(_PREFIX) or encode_cursor(text.removeprefix(_PREFIX)) != cursor:
            raise ValueError
    except (ValueError, binascii.Error):
        raise InvalidCursor("`after` must be a cursor that this server gave.") from None
    return text.removeprefix(_PREFIX)


def page_size(first: int | None, maximum: int = MAX_PAGE, *, default: int = 200) -> int:
    """`first`, or `default` for null, checked. Raises InvalidPageSize unless it is 1 to `maximum`."""
    if first is None:
        return default
    if not 1 <= first <= maximum:
        raise InvalidPageSize(f"`first` must be between 1 and {maximum}, not {first}.")
    return first


@strawberry.type
class PageInfo:
    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@strawberry.type
class Edge(Generic[T]):
    node: T
    cursor: str


@strawberry.type
class Connection(Generic[T]):
    edges: list[Edge[T]]
    page_info: PageInfo
    total_count: int | None = strawberry.field(description="Null where counting would cost too much.")

    @classmethod
    def of(cls, page: Page[Item], convert: Callable[[Item], T], *, after: str | None = None) -> Self:
        """The connection for a page. convert: makes the GraphQL object of an item.

        after: the argument that the page was asked for with; a page that starts after something has a page
        before it, and no service is asked for that.
        """
        edges = [
            Edge(node=convert(item), cursor=encode_cursor(position))
            for item, position in zip(page.items, page.cursors, strict=True)
        ]
        return cls(
            edges=edges,
            page_info=PageInfo(
                has_next_page=page.has_next,
                has_previous_page=after is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
            total_count=page.total,
        )
