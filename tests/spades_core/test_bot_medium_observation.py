"""What the medium bot infers from a view, and no more than that."""

import pytest

from spades_core.bots.levels.medium.medium_observation import ALL_CARDS, MediumObservation
from spades_core.cards import Card
from spades_core.deck import STANDARD
from tests.spades_core.scenarios import Scenario, cards, dealt

HEARTS, SPADES = STANDARD.suit_mask["H"], STANDARD.spades
cards_in, mask_of = STANDARD.cards_in, STANDARD.mask_of


def bit(card: str) -> int:
    return STANDARD.bit[Card(card)]


def hearts_led() -> Scenario:
    """AH led; seat 1 had none and threw a diamond, seat 2 followed; seat 3 is on turn."""
    scenario = dealt("H AK S 2", "D 234 C 23456789TJ", "H 234", "H QJ S AKQ")
    scenario.bid(3, 2, 3, 5)
    scenario.play("AH 2D 2H")
    return scenario


def test_cards_are_out_when_neither_held_nor_played() -> None:
    scenario = hearts_led()
    seen = MediumObservation(scenario.view(3))
    assert seen.unseen == ALL_CARDS & ~mask_of(scenario.view(3).hand) & ~mask_of(cards("AH 2D 2H"))
    assert seen.may_hold[3] == 0
    assert seen.may_hold[2] == seen.unseen


def test_a_seat_that_does_not_follow_is_void() -> None:
    seen = MediumObservation(hearts_led().view(3))
    assert seen.may_hold[1] == seen.unseen & ~HEARTS
    assert seen.may_ruff(seen.partner, HEARTS)


def test_a_void_is_still_known_after_the_trick() -> None:
    scenario = hearts_led()
    scenario.play("QH KH")
    for seat in (0, 2, 3):
        assert not MediumObservation(scenario.view(seat)).may_hold[1] & HEARTS
    seen = MediumObservation(scenario.view(1))
    assert (seen.led, seen.tricks_left) == (HEARTS, 12)


def test_a_spade_led_before_spades_are_broken_shows_a_hand_of_only_spades() -> None:
    scenario = dealt("S AKQJT98765432", "H 2", "H 3", "H 4")
    scenario.bid(13, 0, 0, 0)
    scenario.play("AS")
    assert MediumObservation(scenario.view(1)).may_hold[0] == MediumObservation(scenario.view(1)).unseen & SPADES


def test_a_spade_led_after_spades_are_broken_shows_nothing() -> None:
    scenario = dealt("H A", "S 23 D 23456789TJQ", "H 3", "H 4")
    scenario.bid(3, 3, 3, 3)
    scenario.play("AH 2S 3H 4H 3S")
    seen = MediumObservation(scenario.view(2))
    assert seen.may_hold[1] == seen.unseen & ~HEARTS


def test_the_current_trick_and_the_needs_of_both_sides() -> None:
    seen = MediumObservation(hearts_led().view(3))
    assert (seen.best, seen.winner, seen.still_to_play, seen.tricks_left) == (bit("AH"), 0, [], 13)
    assert seen.tricks_needed == (7, 6)
    assert seen.bids == (3, 2, 3, 5)


@pytest.mark.parametrize(("trick", "best"), [("AH 2D 2H", "AH"), ("AH", "AH")])
def test_the_best_card_is_the_one_winning_the_trick(trick, best) -> None:
    scenario = dealt("H AK S 2", "D 234 C 23456789TJ", "H 234", "H QJ S AKQ")
    scenario.bid(3, 2, 3, 5)
    scenario.play(trick)
    assert scenario.table.turn is not None
    assert MediumObservation(scenario.view(scenario.table.turn)).best == bit(best)


def test_a_boss_is_a_card_that_nothing_out_beats() -> None:
    scenario = dealt("H AK S 2", "D 234 C 23456789TJ", "H 234", "H QJ S AKQ")
    scenario.bid(3, 2, 3, 5)
    assert cards_in(MediumObservation(scenario.view(0)).bosses() & (HEARTS | SPADES)) == ("KH", "AH")
    scenario.play("AH 2D 2H")
    seen = MediumObservation(scenario.view(3))
    assert set(cards_in(seen.bosses())) & set(cards("AS KS QS QH JH")) == set(cards("AS KS QS"))
    assert cards_in(seen.higher_unseen(bit("QH"))) == ("KH",)


def test_winners_are_the_legal_cards_that_beat_the_trick() -> None:
    scenario = hearts_led()
    assert MediumObservation(scenario.view(3)).winners() == 0
    scenario = dealt("H 5", "H 32", "H 4", "H AQ6")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5H 2H 4H")
    assert cards_in(MediumObservation(scenario.view(3)).winners()) == ("6H", "QH", "AH")
    scenario = dealt("H 5", "S 9 D 23456789TJQK", "H 4", "S T2 C 23456789TJQ")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5H 9S 4H")
    assert cards_in(MediumObservation(scenario.view(3)).winners()) == ("TS",)


def test_a_card_is_safe_if_no_seat_still_to_play_can_beat_it() -> None:
    scenario = dealt("H AK S 2", "H 5", "H 234", "H QJ S AKQ")
    scenario.bid(3, 2, 3, 5)
    assert MediumObservation(scenario.view(0)).is_safe(bit("AH"))
    scenario.play("KH 5H")
    seen = MediumObservation(scenario.view(2))
    assert not seen.is_safe(seen.best), "seat 3 may hold the ace"
    scenario.play("2H")
    seen = MediumObservation(scenario.view(3))
    assert seen.is_safe(seen.best), "no seat is left to play"


def test_a_winner_is_not_safe_from_a_void_seat() -> None:
    scenario = hearts_led()
    scenario.play("QH")
    seen = MediumObservation(scenario.view(0))
    assert seen.is_safe(bit("2S")) is False
    assert not seen.is_safe(bit("KH")), "seat 1 may ruff"


def test_a_view_before_the_end_of_the_bidding_raises() -> None:
    scenario = dealt()
    with pytest.raises(ValueError, match="after the bidding"):
        MediumObservation(scenario.view(0))
    scenario.bid(1, 1, 1, 1)
    with pytest.raises(ValueError, match="of a seat"):
        MediumObservation(scenario.view(None))
