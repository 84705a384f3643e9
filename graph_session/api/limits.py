"""How much one GraphQL document may ask for, decided in time linear in its length.

The limiters that come with Strawberry walk a fragment again at every spread of it, so a document of a few
hundred bytes (each fragment spreading the next one twice) keeps the event loop busy for minutes. Here every
fragment is measured once and its size is added where it is spread, which gives the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphql import (
    DefinitionNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

MAX_DEPTH = 15
"""Fields below one another; the introspection query of GraphiQL needs exactly this many."""
MAX_ALIASES = 30
MAX_FIELDS = 500
"""Fields in the document with every fragment written out where it is spread, whatever they will return."""
MAX_TOKENS = 2000
MAX_SPREAD_CHAIN = 50
"""Fragments that spread one another; it bounds the recursion, and no document a person wrote needs it."""

_SATURATED = 10**6
"""Counts stop here: a chain of fragments that doubles 60 times must not grow 60-bit numbers."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a selection asks for, after fragment expansion."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0

    def beside(self, other: Size) -> Size:
        """Both selections in one selection set."""
        return Size(
            max(self.depth, other.depth),
            min(self.aliases + other.aliases, _SATURATED),
            min(self.fields + other.fields, _SATURATED),
        )


class _SpreadChainTooLong(Exception):
    pass


class _Measure:
    """Measures the operations of one document; each fragment is visited once."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            definition.name.value: definition.selection_set
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self._sizes: dict[str, Size] = {}
        self._open: set[str] = set()

    def selection(self, selection_set: SelectionSetNode | None) -> Size:
        size = Size()
        if selection_set is None:
            return size
        for selection in selection_set.selections:
            if isinstance(selection, FieldNode):
                below = self.selection(selection.selection_set)
                alias = 1 if selection.alias else 0
                size = size.beside(Size(below.depth + 1, below.aliases + alias, below.fields + 1))
            elif isinstance(selection, FragmentSpreadNode):
                size = size.beside(self._fragment(selection.name.value))
            elif isinstance(selection, InlineFragmentNode):
                size = size.beside(self.selection(selection.selection_set))
        return size

    def _fragment(self, name: str) -> Size:
        known = self._sizes.get(name)
        if known is not None:
            return known
        if name not in self._fragments or name in self._open:
            # Unknown and circular fragments have rules of their own, with better messages.
            return Size()
        if len(self._open) >= MAX_SPREAD_CHAIN:
            raise _SpreadChainTooLong
        self._open.add(name)
        size = self.selection(self._fragments[name])
        self._open.discard(name)
        self._sizes[name] = size
        return size


def _too_complex(what: str, got: str, maximum: int, definition: DefinitionNode) -> GraphQLError:
    return GraphQLError(
        f"The document has too many {what}: {got}, where {maximum} are allowed.",
        definition,
        extensions={"code": "DOCUMENT_TOO_COMPLEX", "limit": what, "maximum": maximum},
    )


def limit_errors(document: DocumentNode) -> list[GraphQLError]:
    """The limits that the first too large operation or fragment exceeds; empty when there is none.

    Meant to run before the standard rules, some of which are quadratic in what these limits bound. That is
    also why a fragment that nothing spreads is measured: the standard rules read it all the same.
    """
    measure = _Measure(document)
    for definition in document.definitions:
        if not isinstance(definition, (OperationDefinitionNode, FragmentDefinitionNode)):
            continue
        try:
            size = measure.selection(definition.selection_set)
        except _SpreadChainTooLong:
            return [_too_complex("fragments in a chain", "more", MAX_SPREAD_CHAIN, definition)]
        errors = [
            _too_complex(what, str(got) if got < _SATURATED else "more", maximum, definition)
            for what, got, maximum in (
                ("levels", size.depth, MAX_DEPTH),
                ("aliases", size.aliases, MAX_ALIASES),
                ("fields", size.fields, MAX_FIELDS),
            )
            if got > maximum
        ]
        if errors:
            return errors
    return []
