"""Perft, as in chess programming: the number of ways to play out small endings, counted by hand.

Every count is also compared with that of the reference implementation.
"""

from math import factorial
from typing import Any

import pytest

from spades_core.deck import DECKS
from spades_core.events import CardPlayed, TrickTaken
from spades_core.evolve import evolve_all
from spades_core.legal import legal_cards, winning_seat
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS
from spades_core.state import Game, Hand, Table, Trick
from tests.spades_core.reference_moves import is_spade, may_play, winner
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import cards


def count_plays(*hands: str, broken: bool, rules: RuleSet = CLASSIC, first: bool = False) -> int:
    """Count the ways to play out these hands, seat 0 leading. `first`: this is the first trick of a hand."""
    deck, held = DECKS[rules.deck], [cards(hand) for hand in hands]
    tricks = () if first else tuple(Trick(SEATS[0], (), SEATS[0]) for _ in range(13 - len(held[0])))
    masks = tuple(deck.mask_of(hand) for hand in held)
    hand = Hand(1, SEATS[3], masks, SEATS[0], SEATS[0], (3, 3, 3, 3), tricks=tricks, broken=broken)
    count = count_plays_from(Table(rules=rules, game=Game(SEATS[0], hand=hand)))
    assert count == reference_count(rules, [set(hand) for hand in held], 0, [], first=first, broken=broken)
    return count


def count_plays_from(table: Table) -> int:
    """Count the ways to play the hand of a table to its end."""
    assert table.game is not None
    hand = table.game.hand
    assert hand is not None
    deck = DECKS[table.rules.deck]
    if not any(hand.held):
        return 1
    count = 0
    for card in deck.cards_in(legal_cards(table.rules, hand, hand.turn)):
        events: list[Any] = [CardPlayed(hand.turn, card)]
        if len(hand.trick) == 3:
            events.append(TrickTaken(winning_seat(deck, hand.leader, (*hand.trick, card))))
        count += count_plays_from(evolve_all(table, tuple(events)))
    return count


def reference_count(
    rules: RuleSet, held: list[set[str]], leader: int, trick: list[str], *, first: bool, broken: bool
) -> int:
    """Count the same with the reference implementation."""
    if len(trick) == 4:
        return reference_count(rules, held, (leader + winner(rules, trick)) % 4, [], first=False, broken=broken)
    seat, count = (leader + len(trick)) % 4, 0
    if not held[seat]:
        return 1
    for card in may_play(rules, held[seat], trick, first=first, broken=broken):
        left = [cards - {card} if other == seat else cards for other, cards in enumerate(held)]
        breaks = bool(trick) and is_spade(rules, card) and not is_spade(rules, trick[0])
        count += reference_count(rules, left, leader, [*trick, card], first=first, broken=broken or breaks)
    return count


@pytest.mark.rule("R30")
@pytest.mark.parametrize("broken", [False, True])
def test_one_suit_only_every_card_may_be_played_at_any_time(broken) -> None:
    assert count_plays("H AKQ", "H JT9", "H 876", "H 543", broken=broken) == factorial(3) ** 4


@pytest.mark.rule("R31")
def test_four_suits_nobody_can_follow() -> None:
    """Each seat chooses which of its two to play first."""
    assert count_plays("S AK", "H AK", "D AK", "C AK", broken=False) == 2**4


@pytest.mark.rule("R33", "R34")
@pytest.mark.parametrize(("broken", "count"), [(False, 2**3), (True, 2 * 2**3)])
def test_two_cards_a_spade_and_a_club(broken, count) -> None:
    """Unbroken, the club must be led and the spade is what is left."""
    assert count_plays("S A C 2", "H AK", "H QJ", "H T9", broken=broken) == count


@pytest.mark.rule("R33", "R34")
@pytest.mark.parametrize(("broken", "count"), [(False, 2 * 6**3), (True, 6 * 6**3)])
def test_three_cards_a_spade_and_two_clubs(broken, count) -> None:
    """Unbroken, the clubs go first in either order; broken, in any order. The others are never bound."""
    assert count_plays("S A C 32", "H AKQ", "H JT9", "H 876", broken=broken) == count


@pytest.mark.rule("R30", "R31", "R33")
@pytest.mark.parametrize(("broken", "count"), [(False, 8), (True, 16)])
def test_a_lead_that_is_ruffed(broken, count) -> None:
    """Seat 1 holds two spades.

    The ace of clubs led: seat 1 ruffs with either (2), the others throw either
    (2 · 2), seat 1 leads its last spade: 8. Broken, the ace of spades may be led
    too: seat 1 follows with either (2 · 2 · 2), and the club comes last: 8 more.
    """
    assert count_plays("C A S A", "S 32", "H 32", "H 54", broken=broken) == count


@pytest.mark.rule("R33")
def test_breaking_spades_opens_them_for_the_next_lead() -> None:
    """Seat 0 leads either club, its spade is barred: 2 ways.

    Seat 1 ruffs with its only spade (1) and leads its hearts in either order
    (2), to which seat 0 plays its club and its spade in either order (2). Or
    seat 1 throws either heart (2); seat 0 wins, must lead its other club (1),
    and seat 1 plays its spade or its heart (2). Seats 2 and 3 throw their three
    diamonds in any order (6 each).
    """
    first_trick_ruffed = 2 * 1 * 2 * 2
    first_trick_held = 2 * 2 * 1 * 2
    count = count_plays("C 32 S A", "S 2 H 43", "D 432", "D 765", broken=False)
    assert count == (first_trick_ruffed + first_trick_held) * 6 * 6


@pytest.mark.rule("R131")
@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("lead_spades", ["any_time", "not_first_trick"])
def test_after_the_first_trick_a_spade_may_be_led_unbroken(lead_spades, broken) -> None:
    """The spade and the club in either order, as if spades were broken."""
    rules = rules_with(lead_spades=lead_spades)
    assert count_plays("S A C 2", "H AK", "H QJ", "H T9", broken=broken, rules=rules) == 2 * 2**3


@pytest.mark.rule("R131", "R132")
@pytest.mark.parametrize(("lead_spades", "count"), [("when_broken", 8), ("any_time", 16), ("not_first_trick", 8)])
def test_who_may_lead_a_spade_to_the_first_trick(lead_spades, count) -> None:
    rules = rules_with(lead_spades=lead_spades)
    assert count_plays("S A C 2", "H AK", "H QJ", "H T9", broken=False, rules=rules, first=True) == count


@pytest.mark.rule("R132")
def test_after_a_first_trick_with_a_side_suit_spades_are_free() -> None:
    """A club goes first, either of two, then the spade and the other club in either order; the others 6 each."""
    rules = rules_with(lead_spades="not_first_trick")
    assert count_plays("S A C 32", "H AKQ", "H JT9", "H 876", broken=False, rules=rules, first=True) == 2 * 2 * 6**3


@pytest.mark.rule("R130")
@pytest.mark.parametrize(("first_trick_spades", "count"), [("allowed", 16), ("refused", 8)])
def test_a_void_follower_on_the_first_trick(first_trick_spades, count) -> None:
    """Seat 0 leads either club, seat 1 plays its spade or its heart, or only the heart; the others 2 · 2."""
    rules = rules_with(first_trick_spades=first_trick_spades)
    assert count_plays("C A2", "S 2 H 2", "D 32", "D 54", broken=False, rules=rules, first=True) == count


@pytest.mark.rule("R130")
def test_a_void_follower_with_nothing_but_spades() -> None:
    """Clubs 2, spades 2, diamonds 2 and 2, and nobody has a choice in the second trick."""
    rules = rules_with(first_trick_spades="refused")
    assert count_plays("C A2", "S 32", "D 32", "D 54", broken=False, rules=rules, first=True) == 2**4


@pytest.mark.rule("R107")
@pytest.mark.parametrize(("first_lead", "count"), [("left_of_dealer", 2**4), ("lowest_clubs", 1), ("two_of_clubs", 8)])
def test_lowest_clubs_leave_no_choice_on_the_first_trick(first_lead, count) -> None:
    rules = rules_with(first_lead=first_lead)
    assert count_plays("C A2", "C K3", "C Q4", "C J5", broken=False, rules=rules, first=True) == count


@pytest.mark.rule("R107")
def test_lowest_clubs_bind_those_who_hold_one() -> None:
    """Seat 0 leads the 2, seat 1 plays the 3; seat 2 throws either heart, seat 3 either diamond.

    Seat 1 wins and leads its heart, to which everybody plays the last card.
    """
    rules = rules_with(first_lead="lowest_clubs")
    assert count_plays("C 2 D A", "C 3 H A", "H 32", "D 32", broken=False, rules=rules, first=True) == 2 * 2


@pytest.mark.rule("R111", "R113")
@pytest.mark.parametrize(("broken", "count"), [(False, 8), (True, 16)])
def test_a_joker_is_barred_like_a_spade_until_they_are_broken(broken, count) -> None:
    rules = rules_with(deck="jokers")
    assert count_plays("S B C 3", "H AK", "H QJ", "H T9", broken=broken, rules=rules) == count


@pytest.mark.rule("R111", "R113")
def test_a_joker_follows_a_spade() -> None:
    """Broken, seat 0 leads the club (seat 1 throws either, seat 0 or 1 wins) or the spade (seat 1 must follow).

    Spade first: joker (1), clubs last; club first: joker or heart (2). Each time seats 2 and 3 play either (4).
    """
    rules = rules_with(deck="jokers")
    assert count_plays("AS 3C", "LS 2D", "H QJ", "H T9", broken=True, rules=rules) == (1 + 2) * 4


@pytest.mark.rule("R112", "R113")
@pytest.mark.parametrize(("deck", "count"), [("standard", 8), ("jokers", 8), ("jokers_and_deuces", 4)])
def test_the_two_of_diamonds_is_a_diamond_or_a_spade(deck, count) -> None:
    """A diamond: either may be led, the ace must follow (2 · 4). A spade: unbroken, only the nine may be led (4)."""
    assert count_plays("D 29", "D A H K", "H QJ", "H T9", broken=False, rules=rules_with(deck=deck)) == count


@pytest.mark.rule("R112", "R113")
@pytest.mark.parametrize(("deck", "count"), [("standard", 12), ("jokers_and_deuces", 16)])
def test_whether_the_two_of_diamonds_follows_diamonds(deck, count) -> None:
    """Seat 0 leads diamonds twice or clubs and diamonds; seats 2 and 3 throw either heart (4).

    Diamond first, a diamond two: seat 1 must play it (1), and seat 0 leads its club. A spade two: the two or the
    heart (2). Club first: the two or the heart (2), whatever it is. (1 + 2) · 4 and (2 + 2) · 4.
    """
    assert count_plays("D 9 C 9", "D 2 H K", "H QJ", "H T8", broken=False, rules=rules_with(deck=deck)) == count


@pytest.mark.rule("R111", "R130")
@pytest.mark.parametrize(("first_trick_spades", "count"), [("allowed", 16), ("refused", 8)])
def test_a_joker_is_a_spade_on_the_first_trick(first_trick_spades, count) -> None:
    rules = rules_with(deck="jokers", first_trick_spades=first_trick_spades)
    assert count_plays("C A3", "S L H 3", "D 32", "D 54", broken=False, rules=rules, first=True) == count
