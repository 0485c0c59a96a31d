import pytest

from spades_core.commands import DealHand, PlaceBid, PlayCard
from spades_core.events import BidPlaced, ScoreLine
from spades_core.seats import SEATS
from tests.spades_core.core_stories import SUIT_EACH, after_hands, dealt, play_sweep, seated, started


@pytest.mark.rule("R20")
@pytest.mark.parametrize("dealer", SEATS)
def test_bidding_goes_once_round_from_the_dealers_left(dealer) -> None:
    story, order = dealt(dealer=dealer), []
    while story.table.phase == "bidding":
        assert story.table.turn is not None
        order.append(story.table.turn)
        story.bid(2)
    assert order == [(dealer + step) % 4 for step in (1, 2, 3, 4)]


@pytest.mark.rule("R20", "R39")
def test_nobody_bids_out_of_turn() -> None:
    story = dealt(dealer=3)
    for seat in SEATS[1:]:
        assert story.refuses(PlaceBid(seat, 3), "not_your_turn") == "It is the turn of Mara, not yours."
    story.bid(3)
    story.refuses(PlaceBid(SEATS[0], 3), "not_your_turn")


@pytest.mark.rule("R21")
def test_every_number_from_0_to_13_may_be_bid() -> None:
    assert dealt().view(0).legal_bids == tuple(range(14))
    for bid in range(14):
        assert dealt().bid(bid) == (BidPlaced(SEATS[0], bid),)


@pytest.mark.rule("R21", "R39")
@pytest.mark.parametrize("bid", [-1, 14, 100, 10**30])
def test_other_numbers_are_no_bids(bid) -> None:
    text = dealt().refuses(PlaceBid(SEATS[0], bid), "no_bid")
    assert text == f"A bid is 0 (nil) to 13, not {bid}."


@pytest.mark.rule("R22")
def test_a_bid_of_0_is_nil() -> None:
    story = started()
    events = play_sweep(story, 5, 5, 0, 4)
    (scored,) = [event for event in events if event.t == "hand_scored"]
    assert scored.sides[0].lines[0] == ScoreLine("nil_made", 100, 0, SEATS[2])


@pytest.mark.rule("R23")
def test_a_bid_is_seen_by_everybody_at_once() -> None:
    story = dealt()
    story.bid(4)
    for viewer in (*SEATS, None):
        assert [seat.bid for seat in story.view(viewer).seats] == [4, None, None, None]


@pytest.mark.rule("R23", "R39")
def test_a_bid_cannot_be_changed() -> None:
    story = dealt()
    story.bid(4, 3, 2)
    story.refuses(PlaceBid(SEATS[0], 5), "not_your_turn")
    story.bid(1)
    assert story.refuses(PlaceBid(SEATS[0], 5), "wrong_phase") == "Not now: the bidding is over."


@pytest.mark.rule("R24")
def test_the_contract_is_what_both_partners_bid_together() -> None:
    story = dealt()
    assert [side.contract for side in story.view(0).sides] == [None, None]
    story.bid(4, 3, 0)
    assert [side.contract for side in story.view(0).sides] == [4, None]
    story.bid(5)
    assert [side.contract for side in story.view(0).sides] == [4, 8]


@pytest.mark.rule("R25")
def test_cards_are_dealt_and_seen_before_anybody_bids() -> None:
    story = started()
    assert story.refuses(PlaceBid(SEATS[0], 0), "wrong_phase") == "Not now: the next hand is not dealt yet."
    assert story.view(0).legal_bids == ()
    story.do(DealHand(SUIT_EACH))
    assert story.view(0).legal_bids
    assert all(len(story.view(seat).hand) == 13 for seat in SEATS)


@pytest.mark.rule("R26")
def test_no_card_is_played_before_the_fourth_bid() -> None:
    story = dealt("S A")
    for _ in range(4):
        assert story.view(0).legal_cards == ()
        story.refuses(PlayCard(SEATS[0], story.view(0).hand[0]), "wrong_phase")
        story.bid(2)
    assert story.view(0).legal_cards != ()


@pytest.mark.rule("R26")
def test_nothing_is_bid_after_the_fourth_bid() -> None:
    story = dealt()
    story.bid(1, 1, 1, 1)
    for seat in SEATS:
        assert story.view(seat).legal_bids == ()
        story.refuses(PlaceBid(seat, 3), "wrong_phase")


@pytest.mark.rule("R26", "R69")
def test_there_is_nothing_to_bid_before_or_after_a_game() -> None:
    over = after_hands((490, 0))
    play_sweep(over, 12, 1, 1, 1)
    for story, why in ((seated(), "the game has not started"), (over, "the game is over")):
        assert story.refuses(PlaceBid(SEATS[0], 3), "wrong_phase") == f"Not now: {why}."
        assert story.table.turn is None


def test_legal_bids_are_shown_to_the_seat_on_turn_only() -> None:
    story = dealt()
    for viewer in (1, 2, 3, None):
        assert story.view(viewer).legal_bids == ()
