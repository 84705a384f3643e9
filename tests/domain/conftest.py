"""How long an example may take says nothing here: the machine is shared, and the engines of other tests run beside."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")
