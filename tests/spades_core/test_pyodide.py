"""The core in Pyodide, the Python of browsers: the bots play the same cards there, and fast enough."""

import json
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from clients.web import build
from tests.spades_core import timed_hands

MAX_HAND_MS = 300
"""The limit for a hand by four hard bots, in milliseconds of processor time like all times here."""
TIME_LIMIT_MS, MAX_CHOICE_MS = 1000 * timed_hands.TIME_LIMIT, 200
"""An expert looks at the clock only between one world and the next, so it may exceed its time limit a little."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of timed_hands, run in Pyodide."""
    core, node = tmp_path_factory.mktemp("core") / "core.zip", build.install()
    build.pack_core(core)
    script = build.WEB / "tests" / "pyodide.mjs"
    done = subprocess.run(
        [Path(node.folder) / "node", script, core, timed_hands.__file__], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", list(timed_hands.BOTS))
def test_the_same_seed_gives_the_same_bids_and_cards(name: str, report: dict[str, Any]) -> None:
    assert report["platform"] == "emscripten"
    assert report["choices"][name] == timed_hands.play_hand(timed_hands.BOTS[name], 1).choices


def test_four_hard_bots_play_a_hand_in_time(report: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    times = [hand["total_ms"] for hand in report["hard"]]
    with capsys.disabled():
        print(f"\nPyodide: a hand by four hard bots takes {median(times):.0f} ms, at most {max(times):.0f} ms")
    assert all(len(hand["choices"]) == 4 + 52 for hand in report["hard"])
    assert max(times) < MAX_HAND_MS


def test_an_expert_keeps_to_its_time_limit(report: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    times = report["expert"]["choice_ms"]
    with capsys.disabled():
        print(
            f"\nPyodide: with a limit of {TIME_LIMIT_MS:.0f} ms an expert takes {median(times):.0f} ms for a choice, "
            f"at most {max(times):.0f} ms"
        )
    assert len(times) == 4 + 52
    assert max(times) <= MAX_CHOICE_MS
