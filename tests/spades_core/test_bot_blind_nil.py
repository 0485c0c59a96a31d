"""Which levels bid blind nil, and at what scores."""

from random import Random

import pytest

from spades_core.bots import LEVELS
from spades_core.bots.engine.blind_nil import win_after
from spades_core.commands import DealHand, LookAtHand, PlaceBid
from spades_core.deck import STANDARD, shuffled
from spades_core.seats import SEATS, BySide
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import Scenario, after_hands

HOPELESS = 320, 470
"""The opponents' contract ends the game; a blind nil and a contract win it."""


def offered(scores: BySide[int], *bids: int, blind_nil: str = "swap", **switches) -> Scenario:
    """Seat 0, or after some bids the next one, bids now; the seats before it have looked."""
    scenario = after_hands(scores, rules=rules_with(blind_nil=blind_nil, **switches))
    scenario.do(DealHand(shuffled(Random(1), STANDARD)), *(LookAtHand(seat) for seat in SEATS[: len(bids)]))
    scenario.bid(*bids)
    return scenario


def bids_blind(level: str, scenario: Scenario) -> bool:
    turn = scenario.table.turn
    view = scenario.view(turn)
    assert view.may_bid_blind
    return LEVELS[level].choose_blind(view, Random(1))


@pytest.mark.parametrize("blind_nil", ["on", "swap"])
@pytest.mark.parametrize("level", ["hard", "expert"])
def test_a_blind_nil_is_bid_if_the_game_is_lost_otherwise(level, blind_nil) -> None:
    assert bids_blind(level, offered(HOPELESS, blind_nil=blind_nil))
    assert bids_blind(level, offered(HOPELESS[::-1], 3, blind_nil=blind_nil))


def test_the_expert_decides_by_the_score() -> None:
    tried = [behind for behind in range(100, 400, 20) if bids_blind("expert", offered((0, behind), blind_nil="on"))]
    assert 150 < tried[0] < 400, "ordinary hands make up for a hundred points"
    assert tried == list(range(tried[0], 400, 20)), "the further behind, the sooner"


def test_the_expert_trusts_a_nil_that_passes_two_cards() -> None:
    assert bids_blind("expert", offered((0, 120), blind_nil="swap"))
    assert not bids_blind("expert", offered((0, 120), blind_nil="on"))
    assert not bids_blind("expert", offered((-150, -40), blind_nil="on")), "set, it loses the game"


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_other_levels_look_when_a_little_behind(level) -> None:
    assert not bids_blind(level, offered((200, 300)))


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_easy_and_medium_always_look(level) -> None:
    assert not bids_blind(level, offered(HOPELESS))


@pytest.mark.parametrize("level", list(LEVELS))
def test_no_level_bids_blind_nil_beside_a_partners_nil(level) -> None:
    scenario = after_hands(HOPELESS, rules=rules_with(blind_nil="swap"))
    scenario.do(DealHand(shuffled(Random(1), STANDARD)))
    scenario.bid_blind()
    scenario.bid(3)
    assert not bids_blind(level, scenario)


def test_hard_looks_if_even_a_made_nil_does_not_win() -> None:
    assert not bids_blind("hard", offered((100, 470)))


def test_the_bids_of_the_others_count() -> None:
    """With 450 and a contract of one the opponents stay below 500: the game is not lost yet."""
    assert bids_blind("hard", offered(HOPELESS[::-1], 3))
    scenario = after_hands((320, 450), rules=rules_with(blind_nil="swap"), dealer=1)
    scenario.do(DealHand(shuffled(Random(1), STANDARD)), LookAtHand(SEATS[2]))
    scenario.do(PlaceBid(SEATS[2], 4), PlaceBid(SEATS[3], 1))
    assert not bids_blind("hard", scenario)


def test_the_win_probability_is_certain_if_the_hand_ends_the_game() -> None:
    view = offered(HOPELESS).view(0)
    assert win_after(view, 190, 30) == 1
    assert win_after(view, 170, 30) == 0
    assert 0 < win_after(view, 60, -30) < 1
