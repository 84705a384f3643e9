"""A TCP proxy in front of a database, to take it away and to bring it back."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Proxy:
    """Passes connections on to `uri`'s host and port; `cut` ends them and refuses new ones until `restore`.

    It runs in a thread of its own, so that a test may wait for what goes through it.
    """

    def __init__(self, uri: str) -> None:
        self._target = urlsplit(uri)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._port = 0

    @property
    def uri(self) -> str:
        """What a client is to connect to."""
        return f"{self._target.scheme}://127.0.0.1:{self._port}"

    def cut(self) -> None:
        """The database is gone."""
        self._call(self._close())

    def restore(self) -> None:
        """The database is back."""
        self._call(self._listen())

    def __enter__(self) -> Self:
        self._thread.start()
        self.restore()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: object) -> None:
        assert asyncio.iscoroutine(work)
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._writers):
            writer.transport.abort()
        # The tasks of the connections end with them.
        await asyncio.sleep(0.05)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(self._target.hostname, self._target.port)
        both = {writer, there_writer}
        self._writers |= both
        try:
            await asyncio.gather(_pump(reader, there_writer), _pump(there_reader, writer))
        finally:
            self._writers -= both
            for end in both:
                end.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
