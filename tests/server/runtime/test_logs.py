"""Log lines, as whoever reads them gets them."""

import json
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from server.runtime.logs import configure_logging


class Pieces:
    """A stream that keeps what is written, piece by piece."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    before, level = structlog.get_config(), logging.getLogger("websockets").level
    yield
    structlog.configure(**before)
    logging.getLogger("websockets").setLevel(level)


def test_a_line_is_written_in_one_piece_so_that_those_of_several_workers_do_not_mix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = Pieces()
    monkeypatch.setattr(sys, "stderr", said)
    configure_logging(worker=2)
    structlog.get_logger().info("serving", port=8080)
    structlog.get_logger().debug("too small a thing")
    (line,) = said.written
    assert line.endswith("\n")
    assert line.count("\n") == 1
    told = json.loads(line)
    assert (told["event"], told["port"], told["worker"], told["level"]) == ("serving", 8080, 2, "info")
