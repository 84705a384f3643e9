"""Putting the program together: storage, model and use cases from settings, in the right order, and back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from graph_session.models.base import Model
from graph_session.models.catalogue import load_catalogue
from graph_session.models.choose import choose_model, warm
from graph_session.services import Services
from graph_session.services.ask import AskService
from graph_session.services.branches import BranchService
from graph_session.services.changes import ChangeService
from graph_session.services.compaction import Compactor
from graph_session.services.exchange import ExchangeService
from graph_session.services.feed import ChangeFeed
from graph_session.services.follow import FollowService
from graph_session.services.live import LiveAnswers
from graph_session.services.reaper import Reaper
from graph_session.services.runner import AnswerRunner
from graph_session.services.search import SearchService
from graph_session.services.sessions import SessionService
from graph_session.services.tree import TreeService
from graph_session.services.verify import VerifyService
from graph_session.services.worker import SummaryWorker
from graph_session.settings import Settings
from graph_session.storage.engines import EmbeddedEngine, Endpoint, server_endpoint
from graph_session.storage.graph.store import open_graph
from graph_session.storage.jsonl import JsonlStorage
from graph_session.storage.memory import MemoryStorage
from graph_session.storage.protocol import SessionStorage

log = structlog.get_logger(__name__)


def model_from(settings: Settings) -> Model:
    """The model that the settings name. Raises ValueError where they contradict each other."""
    return choose_model(
        api_key=settings.anthropic_api_key.get_secret_value() if settings.anthropic_api_key else None,
        base_url=settings.anthropic_base_url,
        answer_model=settings.model,
        summary_model=settings.summary_model,
        provider=settings.provider,
        offline_delay=settings.offline_delay,
        idle_seconds=settings.model_idle_seconds,
    )


@asynccontextmanager
async def open_storage(settings: Settings, *, heap_mb: int | None = None) -> AsyncIterator[SessionStorage]:
    """The storage that the settings name; `heap_mb`: of an embedded engine, for one task.

    Raises EngineError, MigrationError, StorageUnavailable.
    """
    async with AsyncExitStack() as stack:
        yield await _opened(settings, stack, heap_mb)


async def _opened(settings: Settings, stack: AsyncExitStack, heap_mb: int | None) -> SessionStorage:
    storage: SessionStorage
    match settings.storage:
        case "memory":
            storage = MemoryStorage()
        case "jsonl":
            storage = await asyncio.to_thread(JsonlStorage, settings.files)
        case "graph":
            storage = await open_graph(await _endpoint(settings, stack, heap_mb))
    stack.push_async_callback(storage.close)
    return storage


async def _endpoint(settings: Settings, stack: AsyncExitStack, heap_mb: int | None) -> Endpoint:
    if settings.neo4j_uri:
        password = settings.neo4j_password.get_secret_value()
        user = settings.neo4j_user if password else ""
        return server_endpoint(settings.neo4j_uri, user, password, settings.neo4j_database)
    engine = await asyncio.to_thread(EmbeddedEngine.start, settings.home, heap_mb=heap_mb)
    stack.push_async_callback(asyncio.to_thread, engine.stop)
    return engine.endpoint


@asynccontextmanager
async def open_services(settings: Settings, *, workers: int | None = None) -> AsyncIterator[Services]:
    """Everything running: what a crash left is put right first, then the worker and the reaper start.

    `workers`: other than the settings say.
    """
    model = model_from(settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(model.close)
        storage = await stack.enter_async_context(open_storage(settings))
        live = LiveAnswers()
        feed = ChangeFeed(storage)
        stack.push_async_callback(feed.close)
        worker = SummaryWorker(
            storage,
            model,
            workers=settings.summary_workers if workers is None else workers,
            lease_seconds=settings.lease_seconds,
            attempts=settings.summary_attempts,
            backoff_seconds=settings.summary_backoff_seconds,
            on_change=feed.nudge,
        )

        def answered(session_id: str) -> None:
            worker.nudge()
            feed.nudge(session_id)

        catalogue = load_catalogue(settings.catalogue, settings.default_window)
        compactor = Compactor(storage, model, catalogue)
        runner = AnswerRunner(storage, model, live, compactor, lease_seconds=settings.lease_seconds, on_change=answered)
        reaper = Reaper(
            storage,
            runner.owner,
            lease_seconds=settings.lease_seconds,
            runs_here=runner.runs,
            on_change=feed.nudge,
        )
        await storage.reclaim_orphans()
        await storage.finish_deletions()
        await reaper.run()
        worker.start()
        stack.push_async_callback(worker.close)
        reaper.start()
        stack.push_async_callback(reaper.close)
        stack.push_async_callback(runner.close)
        loading = asyncio.create_task(asyncio.to_thread(warm, model))
        stack.push_async_callback(asyncio.wait, [loading])
        ask = AskService(
            storage,
            model,
            live,
            runner,
            compactor,
            lease_seconds=settings.lease_seconds,
            max_question_chars=settings.max_question_chars,
        )
        yield Services(
            storage=storage,
            model=model,
            sessions=SessionService(storage, on_change=answered),
            tree=TreeService(storage, ask, max_question_chars=settings.max_question_chars),
            ask=ask,
            follow=FollowService(storage, live, feed),
            worker=worker,
            catalogue=catalogue,
            changes=ChangeService(storage, on_change=answered),
            branches=BranchService(storage, catalogue, on_change=answered),
            exchange=ExchangeService(storage),
            verify=VerifyService(storage),
            search=SearchService(storage),
        )
