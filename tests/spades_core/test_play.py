import pytest

from spades_core.cards import Card
from spades_core.commands import DealHand, PlayCard
from spades_core.deck import STANDARD
from spades_core.events import CardPlayed, HandScored, TrickTaken
from spades_core.legal import winning_index, winning_seat
from spades_core.seats import SEATS
from spades_core.state import Trick
from tests.spades_core.scenarios import SUIT_EACH, after_hands, cards, dealt, play_sweep, seated, started


def bidden(*hands: str, dealer: int = 3):
    scenario = dealt(*hands, dealer=dealer)
    scenario.bid(3, 3, 3, 3)
    return scenario


@pytest.mark.rule("R28")
@pytest.mark.parametrize("dealer", SEATS)
def test_the_dealers_left_leads_the_first_trick(dealer) -> None:
    assert bidden(dealer=dealer).table.turn == (dealer + 1) % 4


@pytest.mark.rule("R29")
def test_a_trick_is_one_card_from_each_seat_clockwise() -> None:
    scenario = bidden("H A", "H 2", "H 3", "H 4")
    assert scenario.play("AH") == (CardPlayed(SEATS[0], Card("AH")),)
    assert scenario.table.turn == 1
    assert scenario.play("2H 3H") == (CardPlayed(SEATS[2], Card("3H")),)
    assert scenario.play("4H") == (CardPlayed(SEATS[3], Card("4H")), TrickTaken(SEATS[0]))


@pytest.mark.rule("R29", "R39")
def test_a_card_out_of_turn_or_not_held_is_refused() -> None:
    scenario = bidden("H A", "H 2", "H 3", "H 4")
    assert scenario.refuses(PlayCard(SEATS[1], Card("2H")), "not_your_turn") == "It is the turn of Mara, not yours."
    assert scenario.refuses(PlayCard(SEATS[0], Card("2H")), "not_in_hand") == "You do not hold 2H."
    scenario.play("AH")
    scenario.refuses(PlayCard(SEATS[0], Card("AH")), "not_your_turn")
    scenario.play("2H 3H 4H")
    scenario.refuses(PlayCard(SEATS[0], Card("AH")), "not_in_hand")


@pytest.mark.rule("R39")
@pytest.mark.parametrize("text", ["", "1S", "S", "queen of spades", "QS "])
def test_text_that_is_no_card_is_refused(text) -> None:
    assert "is not a card" in bidden().refuses(PlayCard(SEATS[0], Card(text)), "no_card")


@pytest.mark.rule("R30", "R39")
def test_a_player_who_holds_the_suit_led_must_follow() -> None:
    scenario = bidden("H A", "H 2 S A C 2", "H 3", "H 4")
    scenario.play("AH")
    view = scenario.view(1)
    assert view.legal_cards == ("2H",)
    assert view.barred == "You must follow hearts."
    for card in set(view.hand) - {"2H"}:
        assert scenario.refuses(PlayCard(SEATS[1], card), "must_follow") == "You must follow hearts."


@pytest.mark.rule("R30")
@pytest.mark.parametrize(("led", "word"), [("AC", "clubs"), ("AD", "diamonds"), ("AH", "hearts")])
def test_the_refusal_names_the_suit(led, word) -> None:
    scenario = bidden("S 2 H A D A C A", "S 3 H K D K C K")
    scenario.play(led)
    assert scenario.refuses(PlayCard(SEATS[1], Card("3S")), "must_follow") == f"You must follow {word}."


@pytest.mark.rule("R31")
def test_a_void_player_may_play_anything_a_spade_too_on_the_first_trick() -> None:
    scenario = bidden("H A", "S 23456 D 23456 C 234", "H 3", "H 4")
    scenario.play("AH")
    view = scenario.view(1)
    assert view.legal_cards == view.hand
    assert view.barred is None
    scenario.play("2S 3H 4H")
    assert scenario.hand.tricks[0].winner == 1


@pytest.mark.rule("R32")
def test_nobody_has_to_play_higher() -> None:
    scenario = bidden("H 5", "H 2A", "H 3K", "H 4Q")
    scenario.play("5H")
    assert scenario.view(1).legal_cards == cards("2H AH")
    scenario.play("2H 3H 4H")
    assert scenario.hand.tricks[0].winner == 0


@pytest.mark.rule("R33", "R39")
def test_a_spade_is_not_led_before_spades_are_broken() -> None:
    scenario = bidden("S A H A", "H 2", "H 3", "H 4")
    view = scenario.view(0)
    assert not [card for card in view.legal_cards if card[1] == "S"]
    assert view.barred == "Spades are not broken yet, so you cannot lead one."
    assert scenario.refuses(PlayCard(SEATS[0], Card("AS")), "spades_not_broken") == view.barred


@pytest.mark.rule("R33")
def test_a_spade_on_another_suit_breaks_spades_for_everybody() -> None:
    scenario = bidden("S A H A", "S 2 D 23456789TJQK", "H 3", "H 4")
    scenario.play("AH")
    assert not scenario.hand.broken
    scenario.play("2S")
    assert scenario.hand.broken
    assert all(scenario.view(viewer).broken for viewer in (*SEATS, None))
    scenario.play("3H 4H 2D")
    for seat in (2, 3, 0):
        card = next(card for card in scenario.view(seat).legal_cards if card[1] != "S")
        scenario.play(card)
    assert scenario.hand.broken


@pytest.mark.rule("R33")
def test_the_one_who_broke_spades_may_lead_them_next() -> None:
    scenario = bidden("H A", "S 23 D 23456789TJQ", "H 3", "H 4")
    scenario.play("AH 2S 3H 4H")
    assert scenario.table.turn == 1
    assert "3S" in scenario.view(1).legal_cards
    assert scenario.play("3S") == (CardPlayed(SEATS[1], Card("3S")),)


@pytest.mark.rule("R34")
def test_a_hand_of_spades_only_leads_one_and_breaks_nothing() -> None:
    scenario = started()
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(13, 0, 0, 0)
    view = scenario.view(0)
    assert view.legal_cards == view.hand
    assert view.barred is None
    scenario.play("AS AH AD AC")
    assert not scenario.hand.broken


@pytest.mark.rule("R34")
def test_following_a_spade_lead_with_spades_breaks_nothing() -> None:
    scenario = bidden("S AKQJT98765432", "H 2", "H 3", "H 4")
    assert scenario.view(1).hand[-1][1] != "S"
    scenario = bidden("S AKQJT9876543 H A", "S 2 H 2", "H 3", "H 4")
    scenario.play("AH 2H 3H 4H")
    assert scenario.view(0).legal_cards == scenario.view(0).hand, "only spades are left"
    scenario.play("AS 2S")
    assert not scenario.hand.broken


@pytest.mark.rule("R35")
@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("AH 2S KH QH", 1),
        ("AH 2S 3S QH", 2),
        ("AH 3S 2S QH", 1),
        ("2S AS KS QS", 1),
        ("AH KH QH 2S", 3),
        ("TS 9S AH JS", 3),
    ],
)
def test_the_highest_spade_wins(trick, place) -> None:
    assert winning_index(STANDARD, cards(trick)) == place


@pytest.mark.rule("R36")
@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("2H 3H 4H 5H", 3),
        ("2H AD AC KD", 0),
        ("2C AD 3C AH", 2),
        ("TH 9H JH QD", 2),
        ("KD QD AD JD", 2),
        ("KC AH AD AC", 3),
        ("9D", 0),
        ("9D TD", 1),
    ],
)
def test_without_a_spade_the_highest_of_the_suit_led_wins(trick, place) -> None:
    assert winning_index(STANDARD, cards(trick)) == place
    for leader in SEATS:
        assert winning_seat(STANDARD, leader, cards(trick)) == (leader + place) % 4


@pytest.mark.rule("R37")
def test_the_winner_leads_the_next_trick() -> None:
    scenario = bidden("H 2A", "H 3K", "H Q4", "H 5J")
    scenario.play("2H 3H QH 5H")
    assert scenario.table.turn == scenario.hand.leader == 2
    scenario.refuses(PlayCard(SEATS[0], Card("AH")), "not_your_turn")
    assert scenario.hand.tricks == (Trick(SEATS[0], cards("2H 3H QH 5H"), SEATS[2]),)
    assert scenario.hand.taken == (0, 0, 1, 0)


@pytest.mark.rule("R37")
def test_the_view_shows_the_trick_its_winner_so_far_and_the_cards_left() -> None:
    scenario = bidden("H 2A", "H 3K", "H Q4", "H 5J")
    scenario.play("2H 3H QH")
    view = scenario.view(None)
    assert view.trick is not None
    assert (view.trick.leader, view.trick.cards, view.trick.winning) == (0, cards("2H 3H QH"), 2)
    assert [seat.cards_left for seat in view.seats] == [12, 12, 12, 13]
    scenario.play("5H")
    view = scenario.view(None)
    assert view.trick is None
    assert [seat.cards_left for seat in view.seats] == [12, 12, 12, 12]
    assert [seat.taken for seat in view.seats] == [0, 0, 1, 0]
    assert [side.taken for side in view.sides] == [1, 0]


@pytest.mark.rule("R38")
def test_a_hand_is_scored_after_thirteen_tricks() -> None:
    scenario = started()
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(13, 0, 0, 0)
    for trick in range(12):
        assert len(scenario.hand.tricks) == trick
        for _ in range(4):
            assert scenario.table.turn is not None
            scenario.play(scenario.view(scenario.table.turn).legal_cards[0])
    assert scenario.table.phase == "playing"
    events = scenario.play_out()
    assert [type(event) for event in events] == [CardPlayed, TrickTaken, HandScored]
    assert events[2].taken == (13, 0, 0, 0)
    assert events[2].bids == (13, 0, 0, 0)
    assert scenario.table.phase == "scored"


@pytest.mark.rule("R38", "R69")
def test_no_card_is_played_outside_a_hand() -> None:
    over = after_hands((490, 0))
    play_sweep(over, 12, 1, 1, 1)
    for scenario in (seated(), started(), over):
        scenario.refuses(PlayCard(SEATS[0], Card("AS")), "wrong_phase")


def test_legal_cards_are_shown_to_the_seat_on_turn_only() -> None:
    scenario = bidden()
    for viewer in (1, 2, 3, None):
        assert scenario.view(viewer).legal_cards == ()
        assert scenario.view(viewer).barred is None


def test_a_card_may_be_typed_in_small_letters() -> None:
    scenario = bidden("H A")
    assert scenario.do(PlayCard(SEATS[0], Card("ah"))) == (CardPlayed(SEATS[0], Card("AH")),)
