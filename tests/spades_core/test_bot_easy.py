"""The easy bot: modest, sensible, a little careless, never absurd."""

from random import Random

import pytest

from spades_core.bots.levels import easy
from spades_core.cards import Card
from tests.spades_core.core_stories import Story, dealt
from tests.spades_core.rule_sets import rules_with

MANY = range(60)


def cards_of(story: Story) -> list[Card]:
    turn = story.table.turn
    assert turn is not None
    return [easy.choose_card(story.view(turn), Random(seed)) for seed in MANY]


def bids_of(story: Story) -> set[int]:
    turn = story.table.turn
    assert turn is not None
    return {easy.choose_bid(story.view(turn), Random(seed)) for seed in MANY}


def test_it_never_bids_nil_where_it_may_bid_otherwise() -> None:
    assert bids_of(dealt("S 2 H 23457 D 2346 C 235")) <= {1, 2}


def test_it_bids_about_what_it_counts() -> None:
    assert bids_of(dealt("S AKQJ H AKQ D AKQ C AKQ")) <= {9, 10, 11, 12, 13}
    assert bids_of(dealt("S A432 H AK32 D K32 C 32")) <= {3, 4, 5}


def test_it_bids_nil_where_the_rules_leave_nothing_else() -> None:
    story = dealt("", "", "S 2 H 23457 D 2346 C 235", rules=rules_with(variant="suicide"))
    story.bid(5, 0)
    assert bids_of(story) == {0}


def test_it_leads_an_ace_while_it_needs_tricks_though_not_always() -> None:
    story = dealt("S 2 H A32 D 5432 C 65432")
    story.bid(3, 3, 3, 3)
    assert cards_of(story).count(Card("AH")) > len(MANY) / 2


@pytest.mark.parametrize("trick", ["5D AD 8D", "5D QD 8D"])
def test_it_never_trumps_its_partners_sure_winner(trick) -> None:
    story = dealt("D 65", "D AQ", "D 8", "S AK2 H AKQJT C AKQJT")
    story.bid(3, 3, 3, 3)
    story.play(trick)
    assert all(card[1] != "S" for card in cards_of(story))


def test_it_never_throws_an_ace_under_a_ruff() -> None:
    story = dealt("D 65", "D 87", "S 2 C 98765432 H 2345", "D AK32")
    story.bid(3, 3, 3, 3)
    story.play("5D 8D 2S")
    assert Card("AD") not in cards_of(story)


def test_with_its_contract_made_it_takes_no_more_tricks_than_it_must() -> None:
    story = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678")
    story.bid(1, 1, 1, 1)
    story.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    assert Card("KH") not in cards_of(story)
