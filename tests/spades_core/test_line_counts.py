"""Endings small enough to count by hand: how many ways they can be played to the last card."""

from math import factorial

import pytest

from spades_core.cards import cards_in, mask_of
from spades_core.events import CardPlayed, TrickTaken
from spades_core.evolve import evolve_all
from spades_core.legal import legal_cards, winning_seat
from spades_core.seats import SEATS
from spades_core.state import Game, Hand, Table, Trick
from tests.spades_core.core_stories import cards


def ending(*hands: str, broken: bool) -> Table:
    """Seat 0 leads; each seat holds these cards and the tricks before are done."""
    held = tuple(mask_of(cards(hand)) for hand in hands)
    done = 13 - held[0].bit_count()
    tricks = tuple(Trick(SEATS[0], (), SEATS[0]) for _ in range(done))
    hand = Hand(1, SEATS[3], held, SEATS[0], SEATS[0], (3, 3, 3, 3), (done, 0, 0, 0), (), tricks, broken)
    return Table(game=Game(SEATS[0], hand=hand))


def lines(table: Table) -> int:
    """In how many ways the hand can be played to its end."""
    assert table.game is not None
    hand = table.game.hand
    assert hand is not None
    if hand.played_out:
        return 1
    count = 0
    for card in cards_in(legal_cards(hand, hand.turn)):
        events = [CardPlayed(hand.turn, card)]
        if len(hand.trick) == 3:
            events.append(TrickTaken(winning_seat(hand.leader, (*hand.trick, card))))
        count += lines(evolve_all(table, tuple(events)))
    return count


@pytest.mark.rule("R30")
@pytest.mark.parametrize("broken", [False, True])
def test_one_suit_only_every_card_may_be_played_at_any_time(broken) -> None:
    assert lines(ending("H AKQ", "H JT9", "H 876", "H 543", broken=broken)) == factorial(3) ** 4


@pytest.mark.rule("R31")
def test_four_suits_nobody_can_follow() -> None:
    """Each seat chooses which of its two to play first."""
    assert lines(ending("S AK", "H AK", "D AK", "C AK", broken=False)) == 2**4


@pytest.mark.rule("R33", "R34")
@pytest.mark.parametrize(("broken", "count"), [(False, 2**3), (True, 2 * 2**3)])
def test_two_cards_a_spade_and_a_club(broken, count) -> None:
    """Unbroken, the club must be led and the spade is what is left."""
    assert lines(ending("S A C 2", "H AK", "H QJ", "H T9", broken=broken)) == count


@pytest.mark.rule("R33", "R34")
@pytest.mark.parametrize(("broken", "count"), [(False, 2 * 6**3), (True, 6 * 6**3)])
def test_three_cards_a_spade_and_two_clubs(broken, count) -> None:
    """Unbroken, the clubs go first in either order; broken, in any order. The others are never bound."""
    assert lines(ending("S A C 32", "H AKQ", "H JT9", "H 876", broken=broken)) == count


@pytest.mark.rule("R30", "R31", "R33")
@pytest.mark.parametrize(("broken", "count"), [(False, 8), (True, 16)])
def test_a_lead_that_is_ruffed(broken, count) -> None:
    """Seat 1 holds two spades.

    The ace of clubs led: seat 1 ruffs with either (2), the others throw either
    (2 · 2), seat 1 leads its last spade: 8. Broken, the ace of spades may be led
    too: seat 1 follows with either (2 · 2 · 2), and the club comes last: 8 more.
    """
    assert lines(ending("C A S A", "S 32", "H 32", "H 54", broken=broken)) == count


@pytest.mark.rule("R33")
def test_breaking_spades_opens_them_for_the_next_lead() -> None:
    """Seat 0 leads either club, its spade is barred: 2 ways.

    Seat 1 ruffs with its only spade (1) and leads its hearts in either order
    (2), to which seat 0 plays its club and its spade in either order (2). Or
    seat 1 throws either heart (2); seat 0 wins, must lead its other club (1),
    and seat 1 plays its spade or its heart (2). Seats 2 and 3 throw their three
    diamonds in any order (6 each).
    """
    table = ending("C 32 S A", "S 2 H 43", "D 432", "D 765", broken=False)
    first_trick_ruffed = 2 * 1 * 2 * 2
    first_trick_held = 2 * 2 * 1 * 2
    assert lines(table) == (first_trick_ruffed + first_trick_held) * 6 * 6
