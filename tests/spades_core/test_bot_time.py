"""The expert's time limit: how often it reads the clock, and what it decides with little or no time."""

from collections.abc import Callable
from random import Random

import pytest

from spades_core.bots.engine import bid_search, determinization
from spades_core.bots.levels import expert, hard
from spades_core.bots.levels.expert import MIN_WORLDS, Expert
from tests.spades_core.scenarios import Scenario, dealt

UNLIMITED = 1_000_000


def bidding() -> Scenario:
    return dealt("S AKQ2 H A432 D K32 C 32", "C 5", "C 7", "C AK4 D AQ5 S J")


def playing() -> Scenario:
    scenario = bidding()
    scenario.bid(4, 3, 3, 3)
    scenario.play("2C 5C 7C")
    return scenario


def decision(bot: Expert, scenario: Scenario, rng: Random) -> object:
    turn = scenario.table.turn
    assert turn is not None
    view = scenario.view(turn)
    return bot.choose_bid(view, rng) if view.legal_bids else bot.choose_card(view, rng)


class Clock:
    """A clock that says time is up after so many reads."""

    def __init__(self, reads: int) -> None:
        self.left = reads

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("start", [bidding, playing])
def test_without_any_time_it_decides_as_hard(start: Callable[[], Scenario]) -> None:
    for seed in range(5):
        scenario = start()
        turn = scenario.table.turn
        view = scenario.view(turn)
        policy = hard.choose_bid if view.legal_bids else hard.choose_card
        assert decision(Expert(UNLIMITED, Clock(0)), scenario, Random(seed)) == policy(view, Random(seed))


@pytest.mark.parametrize("hand", ["S 85 H T732 D J64 C Q853", "S T4 H J862 D Q73 C 9752", "S 93 H 9542 D KT63 C 742"])
def test_with_too_few_worlds_it_bids_nil_as_hard(hand: str) -> None:
    for seed in range(8):
        scenario = dealt(hand)
        assert hard.choose_bid(scenario.view(scenario.table.turn), Random(seed)) == 0
        assert decision(Expert(MIN_WORLDS - 1), scenario, Random(seed)) == 0


@pytest.mark.parametrize("start", [bidding, playing])
def test_it_decides_at_once_when_time_is_up(start: Callable[[], Scenario]) -> None:
    for reads in (1, 10, 63, 64, 65, 100, 200, 1000):
        clock = Clock(reads)
        view = start().view(start().table.turn)
        assert decision(Expert(UNLIMITED, clock), start(), Random(1)) in (*view.legal_bids, *view.legal_cards)
        assert clock.left >= -3, "it went on although time was up"


@pytest.mark.parametrize("start", [bidding, playing])
def test_it_reads_the_clock_before_every_sample_rollout_and_swap(start, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def counted(what: str, function: Callable) -> Callable:
        return lambda *args: (done.append(what), function(*args))[1]

    monkeypatch.setattr(expert, "play_out", counted("rollout", expert.play_out))
    monkeypatch.setattr(bid_search, "play_out", counted("rollout", bid_search.play_out))
    monkeypatch.setattr(determinization.Sampler, "sample", counted("sample", determinization.Sampler.sample))
    monkeypatch.setattr(determinization, "bid_likelihood", counted("likelihood", determinization.bid_likelihood))
    most = {"rollout": 1, "sample": 1, "likelihood": 3}

    def out_of_time() -> bool:
        assert all(done.count(what) <= most[what] for what in done), done
        reads.append(len(done))
        done.clear()
        return len(reads) > 300

    reads: list[int] = []
    decision(Expert(UNLIMITED, out_of_time), start(), Random(1))
    assert len(reads) > 300


def test_an_unfinished_world_does_not_count() -> None:
    """With the same random numbers, running out of time anywhere in the same world gives the same card."""
    scenario = playing()
    turn = scenario.table.turn
    whole = decision(Expert(MIN_WORLDS), scenario, Random(2))
    reads: list[int] = []

    def counting() -> bool:
        reads.append(1)
        return False

    assert decision(Expert(MIN_WORLDS, counting), scenario, Random(2)) == whole
    assert decision(Expert(UNLIMITED, Clock(len(reads))), scenario, Random(2)) == whole
    assert decision(Expert(UNLIMITED, Clock(len(reads) + 1)), scenario, Random(2)) == whole
    assert decision(Expert(UNLIMITED, Clock(len(reads) - 1)), scenario, Random(2)) == hard.choose_card(
        scenario.view(turn), Random(2)
    ), "three worlds are too few"
