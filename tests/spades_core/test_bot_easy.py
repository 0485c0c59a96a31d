"""The easy bot: modest, sensible, a little careless, never absurd."""

from random import Random

import pytest

from spades_core.bots.levels import easy
from spades_core.cards import Card
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import Scenario, dealt

MANY = range(60)


def cards_of(scenario: Scenario) -> list[Card]:
    turn = scenario.table.turn
    assert turn is not None
    return [easy.choose_card(scenario.view(turn), Random(seed)) for seed in MANY]


def bids_of(scenario: Scenario) -> set[int]:
    turn = scenario.table.turn
    assert turn is not None
    return {easy.choose_bid(scenario.view(turn), Random(seed)) for seed in MANY}


def test_it_bids_no_nil_if_another_bid_is_legal() -> None:
    assert bids_of(dealt("S 2 H 23457 D 2346 C 235")) <= {1, 2}


def test_it_bids_about_its_expected_tricks() -> None:
    assert bids_of(dealt("S AKQJ H AKQ D AKQ C AKQ")) <= {9, 10, 11, 12, 13}
    assert bids_of(dealt("S A432 H AK32 D K32 C 32")) <= {3, 4, 5}


def test_it_bids_nil_if_no_other_bid_is_legal() -> None:
    scenario = dealt("", "", "S 2 H 23457 D 2346 C 235", rules=rules_with(variant="suicide"))
    scenario.bid(5, 0)
    assert bids_of(scenario) == {0}


def test_it_mostly_leads_an_ace_while_it_needs_tricks() -> None:
    scenario = dealt("S 2 H A32 D 5432 C 65432")
    scenario.bid(3, 3, 3, 3)
    assert cards_of(scenario).count(Card("AH")) > len(MANY) / 2


@pytest.mark.parametrize("trick", ["5D AD 8D", "5D QD 8D"])
def test_it_never_ruffs_its_partners_sure_winner(trick) -> None:
    scenario = dealt("D 65", "D AQ", "D 8", "S AK2 H AKQJT C AKQJT")
    scenario.bid(3, 3, 3, 3)
    scenario.play(trick)
    assert all(card[1] != "S" for card in cards_of(scenario))


def test_it_never_throws_an_ace_under_a_ruff() -> None:
    scenario = dealt("D 65", "D 87", "S 2 C 98765432 H 2345", "D AK32")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D 8D 2S")
    assert Card("AD") not in cards_of(scenario)


def test_it_ducks_when_its_contract_is_made() -> None:
    scenario = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678")
    scenario.bid(1, 1, 1, 1)
    scenario.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    assert Card("KH") not in cards_of(scenario)
