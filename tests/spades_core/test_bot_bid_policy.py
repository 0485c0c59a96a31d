"""The bids of `hard` by the value of the hand, the other bids, the rules and the score."""

from random import Random

import pytest

from spades_core.bots.engine.hand_value import expected_tricks, nil_probability
from spades_core.bots.engine.position import deck_bits
from spades_core.bots.levels import hard
from spades_core.bots.weights import parameters
from spades_core.commands import DealHand
from spades_core.ruleset import CLASSIC
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import Scenario, after_hands, cards, deal, dealt, started

DECK = deck_bits(CLASSIC)
STRONG = "S AQ32 H A432 D K32 C 32"
GOOD_NIL = "S 2 H 23457 D 2346 C 235"
WEAK = "S Q2 H Q8765 D QJ4 C T86"


def tricks_of(hand: str) -> float:
    return expected_tricks(DECK.masks_of(cards(hand)), DECK.suit_sizes)


def nil_of(hand: str, partner: float = 3) -> float:
    return nil_probability(DECK.masks_of(cards(hand)), DECK.suit_sizes, partner)


def bid_of(scenario: Scenario) -> int:
    turn = scenario.table.turn
    assert turn is not None
    return hard.choose_bid(scenario.view(turn), Random(1))


def test_better_hands_expect_more_tricks() -> None:
    hands = [GOOD_NIL, WEAK, STRONG, "S AK432 H AK2 D A32 C 32"]
    tricks = [tricks_of(hand) for hand in hands]
    assert tricks == sorted(tricks)
    assert 2.5 < tricks_of(STRONG) < 5


def test_a_void_is_worth_tricks_only_with_spades_to_ruff() -> None:
    many, few = tricks_of("S 5432 H 65432 D 5432"), tricks_of("S 2 H 765432 D 765432")
    assert many - few > 0.5


def test_a_nil_is_safer_with_low_cards_few_spades_and_a_strong_partner() -> None:
    assert nil_of(GOOD_NIL) > 0.8
    assert nil_of(GOOD_NIL) > nil_of("S 2 H 23457 D 2346 C 23A")
    assert nil_of(GOOD_NIL) > nil_of("S K H 23457 D 2346 C 235")
    assert nil_of(WEAK, 5) > nil_of(WEAK, 1)
    assert nil_of("S A H 23457 D 2346 C 235") < 0.1


@pytest.mark.parametrize(("parameter", "value", "change"), [("BOLDNESS", 1.17, 1), ("BOLDNESS", -0.83, -1)])
def test_boldness_is_added_to_the_expectation(parameter, value, change, monkeypatch) -> None:
    before = bid_of(dealt(STRONG))
    monkeypatch.setattr(parameters, parameter, value)
    assert bid_of(dealt(STRONG)) == before + change


def test_high_bids_of_the_others_lower_the_bid(monkeypatch) -> None:
    monkeypatch.setattr(parameters, "OTHERS_BIDS_WEIGHT", 0.5)
    high, low = dealt("", "", "", STRONG), dealt("", "", "", STRONG)
    high.bid(5, 5, 5)
    low.bid(1, 1, 1)
    assert bid_of(high) < bid_of(low)


@pytest.mark.parametrize(("others", "parameter", "change"), [(3, "HIGH_TOTAL", -1), (2, "LOW_TOTAL", 1)])
def test_the_last_bidder_corrects_a_high_or_low_total(others, parameter, change, monkeypatch) -> None:
    scenario = dealt("", "", "", STRONG)
    scenario.bid(others, others, others)
    corrected = bid_of(scenario)
    monkeypatch.setattr(parameters, parameter, {"HIGH_TOTAL": 99, "LOW_TOTAL": 0}[parameter])
    assert corrected == bid_of(scenario) + change


def test_a_nil_must_promise_more_than_the_premium(monkeypatch) -> None:
    assert bid_of(dealt(GOOD_NIL)) == 0
    monkeypatch.setattr(parameters, "NIL_PREMIUM", 100.0)
    assert bid_of(dealt(GOOD_NIL)) == 1


def test_without_nil_it_bids_one_on_the_worst_hand() -> None:
    assert bid_of(dealt(GOOD_NIL, rules=rules_with(nil_value=None))) == 1


def test_costlier_bags_raise_the_bid(monkeypatch) -> None:
    monkeypatch.setattr(parameters, "BAG_BOLDNESS", 0.1)
    cheap, dear = (bid_of(dealt(STRONG, rules=rules_with(bag_limit=limit))) for limit in (None, 5))
    assert cheap < dear


def test_near_the_target_it_bids_no_more_than_the_game_needs() -> None:
    scenario = after_hands((450, 0), dealer=0)
    scenario.do(DealHand(deal("S AKQ32 H AK32 D A32 C 3")))
    scenario.bid(3, 2, 3)
    assert bid_of(scenario) == 3


def test_partners_bid_at_most_thirteen() -> None:
    scenario = dealt("", "", "S AKQJT9876 H AKQJ")
    scenario.bid(8, 1)
    assert bid_of(scenario) == 5


@pytest.mark.parametrize("variant", ["suicide", "whiz", "mirror"])
@pytest.mark.parametrize("hand", [STRONG, GOOD_NIL, WEAK])
def test_the_bid_is_legal_in_every_variant(variant, hand) -> None:
    scenario = started(rules_with(variant=variant))
    scenario.do(DealHand(deal(hand)))
    assert bid_of(scenario) in scenario.view(scenario.table.turn).legal_bids
