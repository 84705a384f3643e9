"""Names of folders and files: which working directory and which session they are for."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

# What cannot stand in a name, what means something in one here, and bytes that are no text.
_SPECIAL = re.compile(r"[%/\\:\-\x00-\x1f\x7f\ud800-\udfff]")
_LONGEST = 200


def folder_name(cwd: str) -> str:
    """`--home-me-project--` for `/home/me/project`: slashes become dashes, and dashes their percent code, so that no
    two working directories share a folder; a name too long for a file system ends in a hash."""
    parts = cwd.removeprefix("/").split("/")
    return f"--{_short('-'.join(_escaped(part) for part in parts))}--"


def file_name(created_at: str, session_id: str) -> str:
    """`TIMESTAMP_SESSIONID.jsonl`; colons and points of the time become dashes, so that names sort as times do."""
    return f"{re.sub(r'[^0-9A-Za-z]', '-', created_at)[:40]}_{_short(_escaped(session_id, keep='-'))}.jsonl"


def session_id_in(path: Path) -> str:
    """The session id in a file's name, for a file that does not say it otherwise."""
    return path.stem.partition("_")[2] or path.stem


def _escaped(text: str, keep: str = "") -> str:
    return _SPECIAL.sub(lambda found: found[0] if found[0] in keep else _percent(found[0]), text)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in os.fsencode(character))


def _short(name: str) -> str:
    encoded = os.fsencode(name)
    if len(encoded) <= _LONGEST:
        return name
    digest = hashlib.sha256(encoded).hexdigest()[:16]
    return f"{encoded[: _LONGEST - 17].decode(errors='ignore')}~{digest}"
