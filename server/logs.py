"""Structured logging: one line an event, for people on a terminal, as JSON elsewhere. No card, no token is logged."""

import logging
import sys

import structlog


def set_up_logs(level: str = "info") -> None:
    """`level` is debug, info, warning or error."""
    terminal = sys.stderr.isatty()
    numeric = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if terminal else "iso", utc=not terminal),
            *([] if terminal else [structlog.processors.format_exc_info]),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(numeric),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # What libraries log by themselves: handshakes that fail are the other side's business, not ours.
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
