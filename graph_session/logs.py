"""Logging: one line an event, JSON for machines or plain text for a terminal, and never what people wrote.

Questions and answers pass through the drivers below us, and some log them at DEBUG: the Neo4j driver its
parameters, the Anthropic client its requests. So nothing but our own loggers ever goes below INFO.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Literal, TextIO

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Level = Literal["debug", "info", "warning", "error"]

OWN_LOGGER = "graph_session"
_UVICORN_LOGGERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")


def _to_json(event: dict[str, Any], **_: Any) -> str:
    return orjson.dumps(event, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def _drop_uvicorn_colour(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    # uvicorn sends each message a second time, with escape codes in it.
    event.pop("color_message", None)
    return event


def configure_logging(level: Level = "info", *, stream: TextIO | None = None, json: bool | None = None) -> None:
    """Sends structlog, the standard library's logging and warnings through one handler. May be called again.

    level: for our own lines. Access lines and INFO of libraries come with "debug" only, else WARNING and up.
    stream: stderr unless given. json: by default, unless the stream is a terminal.
    Run uvicorn with `log_config=None`, so that it leaves its loggers to this.
    """
    target = stream or sys.stderr
    as_json = not target.isatty() if json is None else json
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        _drop_uvicorn_colour,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    # Both print plain tracebacks: the richer forms show local variables, which hold questions and tokens.
    last: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=_to_json)]
        if as_json
        else [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    verbose = level == "debug"
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if verbose else logging.WARNING)
    logging.getLogger(OWN_LOGGER).setLevel(level.upper())
    for name in _UVICORN_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        # Set here, as uvicorn's own default for them is INFO and one line a request is noise.
        logger.setLevel(logging.INFO if verbose else logging.WARNING)
    # The driver tells of each conflict that it then solves by trying again, and of failures that we report ourselves.
    logging.getLogger("neo4j").setLevel(logging.WARNING if verbose else logging.CRITICAL)
    logging.captureWarnings(True)
