"""Every never is found where it was planted, and only there."""

import pytest

from arena.blunders.blunder_report import BlunderResult, blunder_results
from arena.blunders.catalog import BLUNDERS
from arena.blunders.scenarios import BlunderCounts, Scenario, ScenarioChunk, run_chunk, trials_for

PLANTED = "tests.arena.faulty_bots"


def judged(bot: str, trial: Scenario, count: int) -> dict[str, BlunderResult]:
    found = run_chunk(ScenarioChunk(bot, "plant", trial, 0, count))
    assert found.trials == count
    return {verdict.letter: verdict for verdict in blunder_results(found)}


@pytest.mark.parametrize(
    ("bot", "letter", "trial", "count"),
    [
        ("SetsItselfCovering", "a", "hands", 120),
        ("ThrowsWinners", "b", "hands", 40),
        ("BeatsPartner", "c", "hands", 20),
        ("WinsDearly", "d", "hands", 20),
        ("Underbids", "e", "hands", 60),
        ("TakesBags", "e+", "hands", 60),
        ("BidsOne", "f", "near the end", 60),
        ("SecondNil", "g", "behind a nil", 10),
        ("FearsBags", "h", "no bags", 5),
        ("LetsOff", "i", "too high", 100),
        ("CoversOnAndOn", "j", "poor nils", 120),
        ("LooksIntoHands", "unseen", "swaps", 8),
        ("TellsItsPartner", "unseen", "swaps", 10),
    ],
)
def test_who_does_it_is_found(bot: str, letter: str, trial: Scenario, count: int) -> None:
    verdict = judged(f"{PLANTED}:{bot}", trial, count)[letter]
    assert verdict.held is False, verdict
    assert verdict.examples or letter in "ae"


def test_medium_does_none_of_what_is_never_done_at_all() -> None:
    found = BlunderCounts()
    for trial in trials_for(10):
        found.merge(run_chunk(ScenarioChunk("medium", "1", trial, 0, 60)))
    by_letter = {verdict.letter: verdict for verdict in blunder_results(found)}
    assert list(by_letter) == ["a", "b", "c", "d", "e", "e+", "f", "g", "h", "i", "j", "unseen"]
    for never in BLUNDERS:
        if never.most == 0:
            assert by_letter[never.letter].held in (True, None), by_letter[never.letter]
    for letter in "cdfgh":
        assert by_letter[letter].chances > 20, letter
    assert by_letter["unseen"].chances == 60
    assert not found.tally.faults


def test_blind_nils_and_others_are_tried_in_turn() -> None:
    for first in (0, 1):
        found = run_chunk(ScenarioChunk(f"{PLANTED}:SecondNil", "1", "behind a nil", first, 1))
        assert found.done["g"] == 1


def test_where_there_was_no_chance_nothing_is_said() -> None:
    assert {verdict.held for verdict in blunder_results(BlunderCounts())} == {None}
