"""Thousands of games in a fleet where things go wrong: nothing that must hold is ever broken, and planted bugs are."""

import os
import subprocess
import sys

import pytest

from tests.scale import cases
from tests.simulation.checks import violations
from tests.simulation.mutants import MUTANTS
from tests.simulation.run import simulate

SEEDS = cases(200, 2_000)
ENOUGH = 40
"""In so many seeds every planted bug is found."""
DIGEST = "import sys; from tests.simulation.run import simulate; print(simulate(int(sys.argv[1])).trace.digest())"


def started(*arguments: str, hash_seed: str) -> "subprocess.Popen[str]":
    """Another Python, in which sets have another order."""
    surroundings = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, env=surroundings)


@pytest.mark.timeout(600)
def test_in_thousands_of_seeds_nothing_that_must_hold_is_broken() -> None:
    half = SEEDS // 2
    runs = [
        started("-m", "tests.simulation", "--seeds", f"{first}-{first + half - 1}", hash_seed="0")
        for first in (0, half)
    ]
    said = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], "\n".join(said)


@pytest.mark.parametrize("seed", [3, 11, 42])
def test_the_same_seed_gives_the_same_run(seed: int) -> None:
    here = simulate(seed).trace.digest()
    assert here == simulate(seed).trace.digest()
    others = [started("-c", DIGEST, str(seed), hash_seed=hash_seed) for hash_seed in ("1", "2")]
    assert [other.communicate()[0].strip() for other in others] == [here, here]


def test_another_seed_gives_another_run() -> None:
    assert simulate(1).trace.digest() != simulate(2).trace.digest()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_bug_is_found(name: str) -> None:
    with MUTANTS[name]():
        assert any(list(violations(simulate(seed))) for seed in range(ENOUGH))
