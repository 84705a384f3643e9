"""Sessions in memory: the reference for what the other storages do, and a storage for tests."""

from graph_session.storage.memory.store import MemoryStorage

__all__ = ["MemoryStorage"]
