"""Every blunder is found in the bot that makes it, and only there."""

import pytest

from arena.blunders.blunder_report import BlunderResult, blunder_results
from arena.blunders.catalog import BLUNDERS
from arena.blunders.scenarios import BlunderCounts, Scenario, ScenarioChunk, run_chunk, trials_for

FAULTY = "tests.arena.faulty_bots"


def results(bot: str, scenario: Scenario, count: int) -> dict[str, BlunderResult]:
    counts = run_chunk(ScenarioChunk(bot, "plant", scenario, 0, count))
    assert counts.trials == count
    return {result.key: result for result in blunder_results(counts)}


@pytest.mark.parametrize(
    ("bot", "key", "scenario", "count"),
    [
        ("OverbidsBesideNil", "a", "hands", 120),
        ("WastesWinners", "b", "hands", 40),
        ("BeatsPartner", "c", "hands", 20),
        ("WinsTooHigh", "d", "hands", 20),
        ("Underbids", "e", "hands", 60),
        ("TakesBags", "e+", "hands", 60),
        ("BidsOneLast", "f", "near the end", 60),
        ("SecondNil", "g", "behind a nil", 10),
        ("FearsBags", "h", "no bags", 5),
        ("MissesSet", "i", "too high", 100),
        ("CoversBrokenNil", "j", "poor nils", 120),
        ("SeesHands", "hidden", "swaps", 8),
        ("ShowsPartner", "hidden", "swaps", 10),
    ],
)
def test_blunder_is_found(bot: str, key: str, scenario: Scenario, count: int) -> None:
    result = results(f"{FAULTY}:{bot}", scenario, count)[key]
    assert result.passed is False, result
    assert result.examples or key in "ae"


def test_medium_makes_no_blunder_whose_bound_is_zero() -> None:
    counts = BlunderCounts()
    for scenario in trials_for(10):
        counts.merge(run_chunk(ScenarioChunk("medium", "1", scenario, 0, 60)))
    by_key = {result.key: result for result in blunder_results(counts)}
    assert list(by_key) == ["a", "b", "c", "d", "e", "e+", "f", "g", "h", "i", "j", "hidden"]
    for blunder in BLUNDERS:
        if blunder.max_rate == 0:
            assert by_key[blunder.key].passed in (True, None), by_key[blunder.key]
    for key in "cdfgh":
        assert by_key[key].opportunities > 20, key
    assert by_key["hidden"].opportunities == 60
    assert not counts.stats.faults


def test_partners_nil_is_blind_in_every_other_trial() -> None:
    for first in (0, 1):
        counts = run_chunk(ScenarioChunk(f"{FAULTY}:SecondNil", "1", "behind a nil", first, 1))
        assert counts.occurrences["g"] == 1


def test_no_opportunity_is_no_result() -> None:
    assert {result.passed for result in blunder_results(BlunderCounts())} == {None}
