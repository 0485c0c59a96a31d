"""docs/bots.md agrees with the arena: rules and bounds of the blunders, command lines, and a bot that plays."""

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


def test_blunders_and_bounds() -> None:
    rows = re.findall(r"^\| (\S+) \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \|$", PAGE, re.MULTILINE)
    assert [row for row in rows if row[0] in {blunder.key for blunder in BLUNDERS}] == [
        (result.key, result.rule, bound(result)) for result in blunder_results(BlunderCounts())
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_valid_commands(example: str) -> None:
    assert parser().parse_args(shlex.split(example))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 5


@pytest.mark.parametrize("rules", ["classic", "drawn"])
def test_example_bot_beats_random(rules: str, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mine.py").write_text(program, encoding="utf-8")
    arguments = f"arena --a mine:Bot --b random --rules {rules} --scores drawn --deals 60 --processes 1 --json"
    done = subprocess.run([COMMAND, *arguments.split()], cwd=tmp_path, capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert not figures["faults"], figures["fault_examples"]
    assert figures["points_per_hand"]["mean"] > figures["points_per_hand"]["margin"]
