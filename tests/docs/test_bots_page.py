"""docs/bots.md says what the arena does: each never with its bound, words that the command knows, a bot that plays."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from arena.blunders.blunder_report import blunder_results, bound
from arena.blunders.catalog import BLUNDERS
from arena.blunders.scenarios import BlunderCounts
from server.cli.commands import parser
from tests.serving import COMMAND

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^(?:\.venv/bin/)?spades (arena .*?)(?:  .*)?$", PAGE, re.MULTILINE)


def test_every_never_is_there_with_its_bound() -> None:
    rows = re.findall(r"^\| (\S+) \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \|$", PAGE, re.MULTILINE)
    assert [row for row in rows if row[0] in {never.letter for never in BLUNDERS}] == [
        (verdict.letter, verdict.sentence, bound(verdict)) for verdict in blunder_results(BlunderCounts())
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_its_examples_are_words_that_the_command_knows(example: str) -> None:
    assert parser().parse_args(shlex.split(example))


def test_it_has_examples() -> None:
    assert len(EXAMPLES) > 5


@pytest.mark.parametrize("rules", ["classic", "drawn"])
def test_its_bot_plays_as_it_stands_there_and_beats_random(rules: str, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mine.py").write_text(program, encoding="utf-8")
    words = f"arena --a mine:Bot --b random --rules {rules} --scores drawn --deals 60 --processes 1 --json"
    done = subprocess.run([COMMAND, *words.split()], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert not found["faults"], found["named_faults"]
    assert found["points_a_hand"]["mean"] > found["points_a_hand"]["range"]
