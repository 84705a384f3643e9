"""A session file as a tree: every good entry is in it, and what is wrong with the rest is said.

* A change that was cut short at the end of the file was never acknowledged, and is left out as a whole.
* Any other line that is no good costs only itself.
* An entry whose parent is missing is a root of its own.
* Of entries whose parents go round in a circle the first becomes a root, and so the others have their places.
* Of several entries with one id the first counts.
* Lines that no change has announced (another program's, or a change's whose first line was lost) are taken as they are;
  the leaf stands at the last entry among them.
* An empty file, one in which nothing can be read, and one of a newer version are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from graph_session.domain.entries import Label, LeafMove
from graph_session.storage.jsonl import lines as form
from graph_session.storage.jsonl.entry_lines import EntryLine, entry_line, entry_of
from graph_session.storage.jsonl.lines import Line
from graph_session.storage.jsonl.names import session_id_in
from graph_session.storage.jsonl.problems import Problem, ProblemCode
from graph_session.storage.jsonl.reader import Found, Remark, read_lines
from graph_session.storage.memory.records import (
    AnswerRenewed,
    AnswerStarted,
    CancelRequested,
    EntryWritten,
    Record,
    SummaryChanged,
)
from graph_session.storage.memory.tree import Tree, apply_record, new_tree


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds: the tree, None if it is left alone, and what is wrong. The next change goes to `end`, where
    what was cut short begins; `newline`: the line before it lacks its end."""

    path: Path
    tree: Tree | None
    problems: list[Problem]
    end: int
    newline: bool


@dataclass(frozen=True, slots=True)
class _Other:
    """A line that is no entry."""

    number: int
    record: Record


@dataclass(slots=True)
class _Group:
    """A change line (None before the first), the lines that belong to it, and those after them that no change has
    announced."""

    line: Found | None
    announced: list[Found] = field(default_factory=list)
    loose: list[Found] = field(default_factory=list)

    @property
    def change(self) -> Line:
        return self.line.raw or {} if self.line else {}

    @property
    def count(self) -> int:
        count = self.change.get("lines")
        return count if isinstance(count, int) else 0

    def add(self, found: Found) -> None:
        (self.announced if len(self.announced) < self.count else self.loose).append(found)


def replay(path: Path, data: bytes) -> Reading:
    """Read a whole file."""
    return _Replay(path).run(data)


class _Replay:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._problems: list[Problem] = []
        self._waiting: dict[str, EntryLine] = {}
        self._below: dict[str | None, list[EntryLine]] = {}
        self._ids: set[str] = set()
        self._lost_leaf: tuple[int, str] | None = None

    def run(self, data: bytes) -> Reading:
        found = self._lines(data)
        end = len(data)
        if found and found[-1].raw is None and not found[-1].ended:
            cut = found.pop()
            self._say(cut.number, ProblemCode.CUT_LINE, f"the last line was cut short ({end - cut.start:,} bytes)")
            end = cut.start
        headers = [item for item in found if _is(item, form.HEADER)]
        groups = _groups(item for item in found if not _is(item, form.HEADER))
        end = self._drop_cut(groups, found, end)
        tree = self._begin(headers, found, groups)
        if tree is not None:
            self._fill(tree, groups)
        problems = sorted(self._problems, key=lambda problem: problem.line)
        return Reading(self._path, tree, problems, end, end > 0 and data[end - 1 : end] != b"\n")

    def _lines(self, data: bytes) -> list[Found]:
        found: list[Found] = []
        for item in read_lines(data):
            if isinstance(item, Remark):
                self._say(item.number, item.code, item.message)
            else:
                found.append(item)
        if found and found[-1].raw is not None and not found[-1].ended:
            self._say(found[-1].number, ProblemCode.NO_NEWLINE, "the last line has no end; it was kept")
        return found

    def _drop_cut(self, groups: list[_Group], found: list[Found], end: int) -> int:
        """Leave out a change that the end of the file cuts short; where the file ends without it."""
        last = groups[-1]
        begun = len(last.announced)
        if last.line is None or begun == last.count:
            return end
        # Behind other objects on the same line it cannot be removed without them.
        if any(item.number == last.line.number for item in found if item is not last.line):
            return end
        groups.pop()
        message = f"the last change was cut short after {begun} of {last.count} lines, and is left out as a whole"
        self._say(last.line.number, ProblemCode.CUT_CHANGE, message)
        return last.line.start

    def _begin(self, headers: list[Found], found: list[Found], groups: list[_Group]) -> Tree | None:
        header = headers[0].raw or {} if headers else {}
        if not any(item.raw for item in found):
            code = ProblemCode.UNREADABLE if self._problems else ProblemCode.EMPTY
            self._say(0, code, "there is no session in this file; it was left alone")
            return None
        if _number(header.get("version")) > form.ENTRY_VERSION or _number(header.get("storage")) > form.STORAGE_VERSION:
            self._say(1, ProblemCode.NEWER_VERSION, "a newer version wrote this file; it was left alone")
            return None
        if not headers or headers[0] is not found[0]:
            message = (
                "the header is not where it belongs" if headers else "there is no header; settings are the defaults"
            )
            self._say(1, ProblemCode.NO_HEADER, message)
        for second in headers[1:]:
            self._say(second.number, ProblemCode.SECOND_HEADER, "a second header was passed over")
        owners = (group.change.get("owner") for group in groups)
        owner = next((owner for owner in owners if isinstance(owner, str)), None)
        return new_tree(form.session_of(header, session_id_in(self._path), owner))

    def _fill(self, tree: Tree, groups: list[_Group]) -> None:
        read = [(group, self._read(group.announced, group.change), self._read(group.loose, {})) for group in groups]
        self._ids = {
            item.id for _, announced, loose in read for item in (*announced, *loose) if isinstance(item, EntryLine)
        }
        for group, announced, loose in read:
            for item in announced:
                self._take(tree, item)
            if group.line is not None:
                missing = group.count - len(group.announced)
                if missing > 0:
                    message = f"{missing} of the {group.count} lines of this change are missing"
                    self._say(group.line.number, ProblemCode.MISSING_LINES, message)
                self._conclude(tree, group.line.number, group.change)
            for item in loose:
                self._take(tree, item)
                self._follow(tree, item)
        self._attach_rest(tree)
        self._settle_labels(tree)
        self._settle_leaf(tree)

    def _read(self, found: list[Found], change: Line) -> list[EntryLine | _Other]:
        """Lines that are neither headers nor changes, without those that mean nothing."""
        read: list[EntryLine | _Other] = []
        hashes = change.get("hashes")
        for item in found:
            raw = item.raw or {}
            kind = raw.get("type")
            try:
                if kind in form.ENTRY_TYPES:
                    read.append(entry_line(raw, item.number, hashes if isinstance(hashes, dict) else {}))
                elif kind in form.OTHER_TYPES:
                    read.append(_Other(item.number, form.record_of(raw)))
                elif raw:
                    self._say(item.number, ProblemCode.UNKNOWN_TYPE, "a line of a type not known here; left out")
            except (KeyError, TypeError, ValueError, AttributeError):
                self._say(item.number, ProblemCode.BAD_LINE, f"this is no {kind} as it should be; left out")
        return read

    def _take(self, tree: Tree, item: EntryLine | _Other) -> None:
        if isinstance(item, EntryLine):
            self._entry(tree, item)
        else:
            self._record(tree, item.number, item.record)

    def _entry(self, tree: Tree, line: EntryLine) -> None:
        if line.id in tree.entries or line.id in self._waiting:
            self._say(line.number, ProblemCode.DUPLICATE_ID, "another entry has this id; the first counts", line.id)
        elif line.parent_id is None or line.parent_id in tree.entries:
            self._write(tree, line)
        elif line.parent_id in self._ids:
            self._waiting[line.id] = line
            self._below.setdefault(line.parent_id, []).append(line)
        else:
            self._orphan(tree, line)

    def _orphan(self, tree: Tree, line: EntryLine) -> None:
        self._say(line.number, ProblemCode.MISSING_PARENT, "its parent is missing; kept as a root of its own", line.id)
        self._write(tree, line)

    def _write(self, tree: Tree, line: EntryLine) -> None:
        """Write an entry, and those that have waited for it."""
        ready = [line]
        while ready:
            line = ready.pop()
            entry, is_whole = entry_of(line, tree)
            if not is_whole:
                self._say(line.number, ProblemCode.CHANGED_ENTRY, "it is not what its hash was made over", line.id)
            apply_record(tree, EntryWritten(entry))
            self._waiting.pop(line.id, None)
            waited = self._below.pop(line.id, ())
            ready += [other for other in reversed(waited) if other.id in self._waiting]

    def _record(self, tree: Tree, number: int, record: Record) -> None:
        match record:
            case SummaryChanged(entry_id):
                missing = entry_id not in tree.entries
            case AnswerStarted(answer):
                missing = answer.question_id not in tree.entries
                if answer.id in tree.running or answer.id in tree.entries:
                    self._say(number, ProblemCode.DUPLICATE_ID, "an answer has this id; the first counts", answer.id)
                    return
                record = replace(record, answer=replace(answer, session_id=tree.session.id))
            case AnswerRenewed(answer_id) | CancelRequested(answer_id):
                missing = answer_id not in tree.running
            case _:
                missing = False
        if missing:
            self._say(number, ProblemCode.MISSING_TARGET, "what this line is about is missing; left out")
        else:
            apply_record(tree, record)

    def _conclude(self, tree: Tree, number: int, change: Line) -> None:
        """What the session is after a change."""
        session = tree.session
        revision = max(session.revision, _number(change.get("revision")))
        updated_at = change.get("timestamp")
        updated = updated_at if isinstance(updated_at, str) else session.updated_at
        tree.session = replace(session, revision=revision, updated_at=updated)
        self._move_leaf(tree, number, change.get("leafId"))

    def _follow(self, tree: Tree, item: EntryLine | _Other) -> None:
        """The leaf goes with an entry that no change has announced."""
        if isinstance(item, EntryLine) and item.id in tree.entries:
            self._move_leaf(tree, item.number, item.body.target_id if isinstance(item.body, LeafMove) else item.id)

    def _move_leaf(self, tree: Tree, number: int, leaf_id: str | None) -> None:
        if leaf_id is None or leaf_id in tree.entries:
            self._lost_leaf = None
            tree.session = replace(tree.session, leaf_id=leaf_id)
        else:
            self._lost_leaf = (number, leaf_id)

    def _attach_rest(self, tree: Tree) -> None:
        """Entries whose parent never came: they form circles, or hang from one."""
        for line in list(self._waiting.values()):
            if line.id not in self._waiting:
                continue
            path: dict[str, EntryLine] = {}
            while line.id not in path and line.parent_id in self._waiting:
                path[line.id] = line
                line = self._waiting[line.parent_id]
            circle = list(path.values())
            circle = circle[circle.index(line) :] if line in circle else [line]
            first = min(circle, key=lambda other: other.number)
            message = f"its parents go round in a circle of {len(circle)}; kept as a root of its own"
            self._say(first.number, ProblemCode.CYCLE, message, first.id)
            self._write(tree, first)

    def _settle_labels(self, tree: Tree) -> None:
        """A label may have come before the entry that it is for, where that has waited for its parent."""
        labels = [entry.body for entry in tree.entries.values() if isinstance(entry.body, Label)]
        for target, label in {body.target_id: body.label for body in labels}.items():
            if (entry := tree.entries.get(target)) is not None and entry.label != (label or None):
                tree.entries[target] = replace(entry, label=label or None)

    def _settle_leaf(self, tree: Tree) -> None:
        if self._lost_leaf is None:
            return
        number, leaf_id = self._lost_leaf
        if leaf_id in tree.entries:
            tree.session = replace(tree.session, leaf_id=leaf_id)
        else:
            message = "the leaf's entry is missing; it stands where it last could"
            self._say(number, ProblemCode.MISSING_LEAF, message, leaf_id)

    def _say(self, line: int, code: ProblemCode, message: str, entry_id: str | None = None) -> None:
        self._problems.append(Problem(self._path, line, code, message, entry_id))


def _is(item: Found, kind: str) -> bool:
    return item.raw is not None and item.raw.get("type") == kind


def _groups(found: Iterable[Found]) -> list[_Group]:
    groups = [_Group(None)]
    for item in found:
        if _is(item, form.CHANGE):
            groups.append(_Group(item))
        else:
            groups[-1].add(item)
    return groups


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
