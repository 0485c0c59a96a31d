"""Structured logging: one line an event, for people on a terminal, as JSON elsewhere. No card, no token is logged."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog


def set_up_logs(level: str = "info", *, worker: int | None = None) -> None:
    """`level` is debug, info, warning or error. Every line of a worker, one of several, carries its number."""

    def mark(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {**line, "worker": worker}

    terminal = sys.stderr.isatty()
    numeric = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            *([] if worker is None else [mark]),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if terminal else "iso", utc=not terminal),
            *([] if terminal else [structlog.processors.format_exc_info]),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(numeric),
        # In one write: the lines of several workers must not run into each other where Python does not buffer.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    # What libraries log by themselves: handshakes that fail are the other side's business, not ours.
    library = "%(name)s: %(message)s" if worker is None else f"worker {worker}: %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, format=library, stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
