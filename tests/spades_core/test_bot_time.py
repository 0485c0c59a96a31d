"""The expert's time: how often it looks at the clock, and what it answers when there is little of it or none."""

from collections.abc import Callable
from random import Random

import pytest

from spades_core.bots.engine import bid_search, determinization
from spades_core.bots.levels import expert, hard
from spades_core.bots.levels.expert import FEWEST, Expert
from tests.spades_core.scenarios import Scenario, dealt

ENDLESS = 1_000_000


def bidding() -> Scenario:
    return dealt("S AKQ2 H A432 D K32 C 32", "C 5", "C 7", "C AK4 D AQ5 S J")


def playing() -> Scenario:
    scenario = bidding()
    scenario.bid(4, 3, 3, 3)
    scenario.play("2C 5C 7C")
    return scenario


def choice(bot: Expert, scenario: Scenario, rng: Random) -> object:
    turn = scenario.table.turn
    assert turn is not None
    view = scenario.view(turn)
    return bot.choose_bid(view, rng) if view.legal_bids else bot.choose_card(view, rng)


class Clock:
    """Time is up after so many looks at it."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("begun", [bidding, playing])
def test_without_any_time_it_answers_what_hard_would(begun: Callable[[], Scenario]) -> None:
    for seed in range(5):
        scenario = begun()
        turn = scenario.table.turn
        view = scenario.view(turn)
        usual = hard.choose_bid if view.legal_bids else hard.choose_card
        assert choice(Expert(ENDLESS, Clock(0)), scenario, Random(seed)) == usual(view, Random(seed))


@pytest.mark.parametrize("hand", ["S 85 H T732 D J64 C Q853", "S T4 H J862 D Q73 C 9752", "S 93 H 9542 D KT63 C 742"])
def test_with_hardly_any_worlds_it_bids_nil_where_hard_would(hand: str) -> None:
    for seed in range(8):
        scenario = dealt(hand)
        assert hard.choose_bid(scenario.view(scenario.table.turn), Random(seed)) == 0
        assert choice(Expert(FEWEST - 1), scenario, Random(seed)) == 0


@pytest.mark.parametrize("begun", [bidding, playing])
def test_it_answers_at_once_whenever_time_is_up(begun: Callable[[], Scenario]) -> None:
    for looks in (1, 10, 63, 64, 65, 100, 200, 1000):
        clock = Clock(looks)
        view = begun().view(begun().table.turn)
        assert choice(Expert(ENDLESS, clock), begun(), Random(1)) in (*view.legal_bids, *view.legal_cards)
        assert clock.left >= -3, "it goes on although time is up"


@pytest.mark.parametrize("begun", [bidding, playing])
def test_it_looks_at_the_clock_before_every_deal_rollout_and_swap(begun, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def counted(what: str, function: Callable) -> Callable:
        return lambda *given: (done.append(what), function(*given))[1]

    monkeypatch.setattr(expert, "play_out", counted("rollout", expert.play_out))
    monkeypatch.setattr(bid_search, "play_out", counted("rollout", bid_search.play_out))
    monkeypatch.setattr(determinization.Dealer, "deal", counted("deal", determinization.Dealer.deal))
    monkeypatch.setattr(determinization, "explains", counted("likelihood", determinization.explains))
    most = {"rollout": 1, "deal": 1, "likelihood": 3}

    def out_of_time() -> bool:
        assert all(done.count(what) <= most[what] for what in done), done
        looks.append(len(done))
        done.clear()
        return len(looks) > 300

    looks: list[int] = []
    choice(Expert(ENDLESS, out_of_time), begun(), Random(1))
    assert len(looks) > 300


def test_a_world_that_time_cut_short_does_not_count() -> None:
    """With the same stream of chance any time in the same world gives the same card."""
    scenario = playing()
    turn = scenario.table.turn
    whole = choice(Expert(FEWEST), scenario, Random(2))
    looks: list[int] = []

    def counting() -> bool:
        looks.append(1)
        return False

    assert choice(Expert(FEWEST, counting), scenario, Random(2)) == whole
    assert choice(Expert(ENDLESS, Clock(len(looks))), scenario, Random(2)) == whole
    assert choice(Expert(ENDLESS, Clock(len(looks) + 1)), scenario, Random(2)) == whole
    assert choice(Expert(ENDLESS, Clock(len(looks) - 1)), scenario, Random(2)) == hard.choose_card(
        scenario.view(turn), Random(2)
    ), "three worlds tell nothing"
