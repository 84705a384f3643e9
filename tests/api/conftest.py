from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def structlog_to_caplog() -> Iterator[None]:
    """Without a configuration structlog prints, and a test for silence would hear nothing."""
    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Logging is global, and pytest's own handlers hang on the root logger."""
    names = [None, "graph_session", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"]
    saved = [
        (logger, list(logger.handlers), logger.level, logger.propagate) for logger in map(logging.getLogger, names)
    ]
    yield
    for logger, handlers, level, propagate in saved:
        logger.handlers[:] = handlers
        logger.setLevel(level)
        logger.propagate = propagate
    logging.captureWarnings(False)
