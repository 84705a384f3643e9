"""Sessions out to files and in from them, in bounded memory."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import IO

from graph_session.domain.entries import Entry
from graph_session.domain.errors import DamagedSession, InvalidInput, SessionExists
from graph_session.domain.ids import is_uuid, new_id, parse_timestamp, timestamp_now
from graph_session.domain.principal import Principal
from graph_session.domain.sessions import Session, SessionConfig, changed_config
from graph_session.interchange.base import Draft, Fault, Format, Head, Item
from graph_session.interchange.build import Builder
from graph_session.interchange.lines import records
from graph_session.interchange.native import Native, entry_lines, head_line
from graph_session.interchange.plan import Plan, plan
from graph_session.interchange.recognise import format_of
from graph_session.services.access import owned_session
from graph_session.storage.protocol import ANYWHERE, Duplicate, SessionStorage

MAX_FAULTS = 1000
_BATCH = 500
_BATCH_BYTES = 2 * 1024 * 1024
_STEP = 2000
PAGE_BYTES = 1_000_000
PAGE_ENTRIES = 2000
_CURSOR = re.compile("([0-9]{1,12})-([0-9]{1,12})")

Progress = Callable[[int], None]


@dataclass(slots=True)
class ImportReport:
    """What became of a file: `faults` are the first MAX_FAULTS of them, `codes` counts all; `lost`: how many of them
    cost something that stood in the file."""

    format: str
    entries: int = 0
    lost: int = 0
    faults: list[Fault] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)

    def note(self, fault: Fault) -> None:
        """One more fault."""
        self.codes[fault.code] += 1
        self.lost += fault.lost
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)


@dataclass(frozen=True, slots=True)
class Imported:
    session: Session
    report: ImportReport


@dataclass(frozen=True, slots=True)
class ExportPage:
    """Some lines of a session's file; `cursor`: the place after them, None at the end."""

    data: bytes
    cursor: str | None


class ExchangeService:
    def __init__(self, storage: SessionStorage) -> None:
        self._storage = storage

    async def export(self, who: Principal, session_id: str) -> AsyncIterator[list[bytes]]:
        """A session's file in the project's own format: first its head line, then the lines of one entry at a time.

        What is written meanwhile is not in it. Raises NotFound, DamagedSession.
        """
        session = await owned_session(self._storage, who, session_id)
        yield [head_line(session)]
        async for _, lines in self._lines(session.id, -1, session.next_sequence):
            yield lines

    async def export_page(self, who: Principal, session_id: str, after: str | None) -> ExportPage:
        """The same file in pages of about PAGE_BYTES or PAGE_ENTRIES; `after`: the cursor of the page before. What is
        written while the pages are read is in none of them. Raises NotFound, InvalidInput, DamagedSession.
        """
        session = await owned_session(self._storage, who, session_id)
        low, until = (-1, session.next_sequence) if after is None else _place(after)
        page = [head_line(session)] if after is None else []
        size, entries = sum(map(len, page)), 0
        async with aclosing(self._lines(session_id, low, until)) as found:
            async for sequence, lines in found:
                if entries and (entries >= PAGE_ENTRIES or size >= PAGE_BYTES):
                    return ExportPage(b"".join(page), f"{low}-{until}")
                page += lines
                low, size, entries = sequence, size + sum(map(len, lines)), entries + 1
        return ExportPage(b"".join(page), None)

    async def _lines(self, session_id: str, after: int, until: int) -> AsyncGenerator[tuple[int, list[bytes]], None]:
        """The lines of each entry between two places in the order of creation, with its place."""
        async for stored in self._storage.stored_entries(session_id, after):
            if stored.sequence >= until:
                return
            if stored.entry is None or len(stored.parent_ids) > 1:
                raise DamagedSession(session_id, stored.id)
            yield stored.sequence, list(entry_lines(stored.entry))

    async def bring_in(
        self,
        who: Principal,
        file: IO[bytes],
        *,
        format: str | None = None,
        fresh_ids: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Make a session of a file that can be read twice; `progress` is told how many entries are written.

        Ids are kept where they are free and (in files of other programs) UUIDs, or (`fresh_ids`) none is. What cannot
        be read is reported by line, and all else is there. A failure on the way leaves nothing. Raises InvalidInput for
        a file that is empty or in no known format, SessionExists for one of a session that is there already.
        """
        chosen = format_of(file, format)
        planned = await _in_thread(plan, file, chosen)
        planned.foreign = not isinstance(chosen, Native)
        report = ImportReport(chosen.name)
        session = await self._create(who, planned, report, fresh_ids)
        try:
            await self._take_ids(planned, report, fresh_ids)
            session = await self._write(session, planned, _items(file, chosen), report, progress)
        except BaseException as error:
            await asyncio.shield(self._storage.delete_session(session.id))
            if isinstance(error, Duplicate):
                raise InvalidInput(
                    "Somebody is importing entries of the same ids now. Try again.", "content"
                ) from error
            raise
        return Imported(session, report)

    async def _create(self, who: Principal, planned: Plan, report: ImportReport, fresh_ids: bool) -> Session:
        head = planned.head
        if head is None:
            report.note(Fault(0, "NO_HEADER", "The file has no header line; the session has a new id."))
            head = Head(line=0)
        session_id = head.id if head.id is not None and is_uuid(head.id) and not fresh_ids else new_id()
        try:
            config = changed_config(SessionConfig(), dict(head.config))
        except (InvalidInput, TypeError) as error:
            report.note(Fault(head.line, "BAD_CONFIG", f"The settings were left out: {error}", lost=True))
            config = SessionConfig()
        session = Session(
            id=session_id,
            owner=who.owner,
            created_at=_time_or_now(head.timestamp),
            updated_at=timestamp_now(),
            name=head.name,
            system_prompt=head.system_prompt,
            model=head.model,
            config=config,
        )
        try:
            if await self._storage.session(session_id) is not None:
                raise Duplicate
            return await self._storage.create_session(session)
        except Duplicate:
            raise SessionExists(session_id) from None

    async def _take_ids(self, planned: Plan, report: ImportReport, fresh_ids: bool) -> None:
        taken: set[str] = set()
        if not fresh_ids:
            for chunk in _chunks(planned.keepable(), _STEP):
                taken |= (await self._storage.entries(chunk)).keys()
        if taken:
            some = "; ".join(sorted(taken)[:3])
            report.note(
                Fault(0, "ID_TAKEN", f"{len(taken):,} ids are of other entries already ({some}); they are new.")
            )
        planned.rename(taken, all_new=fresh_ids)

    async def _write(
        self, session: Session, planned: Plan, items: Iterator[Item], report: ImportReport, progress: Progress | None
    ) -> Session:
        builder = Builder(planned, session.id, session.created_at)

        def read_batch() -> list[Entry]:
            """As many entries as go into one transaction; none at the end of the file."""
            batch: list[Entry] = []
            size = 0
            for item in items:
                match item:
                    case Fault():
                        report.note(item)
                    case Draft():
                        size += item.size
                        for made in builder.add(item):
                            if isinstance(made, Fault):
                                report.note(made)
                            else:
                                batch.append(made)
                if len(batch) >= _BATCH or (batch and size >= _BATCH_BYTES):
                    break
            return batch

        # The next batch is read while the database works on this one.
        reading = asyncio.create_task(asyncio.to_thread(read_batch))
        try:
            while batch := await reading:
                reading = asyncio.create_task(asyncio.to_thread(read_batch))
                for start in range(0, len(batch), _BATCH):
                    part = batch[start : start + _BATCH]
                    session = await self._storage.append(session.id, part, move_leaf=False)
                    report.entries += len(part)
                    if progress is not None:
                        progress(report.entries)
        finally:
            # The thread reads a file that the caller closes.
            await asyncio.wait([reading])
        return await self._settle(session, planned.head, builder, report)

    async def _settle(self, session: Session, head: Head | None, builder: Builder, report: ImportReport) -> Session:
        """The name and the leaf as the file has them, or else as its entries do."""
        name = head.name if head is not None and head.has_name else builder.name
        if session.name != name:
            session = await self._storage.update_session(session.id, {"name": name}) or session
        leaf = builder.leaf_id
        if head is not None and head.has_leaf:
            given = None if head.leaf_id is None else builder.new_id(head.leaf_id)
            if given is None or given in builder:
                leaf = given
            else:
                why = f"The leaf {head.leaf_id} is not among the entries; it is the last of them."
                report.note(Fault(head.line, "LEAF_MISSING", why))
        if leaf is not None and leaf not in builder:
            leaf = None
        if leaf != session.leaf_id:
            session = await self._storage.move_leaf(session.id, leaf, ANYWHERE)
        return session


def _place(cursor: str) -> tuple[int, int]:
    """How far a page went, and where the file ends."""
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise InvalidInput("The cursor is not of this list.", "after")
    return int(found[1]), int(found[2])


def _items(file: IO[bytes], chosen: Format) -> Iterator[Item]:
    file.seek(0)
    return chosen.read(records(file))


async def _in_thread(work: Callable[[Iterator[Item]], Plan], file: IO[bytes], chosen: Format) -> Plan:
    return await asyncio.to_thread(lambda: work(_items(file, chosen)))


def _chunks(ids: Iterator[str], size: int) -> Iterator[list[str]]:
    chunk: list[str] = []
    for entry_id in ids:
        chunk.append(entry_id)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _time_or_now(timestamp: str | None) -> str:
    try:
        parse_timestamp(timestamp or "")
    except ValueError:
        return timestamp_now()
    return timestamp or timestamp_now()
