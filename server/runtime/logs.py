"""Structured logging: one line per event, readable on a terminal and JSON elsewhere. Never log a card or a token."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog


def configure_logging(level: str = "info", *, worker: int | None = None) -> None:
    """Log to standard error from `level` (debug, info, warning or error) up; `worker` is added to every line."""

    def add_worker(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {**line, "worker": worker}

    terminal = sys.stderr.isatty()
    numeric = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            *([] if worker is None else [add_worker]),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if terminal else "iso", utc=not terminal),
            *([] if terminal else [structlog.processors.format_exc_info]),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(numeric),
        # It writes each line with a single call, so that the lines of several workers are not interleaved.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    # Logs of libraries, except those of websockets: a failed handshake is the fault of the client.
    library_format = "%(name)s: %(message)s" if worker is None else f"worker {worker}: %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, format=library_format, stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
