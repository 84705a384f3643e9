"""The use cases. Each is told who asks, checks that it is theirs, and works on one storage and one model."""

from __future__ import annotations

from dataclasses import dataclass

from graph_session.domain.catalogue import Catalogue
from graph_session.models.base import Model
from graph_session.services.ask import AskService
from graph_session.services.branches import BranchService
from graph_session.services.changes import ChangeService
from graph_session.services.exchange import ExchangeService
from graph_session.services.follow import FollowService
from graph_session.services.search import SearchService
from graph_session.services.sessions import SessionService
from graph_session.services.tree import TreeService
from graph_session.services.verify import VerifyService
from graph_session.services.worker import SummaryWorker
from graph_session.storage.protocol import SessionStorage


@dataclass(frozen=True, slots=True)
class Services:
    """The use cases, on one storage and one model."""

    storage: SessionStorage
    model: Model
    sessions: SessionService
    tree: TreeService
    ask: AskService
    follow: FollowService
    worker: SummaryWorker
    catalogue: Catalogue
    changes: ChangeService
    branches: BranchService
    exchange: ExchangeService
    verify: VerifyService
    search: SearchService
