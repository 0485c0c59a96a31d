"""docs/bots.md says what the arena does: each never with its bound, and words that the command knows."""

import re
import shlex
from pathlib import Path

import pytest

from server.arena.nevers import NEVERS
from server.arena.trials import Found
from server.arena.verdict import bound, verdicts
from server.cli import parser

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^spades (arena .*?)(?:  .*)?$", PAGE, re.MULTILINE)


def test_every_never_is_there_with_its_bound() -> None:
    rows = re.findall(r"^\| (\S+) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
    assert [row for row in rows if row[0] in {never.letter for never in NEVERS}] == [
        (verdict.letter, verdict.sentence, bound(verdict)) for verdict in verdicts(Found())
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_its_examples_are_words_that_the_command_knows(example: str) -> None:
    assert parser().parse_args(shlex.split(example))


def test_it_has_examples() -> None:
    assert len(EXAMPLES) > 5
