from random import Random

import pytest

from spades_core.cards import RANKS, SUITS, Card, parse_card
from spades_core.commands import AskForNextHand, DealHand, LookAtHand, PlaceBid, Redeal, StartGame
from spades_core.decide import decide
from spades_core.deck import STANDARD, shuffled
from spades_core.events import HandDealt, HandVoided, NextHandAsked
from spades_core.evolve import evolve
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, SIDES
from spades_core.views import redact
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import SUIT_EACH, after_hands, deal, dealt, play_sweep, seated, started


@pytest.mark.rule("R10")
def test_the_deck_has_each_rank_of_each_suit_once() -> None:
    assert len(STANDARD.cards) == len(set(STANDARD.cards)) == 52
    assert set(STANDARD.cards) == {rank + suit for rank in "23456789TJQKA" for suit in "CDHS"}
    for suit in SUITS:
        bits = [STANDARD.bit[Card(rank + suit)] for rank in RANKS]
        assert bits == sorted(bits), "the ace is the highest"


def test_cards_as_text_and_as_bits() -> None:
    assert parse_card("qs") == "QS"
    assert STANDARD.suit[Card("QS")] == "S"
    assert STANDARD.cards_in(STANDARD.mask_of(reversed(STANDARD.cards))) == STANDARD.cards
    assert STANDARD.cards_in(0) == ()


@pytest.mark.parametrize("text", ["", "Q", "1S", "QX", "10S", "SQ", "QSS", "🂡"])
def test_text_that_is_no_card_raises_a_value_error(text) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


@pytest.mark.rule("R11")
@pytest.mark.parametrize("dealer", SEATS)
def test_the_first_dealer_is_the_one_drawn(dealer) -> None:
    scenario = started(dealer=dealer)
    scenario.do(DealHand(SUIT_EACH))
    assert scenario.hand.dealer == dealer


@pytest.mark.rule("R12")
def test_every_player_is_dealt_thirteen_of_the_52_cards() -> None:
    scenario, deck = started(dealer=2), shuffled(Random(4))
    (event,) = scenario.do(DealHand(deck))
    assert event == HandDealt(1, SEATS[2], (deck[:13], deck[13:26], deck[26:39], deck[39:]))
    assert [held.bit_count() for held in scenario.hand.held] == [13, 13, 13, 13]
    assert sum(scenario.hand.held) == STANDARD.mask_of(STANDARD.cards)
    assert [seat.cards_left for seat in scenario.view(None).seats] == [13, 13, 13, 13]


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    "deck",
    [
        STANDARD.cards[:51],
        STANDARD.cards + STANDARD.cards[:1],
        (*STANDARD.cards[:51], STANDARD.cards[0]),
        (*STANDARD.cards[:51], Card("1S")),
    ],
)
def test_a_wrong_deck_raises_a_value_error(deck) -> None:
    scenario = started()
    with pytest.raises(ValueError, match="each of its 52 cards once"):
        scenario.do(DealHand(deck))


@pytest.mark.rule("R12")
def test_a_shuffle_is_every_card_in_random_order() -> None:
    assert sorted(shuffled(Random(1))) == sorted(STANDARD.cards)
    assert shuffled(Random(1)) == shuffled(Random(1)) != shuffled(Random(2))
    firsts = {shuffled(Random(seed))[0] for seed in range(2000)}
    assert firsts == set(STANDARD.cards)


@pytest.mark.rule("R13")
def test_the_deal_moves_one_seat_clockwise_each_hand() -> None:
    scenario = started(RuleSet(target=1000), dealer=2)
    dealers = []
    for _ in range(5):
        play_sweep(scenario, 12, 1, 1, 1)
        dealers.append(scenario.hand.dealer)
    assert dealers == [2, 3, 0, 1, 2]
    assert scenario.hand.number == 5


@pytest.mark.rule("R14")
def test_a_hand_is_dealt_after_the_start_and_after_a_score_only() -> None:
    seated().refuses(DealHand(SUIT_EACH), "wrong_phase")
    scenario = dealt()
    scenario.refuses(DealHand(SUIT_EACH), "wrong_phase")
    scenario.bid(1, 2, 3, 4)
    scenario.refuses(DealHand(SUIT_EACH), "wrong_phase")
    scenario.play_out()
    assert scenario.table.phase == "scored"
    (event,) = scenario.do(DealHand(SUIT_EACH))
    assert isinstance(event, HandDealt)
    assert event.number == 2


@pytest.mark.rule("R14", "R69")
def test_no_hand_is_dealt_after_the_end() -> None:
    scenario = after_hands((490, 0))
    play_sweep(scenario, 12, 1, 1, 1)
    scenario.refuses(DealHand(SUIT_EACH), "wrong_phase")


@pytest.mark.rule("R15")
def test_a_deal_shows_each_player_their_own_cards_only() -> None:
    scenario = dealt("S A", "S K", "S Q", "S J")
    for seat in SEATS:
        assert scenario.view(seat).hand == STANDARD.cards_in(scenario.hand.held[seat])
    assert scenario.view(None).hand == ()
    assert "AS" not in repr(scenario.view(1))


@pytest.mark.rule("R15")
def test_a_hand_is_shown_sorted_by_suit_and_rank() -> None:
    scenario = started()
    scenario.do(DealHand(deal("S A2 H K3 D QT C J954678")))
    assert " ".join(scenario.view(0).hand) == "4C 5C 6C 7C 8C 9C JC TD QD 3H KH 2S AS"


@pytest.mark.rule("R16")
def test_players_ask_for_the_next_hand_once() -> None:
    scenario = started()
    assert scenario.do(AskForNextHand(SEATS[1])) == (NextHandAsked(SEATS[1]),)
    assert scenario.do(AskForNextHand(SEATS[1])) == ()
    assert [seat.ready for seat in scenario.view(0).seats] == [False, True, False, False]
    scenario.do(DealHand(SUIT_EACH))
    assert not any(seat.ready for seat in scenario.view(0).seats)


@pytest.mark.rule("R16")
def test_the_next_hand_is_asked_for_between_hands_only() -> None:
    for scenario in (seated(), dealt()):
        scenario.refuses(AskForNextHand(SEATS[0]), "wrong_phase")
    scenario = dealt()
    scenario.bid(1, 1, 1, 1)
    scenario.refuses(AskForNextHand(SEATS[0]), "wrong_phase")


@pytest.mark.rule("R17")
def test_a_hand_that_is_dealt_again_leaves_everything_as_it_was_before_it() -> None:
    scenario = after_hands((120, -30), bags=(3, 8), dealer=2)
    before = scenario.table
    scenario.do(DealHand(shuffled(Random(1))))
    scenario.bid(1, 2, 3, 4)
    scenario.play(scenario.view(scenario.hand.turn).legal_cards[0])
    voided, dealt_again = scenario.do(Redeal(2, SUIT_EACH))
    assert voided == HandVoided(2)
    assert evolve(before, dealt_again) == scenario.table
    assert (dealt_again,) == decide(before, DealHand(SUIT_EACH))
    assert (scenario.hand.number, scenario.hand.dealer) == (2, 2)


@pytest.mark.rule("R17")
def test_no_hand_is_in_play_between_a_void_hand_and_the_next_deal() -> None:
    scenario = started(dealer=1)
    before = scenario.table
    scenario.do(DealHand(SUIT_EACH))
    scenario.given(HandVoided(1))
    assert scenario.table == before
    assert scenario.table.phase == "scored"


@pytest.mark.rule("R17")
def test_a_hand_dealt_again_lies_face_down_for_a_side_that_may_bid_blind() -> None:
    scenario = after_hands((0, 150), rules=rules_with(blind_nil="on"))
    scenario.do(DealHand(SUIT_EACH))
    scenario.do(LookAtHand(SEATS[0]))
    _, dealt_again = scenario.do(Redeal(2, SUIT_EACH))
    assert dealt_again.face_down == (True, False, True, False)


@pytest.mark.rule("R17")
def test_everybody_is_told_that_a_hand_is_void() -> None:
    assert {redact(viewer, HandVoided(3)) for viewer in (*SEATS, None)} == {HandVoided(3)}


@pytest.mark.rule("R14", "R17")
def test_only_the_hand_in_play_is_dealt_again() -> None:
    for scenario in (seated(), started()):
        scenario.refuses(Redeal(1, SUIT_EACH), "hand_not_in_play")
    scenario = dealt()
    scenario.refuses(Redeal(2, SUIT_EACH), "hand_not_in_play")
    scenario.do(Redeal(1, SUIT_EACH))
    scenario.bid(13, 1, 1, 1)
    scenario.play_out()
    scenario.refuses(Redeal(1, SUIT_EACH), "hand_not_in_play")
    scenario.do(DealHand(SUIT_EACH))
    scenario.refuses(Redeal(1, SUIT_EACH), "hand_not_in_play")


@pytest.mark.rule("R12", "R17")
def test_a_hand_is_dealt_again_with_a_whole_deck() -> None:
    with pytest.raises(ValueError, match="each of its 52 cards once"):
        dealt().do(Redeal(1, SUIT_EACH[:51]))


@pytest.mark.rule("R69")
def test_another_game_begins_at_zero() -> None:
    scenario = after_hands((490, -100), bags=(3, 8))
    play_sweep(scenario, 12, 1, 1, 1)
    assert scenario.table.phase == "over"
    scenario.refuses(PlaceBid(SEATS[0], 3), "wrong_phase")
    scenario.do(StartGame(SEATS[0], SEATS[1]))
    assert scenario.table.phase == "scored"
    for side in SIDES:
        assert (scenario.view(0).sides[side].score, scenario.view(0).sides[side].bags) == (0, 0)
    (event,) = scenario.do(DealHand(SUIT_EACH))
    assert event == HandDealt(1, SEATS[1], (SUIT_EACH[:13], SUIT_EACH[13:26], SUIT_EACH[26:39], SUIT_EACH[39:]))
    assert scenario.view(0).outcome is None
