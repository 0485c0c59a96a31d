"""Thousands of simulated games with faults have no violations, and every mutant is found."""

import os
import subprocess
import sys

import pytest

from tests.scale import cases
from tests.simulation.checks import violations
from tests.simulation.mutants import MUTANTS
from tests.simulation.run import simulate

SEEDS = cases(200, 2_000)
MUTANT_SEEDS = 40
"""Number of seeds in which every mutant is found."""
DIGEST = "import sys; from tests.simulation.run import simulate; print(simulate(int(sys.argv[1])).trace.digest())"


def start_python(*arguments: str, hash_seed: str) -> "subprocess.Popen[str]":
    """Start a Python whose sets have the order of a hash seed."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.timeout(600)
def test_thousands_of_seeds_have_no_violations() -> None:
    half = SEEDS // 2
    runs = [
        start_python("-m", "tests.simulation", "--seeds", f"{first}-{first + half - 1}", hash_seed="0")
        for first in (0, half)
    ]
    output = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], "\n".join(output)


@pytest.mark.parametrize("seed", [3, 11, 42])
def test_a_seed_determines_the_run(seed: int) -> None:
    digest = simulate(seed).trace.digest()
    assert digest == simulate(seed).trace.digest()
    others = [start_python("-c", DIGEST, str(seed), hash_seed=hash_seed) for hash_seed in ("1", "2")]
    assert [other.communicate()[0].strip() for other in others] == [digest, digest]


def test_different_seeds_give_different_runs() -> None:
    assert simulate(1).trace.digest() != simulate(2).trace.digest()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name: str) -> None:
    with MUTANTS[name]():
        assert any(list(violations(simulate(seed))) for seed in range(MUTANT_SEEDS))
