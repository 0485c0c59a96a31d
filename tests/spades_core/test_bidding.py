import pytest

from spades_core.commands import DealHand, PlaceBid, PlayCard
from spades_core.events import BidPlaced, ScoreLine
from spades_core.seats import SEATS
from tests.spades_core.scenarios import SUIT_EACH, after_hands, dealt, play_sweep, seated, started


@pytest.mark.rule("R20")
@pytest.mark.parametrize("dealer", SEATS)
def test_bidding_goes_once_round_from_the_dealers_left(dealer) -> None:
    scenario, order = dealt(dealer=dealer), []
    while scenario.table.phase == "bidding":
        assert scenario.table.turn is not None
        order.append(scenario.table.turn)
        scenario.bid(2)
    assert order == [(dealer + step) % 4 for step in (1, 2, 3, 4)]


@pytest.mark.rule("R20", "R39")
def test_nobody_bids_out_of_turn() -> None:
    scenario = dealt(dealer=3)
    for seat in SEATS[1:]:
        assert scenario.refuses(PlaceBid(seat, 3), "not_your_turn") == "It is the turn of Mara, not yours."
    scenario.bid(3)
    scenario.refuses(PlaceBid(SEATS[0], 3), "not_your_turn")


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
    scenario = started()
    events = play_sweep(scenario, 5, 5, 0, 4)
    (scored,) = [event for event in events if event.t == "hand_scored"]
    assert scored.sides[0].lines[0] == ScoreLine("nil_made", 100, 0, SEATS[2])


@pytest.mark.rule("R23")
def test_a_bid_is_seen_by_everybody_at_once() -> None:
    scenario = dealt()
    scenario.bid(4)
    for viewer in (*SEATS, None):
        assert [seat.bid for seat in scenario.view(viewer).seats] == [4, None, None, None]


@pytest.mark.rule("R23", "R39")
def test_a_bid_cannot_be_changed() -> None:
    scenario = dealt()
    scenario.bid(4, 3, 2)
    scenario.refuses(PlaceBid(SEATS[0], 5), "not_your_turn")
    scenario.bid(1)
    assert scenario.refuses(PlaceBid(SEATS[0], 5), "wrong_phase") == "Not now: the bidding is over."


@pytest.mark.rule("R24")
def test_the_contract_is_what_both_partners_bid_together() -> None:
    scenario = dealt()
    assert [side.contract for side in scenario.view(0).sides] == [None, None]
    scenario.bid(4, 3, 0)
    assert [side.contract for side in scenario.view(0).sides] == [4, None]
    scenario.bid(5)
    assert [side.contract for side in scenario.view(0).sides] == [4, 8]


@pytest.mark.rule("R25")
def test_cards_are_dealt_and_seen_before_anybody_bids() -> None:
    scenario = started()
    assert scenario.refuses(PlaceBid(SEATS[0], 0), "wrong_phase") == "Not now: the next hand is not dealt yet."
    assert scenario.view(0).legal_bids == ()
    scenario.do(DealHand(SUIT_EACH))
    assert scenario.view(0).legal_bids
    assert all(len(scenario.view(seat).hand) == 13 for seat in SEATS)


@pytest.mark.rule("R26")
def test_no_card_is_played_before_the_fourth_bid() -> None:
    scenario = dealt("S A")
    for _ in range(4):
        assert scenario.view(0).legal_cards == ()
        scenario.refuses(PlayCard(SEATS[0], scenario.view(0).hand[0]), "wrong_phase")
        scenario.bid(2)
    assert scenario.view(0).legal_cards != ()


@pytest.mark.rule("R26")
def test_nothing_is_bid_after_the_fourth_bid() -> None:
    scenario = dealt()
    scenario.bid(1, 1, 1, 1)
    for seat in SEATS:
        assert scenario.view(seat).legal_bids == ()
        scenario.refuses(PlaceBid(seat, 3), "wrong_phase")


@pytest.mark.rule("R26", "R69")
def test_there_is_nothing_to_bid_before_or_after_a_game() -> None:
    over = after_hands((490, 0))
    play_sweep(over, 12, 1, 1, 1)
    for scenario, why in ((seated(), "the game has not started"), (over, "the game is over")):
        assert scenario.refuses(PlaceBid(SEATS[0], 3), "wrong_phase") == f"Not now: {why}."
        assert scenario.table.turn is None


def test_legal_bids_are_shown_to_the_seat_on_turn_only() -> None:
    scenario = dealt()
    for viewer in (1, 2, 3, None):
        assert scenario.view(viewer).legal_bids == ()
