"""A session's owner, and what they do again and again."""

from __future__ import annotations

from typing import Any

from graph_session.domain.content import text_of
from graph_session.domain.context import AssembledContext
from graph_session.domain.entries import Entry, EntryType, Message
from graph_session.domain.ids import new_id
from graph_session.domain.nodes import DialogueNode
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session
from graph_session.runtime import Services
from graph_session.services.sessions import Forked, ForkPosition
from graph_session.storage.protocol import ANYWHERE
from tests.support.anthropic_standin import AnthropicStandin

SMALL_WINDOW_MODEL = "claude-opus-4-8"


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": "user", "content": text}, **more}


def assistant(text: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}] if text else []
    return {"type": "message", "message": {"role": "assistant", "content": content, "stopReason": "stop"}, **more}


def call(call_id: str, text: str = "", name: str = "read", **arguments: Any) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks.append({"type": "toolCall", "id": call_id, "name": name, "arguments": arguments})
    return {"type": "message", "message": {"role": "assistant", "content": blocks, "stopReason": "toolUse"}}


def result(call_id: str, text: str, name: str = "read") -> dict[str, Any]:
    message = {"role": "toolResult", "toolCallId": call_id, "toolName": name, "content": text}
    return {"type": "message", "message": message}


class World:
    """The use cases as one person has them. `standin` is what answers."""

    def __init__(self, services: Services, standin: AnthropicStandin) -> None:
        self.services = services
        self.standin = standin
        self.who = Principal(new_id())

    async def create(self, model: str | None = None, **config: int) -> str:
        return (await self.services.sessions.create(self.who, model=model, config=config)).id

    async def session(self, session_id: str) -> Session:
        return await self.services.sessions.get(self.who, session_id)

    async def leaf(self, session_id: str) -> Entry:
        leaf_id = (await self.session(session_id)).leaf_id
        assert leaf_id is not None
        return await self.entry(leaf_id)

    async def entry(self, entry_id: str) -> Entry:
        return await self.services.tree.entry(self.who, entry_id)

    async def node(self, node_id: str) -> DialogueNode:
        return await self.services.tree.node(self.who, node_id)

    async def active_path(self, session_id: str) -> list[str]:
        return await self.services.tree.active_path(self.who, session_id)

    async def ask(self, session_id: str, question: str, **options: Any) -> DialogueNode:
        """Ask where the user stands."""
        path = await self.active_path(session_id)
        return (await self.services.ask.ask(self.who, session_id, path, question, **options)).node

    async def append(self, session_id: str, *forms: Any, **options: Any) -> list[Entry]:
        given = {"parent_id": None, "expected_leaf": ANYWHERE} | options
        return (await self.services.changes.append(self.who, session_id, forms, **given)).entries

    async def fork(self, session_id: str, entry_id: str, at: str = "AT", **options: Any) -> Forked:
        position = ForkPosition(at)
        return await self.services.sessions.fork(self.who, session_id, entry_id, position, ANYWHERE, **options)

    async def context(self, session_id: str, entry_id: str | None = None) -> AssembledContext:
        return await self.services.tree.context(self.who, session_id, entry_id=entry_id)

    async def shown(self, session_id: str, entry_id: str | None = None) -> list[str]:
        """The context at an entry (None: the leaf) as texts; of summaries, what is inside their frame."""
        context = await self.context(session_id, entry_id)
        return [
            f"{it.source}: {it.text.split('<summary>')[1].split('</summary>')[0].strip()}"
            if it.text.endswith("</summary>")
            else it.text
            for it in context.messages
        ]

    async def nodes(self, session_id: str) -> list[DialogueNode]:
        return (await self.services.tree.all_nodes(self.who, session_id, None, 500)).items

    async def path(self, session_id: str, entry_id: str | None = None) -> list[Entry]:
        """The entries from the root to one (None: the leaf)."""
        at = entry_id or (await self.session(session_id)).leaf_id
        assert at is not None
        return (await self.services.storage.path_page(at, 1000))[::-1]

    async def counts(self, session_id: str) -> tuple[object, ...]:
        """What a refused write must leave as it is."""
        found = await self.session(session_id)
        return found.revision, found.entry_count, found.node_count, found.next_sequence, found.leaf_id, found.name

    async def summarise(self) -> int:
        """Make all summaries that are due; how many there were."""
        made = 0
        while await self.services.worker.run_once():
            made += 1
        return made


def types(path: list[Entry]) -> list[EntryType]:
    return [entry.type for entry in path]


def text(entry: Entry) -> str:
    return text_of(entry.body.content) if isinstance(entry.body, Message) else ""
