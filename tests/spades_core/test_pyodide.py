"""The core as it is, in the Python that browsers run: the bots play the same cards there, and fast enough."""

import json
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from clients.web import build
from tests.spades_core import timed_hands

MOST_FOR_A_HAND = 300
"""Milliseconds of processor time, of `hard` on all four seats; those of the expert are such, too."""
BUDGET, MOST_FOR_A_CHOICE = 1000 * timed_hands.BUDGET, 200
"""An expert looks at the clock between one world and the next."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program prints there."""
    core, node = tmp_path_factory.mktemp("core") / "core.zip", build.ready()
    build.pack_core(core)
    script = build.WEB / "tests" / "pyodide.mjs"
    done = subprocess.run(
        [Path(node.folder) / "node", script, core, timed_hands.__file__], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", list(timed_hands.BOTS))
def test_the_same_chance_brings_the_same_bids_and_cards(name: str, found: dict[str, Any]) -> None:
    assert found["platform"] == "emscripten"
    assert found["choices"][name] == timed_hands.played(timed_hands.BOTS[name], 1).choices


def test_hard_plays_a_whole_hand_in_no_time(found: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand["whole"] for hand in found["hard"]]
    with capsys.disabled():
        print(
            f"\nin the browser's Python a hand by four hard bots takes {median(hands):.0f} ms, {max(hands):.0f} at most"
        )
    assert all(len(hand["choices"]) == 4 + 52 for hand in found["hard"])
    assert max(hands) < MOST_FOR_A_HAND


def test_an_expert_keeps_to_its_time(found: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    times = found["expert"]["each"]
    with capsys.disabled():
        print(
            f"\nthere an expert with {BUDGET:.0f} ms takes {median(times):.0f} for a choice, {max(times):.0f} at most"
        )
    assert len(times) == 4 + 52
    assert max(times) <= MOST_FOR_A_CHOICE
