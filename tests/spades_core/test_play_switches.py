"""The switches for the first leader, the first trick, leading spades and the decks with jokers."""

import pytest

from spades_core.cards import BIG_JOKER, LITTLE_JOKER, Card
from spades_core.commands import DealHand, PlayCard
from spades_core.deck import DECKS, STANDARD
from spades_core.events import BidPlaced, PlayBegan
from spades_core.legal import winning_index
from spades_core.seats import SEATS
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import SUIT_EACH, Scenario, cards, deal, dealt, started


def bidden(*hands: str, dealer: int = 3, bids=(3, 3, 3, 3), **switches) -> Scenario:
    scenario = dealt(*hands, dealer=dealer, rules=rules_with(**switches))
    scenario.bid(*bids)
    return scenario


@pytest.mark.rule("R105")
@pytest.mark.parametrize(
    ("bids", "leader"),
    [
        ((3, 3, 3, 3), 0),
        ((3, 4, 3, 4), 1),
        ((3, 4, 3, 5), 3),
        ((0, 0, 0, 0), 0),
        ((0, 0, 1, 1), 2),
        ((13, 0, 13, 13), 0),
    ],
)
@pytest.mark.parametrize("dealer", SEATS)
def test_the_highest_bidder_leads(bids, leader, dealer) -> None:
    """`bids` and `leader` are counted from the dealer's left."""
    scenario = bidden(dealer=dealer, bids=bids, first_lead="highest_bidder")
    seat = (dealer + 1 + leader) % 4
    assert scenario.log[-2:] == [BidPlaced(SEATS[dealer], bids[3]), PlayBegan(SEATS[seat])]
    assert scenario.table.turn == scenario.hand.leader == seat


@pytest.mark.rule("R106")
@pytest.mark.parametrize("holder", SEATS)
def test_the_two_of_clubs_is_led(holder) -> None:
    hands = ["S A C 5", "S K C 6", "S Q C 7", "S J C 8"]
    hands[holder] += "2"
    scenario = bidden(*hands, first_lead="two_of_clubs")
    assert scenario.log[-1] == PlayBegan(holder)
    view = scenario.view(holder)
    assert view.legal_cards == ("2C",)
    assert view.barred == "The first trick is led with the lowest club."
    other = next(card for card in view.hand if card != "2C")
    assert scenario.refuses(PlayCard(holder, other), "lead_lowest_club") == view.barred
    scenario.play("2C")
    follower = scenario.view(scenario.table.turn)
    assert follower.legal_cards == tuple(card for card in follower.hand if card[1] == "C"), "any club may follow"


@pytest.mark.rule("R107")
@pytest.mark.parametrize(("deck", "low"), [("standard", "23"), ("jokers", "3"), ("jokers_and_deuces", "3")])
def test_everybody_plays_the_lowest_club(deck, low) -> None:
    hands = ("C A4 S 4", "C KJ6 S 5", "D 3456789TJQKA S 6", f"C Q9{low} S 7")
    scenario = bidden(*hands, deck=deck, first_lead="lowest_clubs")
    assert scenario.table.turn == 3
    scenario.play(f"{low[0]}C")
    assert scenario.view(0).legal_cards == ("4C",)
    assert scenario.view(0).barred == "On the first trick everybody plays their lowest club."
    assert scenario.refuses(PlayCard(SEATS[0], Card("AC")), "lowest_club") == scenario.view(0).barred
    assert scenario.refuses(PlayCard(SEATS[0], Card("4S")), "lowest_club") == scenario.view(0).barred
    scenario.play("4C 6C")
    assert scenario.view(2).legal_cards == scenario.view(2).hand, "who has no club plays anything"
    scenario.play("6S")
    scenario.play(scenario.view(2).legal_cards[0])
    scenario.play(scenario.view(3).legal_cards[-1])
    assert len(scenario.hand.trick) == 2, "after the first trick nobody is bound"


@pytest.mark.rule("R107", "R114")
@pytest.mark.parametrize("deck", ["jokers", "jokers_and_deuces"])
def test_in_the_decks_with_jokers_the_three_of_clubs_is_the_lowest(deck) -> None:
    assert DECKS[deck].cards[0] == "3C"
    scenario = bidden("C 45", "C 67", "C 3A", "C 89", deck=deck, first_lead="lowest_clubs")
    assert scenario.log[-1] == PlayBegan(SEATS[2])
    assert scenario.view(2).legal_cards == ("3C",)


@pytest.mark.rule("R108")
@pytest.mark.parametrize("first_lead", ["left_of_dealer", "highest_bidder", "two_of_clubs", "lowest_clubs"])
def test_the_leader_is_announced_after_the_last_bid(first_lead) -> None:
    scenario = dealt("C 3", "C 4", "C 5", "C 2", rules=rules_with(first_lead=first_lead))
    for bid in (1, 2, 3):
        assert [event.t for event in scenario.bid(bid)] == ["bid_placed"]
    assert [event.t for event in scenario.bid(4)] == ["bid_placed", "play_began"]
    assert scenario.table.turn == (0 if first_lead == "left_of_dealer" else 3)


@pytest.mark.rule("R130")
def test_no_spade_on_the_first_trick() -> None:
    void = "S A2 D 23456789TJQ"
    scenario = bidden("H A", void, "H 3", "H 4", first_trick_spades="refused")
    scenario.play("AH")
    view = scenario.view(1)
    assert view.legal_cards == tuple(card for card in view.hand if card[1] == "D")
    assert view.barred == "No spade may be played on the first trick while you hold anything else."
    assert scenario.refuses(PlayCard(SEATS[1], Card("AS")), "no_spade_first") == view.barred
    scenario.play("2D 3H 4H")
    scenario.play("2H" if "2H" in scenario.view(0).legal_cards else scenario.view(0).legal_cards[-1])
    assert scenario.view(1).barred is None or scenario.hand.trick[0][1] == "D", "in the second trick it is allowed"


@pytest.mark.rule("R130")
def test_a_player_with_nothing_but_spades_plays_one_on_the_first_trick() -> None:
    scenario = started(rules_with(first_trick_spades="refused"), dealer=0)
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(3, 3, 3, 3)
    scenario.play("AH AD AC")
    assert scenario.view(0).legal_cards == scenario.view(0).hand
    scenario.play("2S")
    assert scenario.hand.tricks[0].winner == 0


@pytest.mark.rule("R131")
def test_a_spade_may_be_led_at_any_time() -> None:
    scenario = bidden("S A H A", "H 2", "H 3", "H 4", lead_spades="any_time")
    assert scenario.view(0).legal_cards == scenario.view(0).hand
    assert scenario.view(0).barred is None
    scenario.play("AS")
    assert not scenario.hand.broken


@pytest.mark.rule("R132")
def test_a_spade_may_be_led_to_any_trick_but_the_first() -> None:
    scenario = bidden("S AK H A", "H 2 S 2", "H 3 S 3", "H 4 S 4", lead_spades="not_first_trick")
    view = scenario.view(0)
    assert view.legal_cards == tuple(card for card in view.hand if card[1] != "S")
    assert view.barred == "A spade may not be led to the first trick."
    assert scenario.refuses(PlayCard(SEATS[0], Card("AS")), "no_spade_first") == view.barred
    scenario.play("AH 2H 3H 4H")
    assert not scenario.hand.broken
    scenario.play("AS 2S 3S 4S")
    assert scenario.hand.tricks[-1].winner == 0


@pytest.mark.rule("R132")
def test_a_player_with_nothing_but_spades_leads_one_to_the_first_trick() -> None:
    scenario = started(rules_with(lead_spades="not_first_trick"))
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(3, 3, 3, 3)
    assert scenario.view(0).legal_cards == scenario.view(0).hand


# Decks


@pytest.mark.rule("R110", "R111", "R112")
@pytest.mark.parametrize(
    ("name", "out", "spades"),
    [
        ("standard", "BS LS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"),
        ("jokers", "2C 2H", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS LS BS"),
        ("jokers_and_deuces", "2C 2H", "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S 2D LS BS"),
    ],
)
def test_the_cards_and_the_spades_of_a_deck(name, out, spades) -> None:
    deck = DECKS[name]
    everything = {*STANDARD.cards, BIG_JOKER, LITTLE_JOKER}
    assert len(deck.cards) == len(set(deck.cards)) == 52
    assert set(deck.cards) == everything - set(cards(out))
    assert deck.cards_in(deck.spades) == cards(spades), "from the lowest to the highest"
    assert deck.cards[-len(cards(spades)) :] == cards(spades)
    for suit in "CDH":
        ranks = [card[0] for card in deck.cards_in(deck.suit_mask[suit])]
        assert ranks == sorted(ranks, key="23456789TJQKA".index)
        assert all(deck.suit[card] == suit == card[1] for card in deck.cards_in(deck.suit_mask[suit]))


@pytest.mark.rule("R111", "R112", "R113")
@pytest.mark.parametrize(
    ("deck", "trick", "place"),
    [
        ("jokers", "AS LS BS KS", 2),
        ("jokers", "AS KS LS QS", 2),
        ("jokers", "AH 2S LS KH", 2),
        ("jokers", "3D 2D AD 2S", 3),
        ("jokers", "3D 2D 4D 5C", 2),
        ("jokers", "2S 3S AS KS", 2),
        ("jokers_and_deuces", "AS 2S KS QS", 1),
        ("jokers_and_deuces", "AS 2S 2D QS", 2),
        ("jokers_and_deuces", "2D LS 2S AS", 1),
        ("jokers_and_deuces", "LS BS 2D 2S", 1),
        ("jokers_and_deuces", "AD 2D KD QD", 1),
        ("jokers_and_deuces", "AH KH 2D 3S", 2),
        ("jokers_and_deuces", "2D AD 3S KS", 0),
    ],
)
def test_the_winner_of_a_trick_with_jokers_and_deuces(deck, trick, place) -> None:
    assert winning_index(DECKS[deck], cards(trick)) == place


@pytest.mark.rule("R113")
def test_a_joker_must_follow_spades_and_breaks_them() -> None:
    scenario = bidden("S A H A", "S LB C 3", "H 3", "H 4", deck="jokers", lead_spades="any_time")
    scenario.play("AS")
    assert scenario.view(1).legal_cards == cards("LS BS")
    assert scenario.refuses(PlayCard(SEATS[1], Card("3C")), "must_follow") == "You must follow spades."
    scenario = bidden("H A", "S L D 23456789TJQK", "H 3", "H 4", deck="jokers")
    scenario.play("AH LS")
    assert scenario.hand.broken


@pytest.mark.rule("R113")
def test_the_two_of_diamonds_as_a_spade_does_not_follow_diamonds() -> None:
    hands = ("S A D A", "D 23 S 3", "D 4", "D 5")
    scenario = bidden(*hands, deck="jokers_and_deuces", lead_spades="any_time")
    scenario.play("AD")
    assert scenario.view(1).legal_cards == tuple(
        card for card in scenario.view(1).hand if card[1] == "D" and card != "2D"
    )
    assert scenario.refuses(PlayCard(SEATS[1], Card("2D")), "must_follow") == "You must follow diamonds."
    scenario = bidden(*hands, deck="jokers_and_deuces", lead_spades="any_time")
    scenario.play("AS")
    assert scenario.view(1).legal_cards == cards("3S 2D")
    scenario = bidden("D 2A", "", "", "", deck="jokers_and_deuces")
    assert "2D" not in scenario.view(0).legal_cards, "a spade is not led before spades are broken"


@pytest.mark.rule("R113")
def test_spades_broken_by_the_two_of_diamonds() -> None:
    scenario = bidden("H A", "D 2 C 3456789TJQKA", "H 3", "H 4", deck="jokers_and_deuces")
    scenario.play("AH 2D")
    assert scenario.hand.broken
    scenario.play("3H 4H")
    assert scenario.hand.tricks[0].winner == 1


@pytest.mark.rule("R110")
@pytest.mark.parametrize("deck", ["jokers", "jokers_and_deuces"])
def test_cards_that_are_not_in_the_deck_are_not_dealt_or_played(deck) -> None:
    with pytest.raises(ValueError, match="each of its 52 cards once"):
        started(rules_with(deck=deck)).do(DealHand(SUIT_EACH))
    with pytest.raises(ValueError, match="each of its 52 cards once"):
        started().do(DealHand(deal(deck=DECKS[deck])))
    scenario = bidden(deck=deck)
    scenario.refuses(PlayCard(SEATS[0], Card("2C")), "not_in_hand")
    bidden().refuses(PlayCard(SEATS[0], BIG_JOKER), "not_in_hand")
