"""The format of log lines."""

import json
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from server.runtime.logs import configure_logging


class RecordingStream:
    """A stream that records each write."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    before, level = structlog.get_config(), logging.getLogger("websockets").level
    yield
    structlog.configure(**before)
    logging.getLogger("websockets").setLevel(level)


def test_a_line_is_written_by_a_single_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = RecordingStream()
    monkeypatch.setattr(sys, "stderr", stream)
    configure_logging(worker=2)
    structlog.get_logger().info("serving", port=8080)
    structlog.get_logger().debug("below the level")
    (line,) = stream.written
    assert line.endswith("\n")
    assert line.count("\n") == 1
    fields = json.loads(line)
    assert (fields["event"], fields["port"], fields["worker"], fields["level"]) == ("serving", 8080, 2, "info")
