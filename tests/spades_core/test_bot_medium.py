"""The medium bot's bids and cards in single situations."""

from random import Random

import pytest

from spades_core.bots.levels import medium
from spades_core.cards import Card
from spades_core.commands import DealHand
from tests.spades_core.scenarios import Scenario, after_hands, deal, dealt

STEADY = range(8)
"""Seeds over which a card has to be the same, whatever the noise."""


def card_of(scenario: Scenario) -> Card:
    """The card it plays now with any seed."""
    turn = scenario.table.turn
    assert turn is not None
    (card,) = {medium.choose_card(scenario.view(turn), Random(seed)) for seed in STEADY}
    return card


def bids_of(scenario: Scenario) -> set[int]:
    turn = scenario.table.turn
    assert turn is not None
    return {medium.choose_bid(scenario.view(turn), Random(seed)) for seed in range(60)}


def usual_bid(scenario: Scenario) -> int:
    turn = scenario.table.turn
    assert turn is not None
    bids = [medium.choose_bid(scenario.view(turn), Random(seed)) for seed in range(60)]
    return max(set(bids), key=bids.count)


# Bidding


@pytest.mark.parametrize(
    ("hand", "low", "high"),
    [
        ("S AKQJT98765432", 13, 13),
        ("S AKQJ H AKQ D AKQ C AKQ", 10, 13),
        ("S AK432 H AK2 D A32 C 32", 5, 7),
        ("S AQ32 H A432 D K32 C 32", 3, 5),
        ("S 32 H QJ32 D QJ32 C K32", 0, 2),
        ("S A H 65432 D 5432 C 432", 1, 2),
    ],
)
def test_it_bids_its_expected_tricks(hand, low, high) -> None:
    bids = bids_of(dealt(hand))
    assert low <= min(bids)
    assert max(bids) <= high


@pytest.mark.parametrize("hand", ["S 2 H 23457 D 2346 C 235", "S 432 H 8642 D 753 C 642"])
def test_it_bids_nil_on_a_hand_without_tricks(hand) -> None:
    assert usual_bid(dealt(hand)) == 0


@pytest.mark.parametrize(
    "hand",
    [
        "S A2 H 2345 D 2346 C 235",
        "S K2 H 2345 D 2346 C 235",
        "S 65432 H 2345 D 23 C 23",
        "S 2 H AKQ D 2346 C 23456",
    ],
)
def test_it_bids_no_nil_on_a_hand_that_takes_a_trick(hand) -> None:
    assert 0 not in bids_of(dealt(hand))


def test_it_bids_no_nil_beside_a_partners_nil() -> None:
    scenario = dealt("", "", "S 2 H 23457 D 2346 C 235")
    scenario.bid(0, 4)
    assert 0 not in bids_of(scenario)
    other = dealt("", "", "S 2 H 23457 D 2346 C 235")
    other.bid(5, 4)
    assert usual_bid(other) == 0


def test_partners_bid_at_most_thirteen() -> None:
    scenario = dealt("", "", "S AKQJT9876 H AKQJ")
    scenario.bid(8, 1)
    assert bids_of(scenario) <= {4, 5}


def test_it_bids_after_a_partner_who_bid_thirteen() -> None:
    scenario = dealt("", "", "S 2 H AKQ D 2346 C 23456")
    scenario.bid(13, 0)
    assert bids_of(scenario) <= set(range(14))


@pytest.mark.parametrize(
    ("scores", "bids", "enough"),
    [
        ((430, 440), (3, 4, 2), 5),
        ((440, 430), (4, 3, 4), 4),
    ],
)
def test_the_last_bid_does_not_lose_the_game_if_made(scores, bids, enough) -> None:
    """The opponents make their contract and reach 500; ours has to score more, or to set theirs."""
    scenario = after_hands(scores, dealer=0)
    scenario.do(DealHand(deal("S KQ32 H A432 D K32 C 32")))
    scenario.bid(*bids)
    assert scenario.table.turn == 0
    partner = bids[1]
    for bid in bids_of(scenario):
        theirs = bids[0] + bids[2]
        ours_after = scores[0] + 10 * (bid + partner)
        theirs_after = scores[1] + (10 if bid + partner + theirs <= 13 else -10) * theirs
        assert not (theirs_after >= 500 and theirs_after > ours_after)
        assert bid <= enough + 1


def test_near_the_target_it_bids_no_more_than_the_game_needs() -> None:
    scenario = after_hands((450, 0), dealer=0)
    scenario.do(DealHand(deal("S AKQ32 H AK32 D A32 C 3")))
    scenario.bid(3, 2, 3)
    assert bids_of(scenario) == {3}


# Play


def test_it_cashes_a_sure_winner_while_tricks_are_needed() -> None:
    scenario = dealt("S 2 H A32 D 5432 C 65432")
    scenario.bid(3, 3, 3, 3)
    leads = [medium.choose_card(scenario.view(0), Random(seed)) for seed in range(200)]
    assert leads.count(Card("AH")) > 180


def test_second_hand_plays_low_but_takes_with_the_ace() -> None:
    scenario = dealt("D 765", "D KJ2", "D A", "D Q")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D")
    assert card_of(scenario) == "2D"
    scenario = dealt("D 765", "D AJ2", "D K", "D Q")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D")
    assert card_of(scenario) == "AD"


def test_third_hand_plays_high_with_the_lowest_equivalent() -> None:
    scenario = dealt("D 765", "D 8", "D KQ2", "D A9")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D 8D")
    assert card_of(scenario) == "QD"


def test_third_hand_does_not_beat_its_partners_ace() -> None:
    scenario = dealt("D AJ", "D 8", "D KQ2", "D 9")
    scenario.bid(3, 3, 3, 3)
    scenario.play("AD 8D")
    assert card_of(scenario) == "2D"


def test_third_hand_does_not_beat_an_equivalent_of_its_partner() -> None:
    scenario = dealt("D QJ", "D 8", "D K2", "D A9")
    scenario.bid(3, 3, 3, 3)
    scenario.play("QD 8D")
    assert card_of(scenario) == "2D"


def test_fourth_hand_wins_with_the_cheapest_winner() -> None:
    scenario = dealt("D T65", "D 7", "D 8", "D AKJ92")
    scenario.bid(3, 3, 3, 3)
    scenario.play("TD 7D 8D")
    assert card_of(scenario) == "JD"


def test_fourth_hand_leaves_the_trick_to_its_partner() -> None:
    scenario = dealt("D 65", "D QT", "D 8", "D AK2")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D QD 8D")
    assert card_of(scenario) == "2D"


def test_fourth_hand_ruffs_with_its_lowest_spade() -> None:
    scenario = dealt("D A65", "D 7", "D 8", "S AK2 H AKQJT C AKQJT")
    scenario.bid(3, 3, 3, 3)
    scenario.play("AD 7D 8D")
    assert card_of(scenario) == "2S"


def test_it_does_not_ruff_its_partners_sure_winner() -> None:
    scenario = dealt("D 65", "D A7", "D 8", "S AK2 H AKQJT C AKQJT")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D AD 8D")
    assert card_of(scenario)[1] != "S"


def test_it_discards_low_and_keeps_spades_if_it_cannot_win() -> None:
    scenario = dealt("H 5", "H AK D 7", "D 8 H 6", "S K2 D AK2 C AK765432")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5H AH 6H")
    assert card_of(scenario) in ("2D", "2C")


def three_tricks_played(*bids: int) -> Scenario:
    """Seats 1 and 3 have two tricks, seats 0 and 2 one; seat 0 leads QH and seat 3 plays last with KH JH TH."""
    scenario = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678")
    scenario.bid(*bids)
    scenario.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    assert scenario.hand.taken == (1, 2, 0, 0)
    assert scenario.table.turn == 3
    return scenario


def test_with_the_contract_made_it_ducks_with_its_highest_loser() -> None:
    assert card_of(three_tricks_played(1, 1, 1, 1)) == "JH"


def test_it_takes_the_trick_that_sets_the_opponents() -> None:
    """The contract is made, and the opponents need every trick left: a bag is cheap."""
    assert card_of(three_tricks_played(6, 1, 5, 1)) == "KH"


def test_it_takes_tricks_until_the_contract_is_made() -> None:
    assert card_of(three_tricks_played(1, 1, 1, 2)) == "KH"


def test_its_nil_plays_the_highest_loser() -> None:
    scenario = dealt("D T65", "D 7", "D 8", "D AK92")
    scenario.bid(3, 3, 3, 0)
    scenario.play("TD 7D 8D")
    assert card_of(scenario) == "9D"


def test_its_nil_leads_low() -> None:
    scenario = dealt("H A2 D 876 C 9876 S 5432")
    scenario.bid(0, 4, 4, 4)
    assert card_of(scenario) == "2H"


def test_its_nil_discards_the_most_dangerous_card() -> None:
    scenario = dealt("D A65", "D 7", "D 8", "H K2 C 65432 S 65432")
    scenario.bid(3, 3, 3, 0)
    scenario.play("AD 7D 8D")
    assert card_of(scenario) == "KH"


def test_it_covers_its_partners_nil() -> None:
    scenario = dealt("D 3", "D Q", "D 2", "D AK5")
    scenario.bid(4, 0, 3, 3)
    scenario.play("3D QD 2D")
    assert card_of(scenario) == "KD"


def test_it_covers_its_partners_nil_when_its_own_contract_is_made() -> None:
    scenario = dealt("H 2 D 3 C A", "H 3 D Q C 2", "H 4 D 2 C 3", "H A56789TJQ D AK5 C 5")
    scenario.bid(4, 0, 3, 1)
    scenario.play("2H 3H 4H AH 5C AC 2C 3C 3D QD 2D")
    assert card_of(scenario) == "KD"


def test_it_covers_its_partners_nil_even_with_a_ruff() -> None:
    scenario = dealt("D 3", "D Q", "D 2", "S AK5 C AKQJT H AKQJT")
    scenario.bid(4, 0, 3, 3)
    scenario.play("3D QD 2D")
    assert card_of(scenario) == "5S"


def test_it_stays_low_when_its_partners_nil_is_safe() -> None:
    scenario = dealt("D 3K", "D 2", "D Q", "D A54")
    scenario.bid(4, 0, 3, 1)
    scenario.play("3D 2D QD")
    assert card_of(scenario) == "AD", "its own contract comes first"
    scenario = dealt("D A3", "D 2", "D Q", "D K54")
    scenario.bid(4, 0, 3, 1)
    scenario.play("AD 2D QD")
    assert card_of(scenario) == "4D"


def test_it_plays_high_if_a_nil_partner_plays_last() -> None:
    scenario = dealt("D 3", "D AJ4", "D 2", "D Q95")
    scenario.bid(4, 5, 3, 0)
    scenario.play("3D")
    assert card_of(scenario) == "AD"


def test_it_does_not_cover_a_broken_nil() -> None:
    scenario = dealt("D 32", "D QJ", "D T9", "D AK54")
    scenario.bid(4, 0, 3, 5)
    scenario.play("2D QD TD 4D")
    assert scenario.hand.taken == (0, 1, 0, 0)
    scenario.play("JD 9D")
    assert card_of(scenario) == "5D", "its partner's jack holds, and the nil is lost"
