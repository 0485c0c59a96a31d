"""The decision that a view asks for, the legal answers, and the command that follows."""

from random import Random

import pytest

from spades_core.automation import command_for_decision, command_for_due
from spades_core.bots import LEVELS
from spades_core.bots.decisions import choose, legal_decisions
from spades_core.commands import DealHand, LookAtHand, PassCards, PlaceBid, PlayCard, StartGame
from spades_core.deck import DECKS, STANDARD, shuffled
from spades_core.schedule import Due
from spades_core.seats import SEATS
from tests.spades_core.rule_sets import draw_short, rules_with
from tests.spades_core.scenarios import Scenario, after_hands, seated


def far_behind(dealer: int = 3) -> Scenario:
    """Seat 0 bids first, before looking, in a game that only a blind nil can save."""
    scenario = after_hands((320, 470), rules=rules_with(blind_nil="swap"), dealer=dealer)
    scenario.do(DealHand(shuffled(Random(1), STANDARD)))
    return scenario


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("seed", range(8))
def test_a_bots_decision_is_legal_and_can_be_carried_out(level, seed) -> None:
    rng = Random(f"question {seed}")
    scenario = seated(draw_short(rng))
    scenario.do(StartGame(SEATS[0], SEATS[seed % 4]))
    scenario.do(DealHand(shuffled(rng, DECKS[scenario.table.rules.deck])))
    while (seat := scenario.table.turn) is not None:
        view = scenario.view(seat)
        choice = choose(LEVELS[level], view, rng)
        assert choice in legal_decisions(view)
        scenario.do(command_for_decision(seat, choice))


def test_each_kind_of_decision_is_a_command() -> None:
    assert command_for_decision(SEATS[1], False) == LookAtHand(SEATS[1])
    assert command_for_decision(SEATS[1], True) == PlaceBid(SEATS[1], 0, blind=True)
    assert command_for_decision(SEATS[1], 0) == PlaceBid(SEATS[1], 0)
    assert command_for_decision(SEATS[1], 1) == PlaceBid(SEATS[1], 1)
    assert command_for_decision(SEATS[1], STANDARD.cards[0]) == PlayCard(SEATS[1], STANDARD.cards[0])
    assert command_for_decision(SEATS[1], STANDARD.cards[:2]) == PassCards(SEATS[1], STANDARD.cards[:2])


@pytest.mark.parametrize(("level", "blind"), [("easy", False), ("medium", False), ("hard", True), ("expert", True)])
def test_a_bot_decides_whether_to_bid_blind_nil(level, blind) -> None:
    scenario = far_behind()
    assert list(legal_decisions(scenario.view(0))) == [False, True]
    assert choose(LEVELS[level], scenario.view(0), Random(1)) is blind


def test_a_bot_that_may_not_bid_blind_nil_looks() -> None:
    scenario = far_behind(dealer=0)
    assert scenario.table.turn == 1
    view = scenario.view(0)
    assert view.may_look
    assert list(legal_decisions(view)) == [False]
    assert choose(LEVELS["expert"], view, Random(1)) is False


def test_a_decision_made_before_replaces_the_bots_own() -> None:
    scenario = far_behind()
    due = Due(0, "bot_acts", SEATS[0])
    assert command_for_due(due, scenario.table, Random(1), False) == LookAtHand(SEATS[0])
    assert command_for_due(due, scenario.table, Random(1), True) == PlaceBid(SEATS[0], 0, blind=True)
