"""The formats there are, and which one a file is in."""

from __future__ import annotations

from typing import IO

from graph_session.domain.errors import InvalidInput
from graph_session.interchange.base import Format, Record
from graph_session.interchange.lines import records
from graph_session.interchange.native import FORMAT_VERSION, Native
from graph_session.interchange.pi import Pi

FORMATS: tuple[Format, ...] = (Native(), Pi())


def format_of(file: IO[bytes], name: str | None) -> Format:
    """The format of this name, or (None) the one that a file is in, which is then at its beginning again.

    Raises InvalidInput for an unknown name, an empty file, and one that is in no known format.
    """
    names = ", ".join(known.name for known in FORMATS)
    chosen = next((known for known in FORMATS if known.name == name), None)
    if name is not None and chosen is None:
        raise InvalidInput(f"There is no format {name!r}; there are {names}.", "format")
    first = next((record for record in records(file) if isinstance(record, Record)), None)
    empty = file.tell() == 0
    file.seek(0)
    if empty:
        raise InvalidInput("The file is empty: there is nothing to import.", "content")
    if first is None:
        raise InvalidInput("No line of the file is a JSON object: it is in no format that is known here.", "content")
    version = first.value.get("formatVersion", FORMAT_VERSION)
    if version != FORMAT_VERSION:
        raise InvalidInput(
            f"Line {first.line}: the file is in version {version!r} of the format, this program reads version "
            f"{FORMAT_VERSION}; import it with the version of graph_session that wrote it.",
            "content",
        )
    chosen = chosen or next((known for known in FORMATS if known.recognises(first.value)), None)
    if chosen is None:
        raise InvalidInput(f"Line {first.line}: the file is in none of the formats {names}.", "content")
    return chosen
