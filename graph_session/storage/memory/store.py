"""The memory storage as a whole."""

from __future__ import annotations

from graph_session.storage.memory.whole import MemoryWhole


class MemoryStorage(MemoryWhole):
    """Sessions in plain Python values, gone with the process; see `storage.protocol.SessionStorage` for what each
    method promises. The model that other storages are compared with, and a storage for tests."""

    async def ping(self) -> None:
        """Memory is always there."""

    async def close(self) -> None:
        """There is nothing to close."""
