"""Sessions in the graph, and what moves their leaf without an answer."""

from __future__ import annotations

from collections.abc import Sequence

from graph_session.domain.entries import Entry, Label, LeafMove, Message, SessionInfo
from graph_session.domain.errors import NotFound
from graph_session.domain.ids import timestamp_now
from graph_session.domain.sessions import Session
from graph_session.domain.triggers import Marks
from graph_session.domain.turns import finished
from graph_session.storage.graph.database import Transaction
from graph_session.storage.graph.part import GraphPart, leaf_parameters
from graph_session.storage.graph.records import entry_properties, position, session_from, session_properties
from graph_session.storage.protocol import ANYWHERE, Duplicate, ExpectedLeaf, Page

_PURGE_PAGE = 1000


class GraphSessions(GraphPart):
    async def create_session(self, session: Session) -> Session:
        rows = await self._db.rows("session_create", session=session_properties(session))
        return session_from(rows[0]["session"])

    async def sessions(self, owner: str, query: str, after: str | None, first: int) -> Page[Session]:
        before_time, _, before_id = (after or "").partition("|")
        rows = await self._db.rows(
            "session_list", owner=owner, query=query, before_time=before_time, before_id=before_id, limit=first + 1
        )
        found = [session_from(row["session"]) for row in rows]
        cursors = [f"{session.updated_at}|{session.id}" for session in found]
        return Page(found[:first], cursors[:first], len(found) > first)

    async def update_session(self, session_id: str, changes: dict[str, object]) -> Session | None:
        changed = {**changes, "updated_at": timestamp_now()}
        row = await self._db.row("session_update", session_id=session_id, changes=changed)
        return None if row is None else session_from(row["session"])

    async def delete_session(self, session_id: str) -> bool:
        row = await self._db.row("session_delete", session_id=session_id)
        if row is None:
            return False
        await self._purge(session_id, row["next_sequence"])
        return True

    async def finish_deletions(self) -> None:
        for row in await self._db.rows("sessions_deleted"):
            await self._purge(row["id"], row["next_sequence"])

    async def move_leaf(
        self, session_id: str, entry_id: str | None, expected_leaf: ExpectedLeaf, record: Entry | None = None
    ) -> Session:
        row = await self._db.row(
            "leaf_move",
            session_id=session_id,
            entry_id=entry_id or "",
            record=None if record is None else entry_properties(record),
            **leaf_parameters(expected_leaf),
        )
        if row is None:
            raise await self._refuse(session_id, expected_leaf, entry_id)
        return session_from(row["session"])

    async def append(
        self,
        session_id: str,
        entries: Sequence[Entry],
        *,
        expected_leaf: ExpectedLeaf = ANYWHERE,
        move_leaf: bool = True,
        marks: Marks | None = None,
    ) -> Session:
        parameters = leaf_parameters(expected_leaf)
        nodes = _open_questions(entries)
        known = {entry.id for entry in entries}
        answered = {entry.place.question_id for entry in entries if entry.ends_turn} - known - {None}
        names = [entry.body.name for entry in entries if isinstance(entry.body, SessionInfo)]
        labels = {entry.body.target_id: entry.body.label for entry in entries if isinstance(entry.body, Label)}
        last = entries[-1]
        followed = {entry.place.node_above for entry in entries if entry.is_question} - known - {None}
        forks = {entry.place.node_above or "" for entry in entries if finished(entry)}

        async def write(tx: Transaction) -> Session | None:
            begun = await tx.rows(
                "append_begin",
                session_id=session_id,
                count=len(entries),
                nodes=len(nodes) + sum(entry.ends_turn for entry in entries),
                moves_leaf=move_leaf,
                leaf_id=last.body.target_id if isinstance(last.body, LeafMove) else last.id,
                renames=bool(names),
                name=(names[-1] or None) if names else None,
                **parameters,
            )
            if not begun:
                return None
            answers = await tx.rows("append_taken", ids=[entry.id for entry in entries])
            if answers:
                raise Duplicate(f"{answers[0]['id']} is the id of an answer that is running")
            session = session_from(begun[0]["session"])
            first = session.next_sequence - len(entries)
            rows = [
                {
                    "kind": entry.body.role if isinstance(entry.body, Message) else entry.type,
                    "properties": entry_properties(entry)
                    | {"position": position(session_id, first + index)}
                    | {"is_node": entry.ends_turn or entry.id in nodes},
                }
                for index, entry in enumerate(entries)
            ]
            await tx.rows("append_entries", rows=rows)
            edges = [{"child": entry.id, "parent": entry.parent_id} for entry in entries if entry.parent_id]
            if edges:
                joined = {row["id"] for row in await tx.rows("append_parents", edges=edges)}
                for edge in edges:
                    if edge["child"] not in joined:
                        raise NotFound("entry", str(edge["parent"]))
            roots = [entry.id for entry in entries if not entry.parent_id]
            if roots:
                await tx.rows("append_roots", session_id=session_id, ids=roots)
            if labels:
                latest = [{"target": target, "label": label or None} for target, label in labels.items()]
                await tx.rows("append_labels", labels=latest)
            if followed:
                await tx.rows("append_followed", session_id=session_id, ids=sorted(filter(None, followed)))
            if answered:
                await tx.rows("append_answered", session_id=session_id, ids=sorted(filter(None, answered)))
            if marks is not None:
                await tx.rows(
                    "append_marks",
                    session_id=session_id,
                    forks=sorted(forks | {""}),
                    anchor=marks.anchor or "",
                    turns=["", *marks.turns],
                )
            if followed or answered:
                session = session_from((await tx.rows("session_read", session_id=session_id))[0]["session"])
            return session

        session = await self._db.transaction(write)
        if session is None:
            raise await self._refuse(session_id, expected_leaf, None)
        return session

    async def _purge(self, session_id: str, next_sequence: int) -> None:
        for start in range(0, next_sequence, _PURGE_PAGE):
            await self._db.rows(
                "session_purge_entries",
                **{"from": position(session_id, start), "until": position(session_id, start + _PURGE_PAGE)},
            )
        await self._db.rows("session_purge", session_id=session_id)


def _open_questions(entries: Sequence[Entry]) -> set[str]:
    """The new questions that are dialogue nodes of their own: unanswered, or followed by another question."""
    answered = {entry.place.question_id for entry in entries if entry.ends_turn}
    followed = {entry.place.node_above for entry in entries if entry.is_question}
    questions = {entry.id for entry in entries if entry.is_question}
    return (questions - answered) | (questions & followed)
