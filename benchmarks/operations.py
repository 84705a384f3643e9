"""What is measured: one call each, as the API makes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks.trees import WHO, Tree
from graph_session.domain.entries import Custom
from graph_session.domain.ids import new_id, timestamp_now
from graph_session.domain.turns import write_under
from graph_session.services import Services
from graph_session.services.sessions import ForkPosition
from graph_session.storage.protocol import ANYWHERE

PATH_PAGE = 200
_QUESTION = "Where does the tram stop after the market, and how often does it run in the evening?"

Call = Callable[[Services, Tree], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Operation:
    """`grows`: it writes entries, so each round finds the tree a little larger."""

    name: str
    call: Call
    grows: bool = False
    goal_embedded_ms: float | None = None
    goal_neo4j_ms: float | None = None
    goal_line_ratio: float | None = None
    goal_branch_ratio: float | None = None


async def read_context(services: Services, tree: Tree) -> None:
    """What ask does before it writes: one read, and the assembly."""
    view = await services.storage.view(tree.session_id, tip_id=tree.path[-1])
    assert view is not None
    context = services.ask.context(view.session, view.path, _QUESTION)
    assert context.boundary_id is not None


async def nearest_anchor(services: Services, tree: Tree) -> None:
    assert await services.storage.nearest_anchor(tree.path[-1]) is not None


async def path_page(services: Services, tree: Tree) -> None:
    assert await services.storage.path_page(tree.path[-1], PATH_PAGE)


async def fork(services: Services, tree: Tree) -> None:
    """To and fro between two neighbouring nodes, so that the leaf moves each time."""
    at, other = tree.fork_places
    tree.fork_places = (other, at)
    await services.sessions.fork(WHO, tree.session_id, at, ForkPosition.AT, ANYWHERE)


async def move_leaf(services: Services, tree: Tree) -> None:
    """What of a fork writes."""
    at, other = tree.fork_places
    tree.fork_places = (other, at)
    await services.storage.move_leaf(tree.session_id, at, ANYWHERE)


async def append(services: Services, tree: Tree) -> None:
    body = Custom(custom_type="benchmark", data={"number": 1})
    entry = write_under(tree.tip, id=new_id(), session_id=tree.session_id, timestamp=timestamp_now(), body=body)
    await services.storage.append(tree.session_id, [entry])


async def ask(services: Services, tree: Tree) -> str:
    asked = await services.ask.ask(WHO, tree.session_id, tree.path, _QUESTION)
    return asked.node.node_id


async def ask_on(services: Services, tree: Tree) -> None:
    """Ask, and go on from the answer: the line grows."""
    tree.path.append(await ask(services, tree))


READS = (
    Operation(
        "context read",
        read_context,
        goal_embedded_ms=3,
        goal_neo4j_ms=8,
        goal_line_ratio=1.2,
        goal_branch_ratio=1.1,
    ),
    Operation("nearest anchor", nearest_anchor),
    Operation(f"path page ({PATH_PAGE})", path_page),
    Operation("fork", fork, goal_embedded_ms=5, goal_neo4j_ms=5),
    Operation("of it: the leaf moves", move_leaf),
)
LINE_WRITES = (
    Operation("ask", ask_on, grows=True, goal_embedded_ms=10),
    Operation("append", append, grows=True),
)
BRANCH_WRITES = (
    Operation("ask", ask, grows=True, goal_embedded_ms=10),
    Operation("append", append, grows=True),
)
