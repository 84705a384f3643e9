from __future__ import annotations

import time

import pytest
from graphql import GraphQLError, get_introspection_query, parse

from graph_session.api.limits import MAX_ALIASES, MAX_DEPTH, MAX_FIELDS, MAX_SPREAD_CHAIN, limit_errors
from tests.api.support import ask, make_app

pytestmark = pytest.mark.anyio


def codes(errors: list[GraphQLError]) -> list[object]:
    return [(error.extensions or {}).get("limit") for error in errors]


def nested(levels: int) -> str:
    return "{ a " * levels + "}" * levels


def test_what_a_user_interface_asks_for_is_allowed() -> None:
    entries = " ".join(f"... on Entry{i} {{ id f{i} {{ text }} }}" for i in range(11))
    node = "nodeId parentNodeId childrenNodeIds userContent aiContent status label model usage { input output }"
    query = f"""
        query Page($id: ID!) {{
          allNodes(sessionId: $id) {{ edges {{ cursor node {{ ...Node }} }} pageInfo {{ hasNextPage }} }}
          subtree(nodeId: $id) {{ edges {{ node {{ ...Node }} }} }}
        }}
        fragment Node on DialogueNode {{ {node} entries {{ __typename id {entries} }} }}
    """
    assert limit_errors(parse(query)) == []


def test_the_introspection_query_is_allowed() -> None:
    assert limit_errors(parse(get_introspection_query())) == []


@pytest.mark.parametrize("through_fragment", [False, True])
def test_depth(through_fragment: bool) -> None:
    def document(levels: int) -> str:
        if not through_fragment:
            return nested(levels)
        return f"{{ a {{ ...F }} }} fragment F on T {nested(levels - 1)}"

    assert limit_errors(parse(document(MAX_DEPTH))) == []
    assert codes(limit_errors(parse(document(MAX_DEPTH + 1)))) == ["levels"]


def test_aliases_are_counted_through_fragments() -> None:
    spread = "... on T { x: a y: a }"
    assert limit_errors(parse("{" + spread * (MAX_ALIASES // 2) + "}")) == []
    assert codes(limit_errors(parse("{" + "...F " * (MAX_ALIASES + 1) + "} fragment F on T { x: a }"))) == ["aliases"]


def test_fields_are_counted_after_expansion() -> None:
    fragment = "fragment F on T { a b c d e }"
    assert limit_errors(parse("{" + "...F " * (MAX_FIELDS // 5) + "}" + fragment)) == []
    assert codes(limit_errors(parse("{" + "...F " * (MAX_FIELDS // 5 + 1) + "}" + fragment))) == ["fields"]


def test_a_fragment_that_nothing_spreads_is_measured_too() -> None:
    fragment = f"fragment F on T {{ {'a ' * (MAX_FIELDS + 1)} }}"
    assert codes(limit_errors(parse("{ a }" + fragment))) == ["fields"]


def test_unknown_and_circular_fragments_are_left_to_their_rules() -> None:
    assert limit_errors(parse("{ ...Nope } fragment A on T { ...B } fragment B on T { ...A }")) == []


def test_a_long_chain_of_fragments_is_refused() -> None:
    chain = "".join(f"fragment F{i} on T {{ ...F{i + 1} }} " for i in range(MAX_SPREAD_CHAIN + 1))
    assert codes(limit_errors(parse("{ ...F0 }" + chain))) == ["fragments in a chain"]


def doubling(fragments: int) -> str:
    """Each fragment spreads the next one twice: written out, 2 ** fragments fields."""
    chain = "".join(f"fragment F{i} on Thing {{ ...F{i + 1} ...F{i + 1} }} " for i in range(fragments))
    return "{ thing { ...F0 } } " + chain + f"fragment F{fragments} on Thing {{ name }}"


def test_doubling_fragments_take_linear_time() -> None:
    started = time.thread_time()
    assert codes(limit_errors(parse(doubling(45)))) == ["fields"]
    # A walk that follows every spread would need years.
    assert time.thread_time() - started < 5


async def test_the_limits_hold_for_the_api() -> None:
    app = make_app()
    for query, limit in (
        (doubling(30), "fields"),
        ("{ thing {" + "again {" * MAX_DEPTH + "name" + "}" * MAX_DEPTH + "} }", "levels"),
        ("{" + "".join(f"a{i}: hello " for i in range(MAX_ALIASES + 1)) + "}", "aliases"),
    ):
        result = await ask(app, query)
        assert result["data"] is None
        assert result["errors"][0]["extensions"]["code"] == "DOCUMENT_TOO_COMPLEX"
        assert result["errors"][0]["extensions"]["limit"] == limit


async def test_too_many_tokens_are_a_syntax_error() -> None:
    result = await ask(make_app(), "{" + "hello " * 2000 + "}")
    assert "tokens" in result["errors"][0]["message"]


async def test_endless_nesting_is_an_error_and_no_crash() -> None:
    result = await ask(make_app(), "{ thing " * 600 + "}" * 600)
    assert "INTERNAL" not in str(result)
    assert result["errors"]
