"""Blind nil: its conditions, the bid, and the exchange of two cards between partners."""

import pytest

from spades_core.cards import Card
from spades_core.commands import DealHand, LookAtHand, PassCards, PlaceBid, PlayCard
from spades_core.events import BidPlaced, CardsPassed, HandDealt, HandLookedAt, PlayBegan
from spades_core.seats import SEATS
from spades_core.views import view_for
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import SUIT_EACH, Scenario, after_hands, cards, deal, dealt, replayed, started

DOWN = {"none": (False,) * 4, "ours": (True, False, True, False), "theirs": (False, True, False, True)}
OUR_HANDS = tuple(SUIT_EACH[place : place + 13] for place in (0, 13, 26, 39))


def behind(blind_nil: str = "on", scores=(0, 100), deck=SUIT_EACH, **switches) -> Scenario:
    """A deal in which seats 0 and 2 are 100 points behind; seat 0 bids first."""
    scenario = after_hands(scores, rules=rules_with(blind_nil=blind_nil, floor=None, **switches))
    scenario.do(DealHand(deck))
    return scenario


@pytest.mark.rule("R97")
@pytest.mark.parametrize("blind_nil", ["on", "swap"])
@pytest.mark.parametrize(
    ("scores", "down"),
    [
        ((0, 100), "ours"),
        ((0, 99), "none"),
        ((-50, 51), "ours"),
        ((300, 120), "theirs"),
        ((219, 120), "none"),
        ((220, 120), "theirs"),
        ((0, 0), "none"),
    ],
)
def test_a_side_a_hundred_behind_is_dealt_its_hands_face_down(blind_nil, scores, down) -> None:
    scenario = behind(blind_nil, scores)
    assert scenario.log[-1] == HandDealt(2, SEATS[3], OUR_HANDS, DOWN[down])
    assert scenario.hand.face_down == DOWN[down]
    for seat in SEATS:
        view = scenario.view(seat)
        assert view.may_look == DOWN[down][seat]
        assert len(view.hand) == (0 if view.may_look else 13)
        assert [seen.face_down for seen in scenario.view(None).seats] == list(DOWN[down])
        assert view.seats[seat].cards_left == 13


@pytest.mark.rule("R97", "R25")
def test_without_blind_nil_no_hand_lies_face_down() -> None:
    scenario = after_hands((0, 400))
    scenario.do(DealHand(SUIT_EACH))
    assert scenario.hand.face_down == DOWN["none"]
    assert scenario.refuses(PlaceBid(SEATS[0], 0, blind=True), "not_blind")


@pytest.mark.rule("R97")
def test_looking_shows_the_hand_to_its_owner_and_ends_the_offer() -> None:
    scenario = behind()
    assert scenario.do(LookAtHand(SEATS[2])) == (HandLookedAt(SEATS[2], tuple(reversed(OUR_HANDS[2]))),)
    assert set(scenario.view(2).hand) == set(OUR_HANDS[2])
    assert scenario.hand.face_down == (True, False, False, False)
    assert not scenario.view(2).may_look
    assert scenario.do(LookAtHand(SEATS[2])) == (), "looking again changes nothing"
    scenario.look()
    scenario.bid(3, 3)
    assert not scenario.view(2).may_bid_blind
    scenario.refuses(PlaceBid(SEATS[2], 0, blind=True), "not_blind")
    assert scenario.bid(0) == (BidPlaced(SEATS[2], 0),)


@pytest.mark.rule("R97")
def test_looking_where_nothing_lies_face_down_changes_nothing() -> None:
    assert started().do(LookAtHand(SEATS[0])) == ()
    assert dealt().do(LookAtHand(SEATS[0])) == ()
    assert behind().do(LookAtHand(SEATS[1])) == ()


@pytest.mark.rule("R98")
def test_only_nil_is_bid_on_a_hand_face_down() -> None:
    scenario = behind()
    view = scenario.view(0)
    assert (view.may_look, view.may_bid_blind, view.legal_bids, view.hand) == (True, True, (), ())
    for bid in range(14):
        assert "face down" in scenario.refuses(PlaceBid(SEATS[0], bid), "look_first")
    for bid in range(1, 14):
        scenario.refuses(PlaceBid(SEATS[0], bid, blind=True), "not_blind")
    for seat in (1, 2, 3):
        assert not scenario.view(seat).may_bid_blind
        scenario.refuses(PlaceBid(SEATS[seat], 0, blind=True), "not_your_turn")


@pytest.mark.rule("R98")
def test_a_blind_nil_is_seen_and_turns_the_hand_up() -> None:
    scenario = behind()
    turned_up = HandLookedAt(SEATS[0], tuple(reversed(OUR_HANDS[0])))
    assert scenario.bid_blind() == (BidPlaced(SEATS[0], 0, blind=True), turned_up)
    assert (scenario.hand.bids[0], scenario.hand.blind[0], scenario.hand.face_down[0]) == (0, True, False)
    assert len(scenario.view(0).hand) == 13
    assert [seat.blind for seat in scenario.view(3).seats] == [True, False, False, False]
    scenario.bid(3)
    assert scenario.view(2).may_bid_blind, "the partner's hand still lies face down"


@pytest.mark.rule("R98")
@pytest.mark.parametrize(
    ("switches", "bids"),
    [({"double_nil": "forbidden"}, (0, 4)), ({"min_bid": "side_four"}, (3, 4)), ({"sum_not_13": True}, (5, 8))],
)
def test_a_nil_that_is_not_allowed_is_not_allowed_blind(switches, bids) -> None:
    scenario = behind(**switches)
    scenario.look()
    scenario.bid(*bids)
    if "sum_not_13" in switches:
        scenario = after_hands((100, 0), rules=rules_with(blind_nil="on", **switches))
        scenario.do(DealHand(SUIT_EACH))
        scenario.bid(5)
        scenario.look()
        scenario.bid(4, 4)
    assert not scenario.view(scenario.table.turn).may_bid_blind
    scenario.refuses(PlaceBid(scenario.table.turn, 0, blind=True), "bid_not_allowed")
    scenario.look()
    scenario.refuses(PlaceBid(scenario.table.turn, 0), "bid_not_allowed")


@pytest.mark.rule("R98", "R92")
def test_without_a_swap_play_begins_after_the_bids() -> None:
    scenario = behind()
    scenario.bid_blind()
    scenario.bid(3)
    scenario.bid_blind()
    assert scenario.bid(2)[-1] == PlayBegan(SEATS[0])
    assert scenario.table.phase == "playing"


SWAP = deal("S A C 2", "S K C 3", "S Q C 4", "S J C 5")


def swapping(*blind: int, scores=(0, 100), **switches) -> Scenario:
    """A deal after the bidding: these seats have bid blind nil, the others 3."""
    scenario = behind("swap", scores, SWAP, **switches)
    while scenario.table.phase == "bidding":
        assert scenario.table.turn is not None
        if scenario.table.turn in blind:
            scenario.bid_blind()
            continue
        scenario.look()
        scenario.bid(3)
    return scenario


@pytest.mark.rule("R99")
def test_a_blind_nil_passes_two_cards_and_gets_two_back() -> None:
    scenario = swapping(2)
    assert (scenario.table.phase, scenario.table.turn, scenario.hand.to_pass) == ("passing", 2, (2, 0))
    assert [scenario.view(seat).to_pass for seat in SEATS] == [0, 0, 2, 0]
    assert scenario.pass_on("QS 4C") == (CardsPassed(SEATS[2], SEATS[0], cards("QS 4C")),)
    assert [seat.cards_left for seat in scenario.view(None).seats] == [15, 13, 11, 13]
    assert set(cards("AS QS 2C 4C")) <= set(scenario.view(0).hand)
    assert [scenario.view(seat).to_pass for seat in SEATS] == [2, 0, 0, 0]
    assert scenario.pass_on("2C QS") == (CardsPassed(SEATS[0], SEATS[2], cards("2C QS")), PlayBegan(SEATS[0]))
    assert set(cards("QS 2C")) <= set(scenario.view(2).hand)
    assert [seat.cards_left for seat in scenario.view(None).seats] == [13, 13, 13, 13]
    assert [held.bit_count() for held in scenario.hand.held] == [13, 13, 13, 13]
    assert scenario.table.phase == "playing"


@pytest.mark.rule("R99")
@pytest.mark.parametrize(("blind", "order"), [((0,), (0, 2)), ((2,), (2, 0)), ((0, 2), (0, 2)), ((), ())])
def test_the_passing_order(blind, order) -> None:
    assert swapping(*blind).hand.to_pass == order


@pytest.mark.rule("R99")
def test_only_the_seat_on_turn_passes_and_two_cards_of_its_own() -> None:
    scenario = swapping(2)
    scenario.refuses(PassCards(SEATS[0], cards("AS 2C")), "not_your_turn")
    scenario.refuses(PassCards(SEATS[2], cards("QS")), "two_cards")
    scenario.refuses(PassCards(SEATS[2], cards("QS QS")), "two_cards")
    scenario.refuses(PassCards(SEATS[2], cards("QS QS 4C")), "two_cards")
    scenario.refuses(PassCards(SEATS[2], ()), "two_cards")
    scenario.refuses(PassCards(SEATS[2], (*cards("QS 4C"), scenario.view(2).hand[5])), "two_cards")
    assert scenario.refuses(PassCards(SEATS[2], cards("QS AS")), "not_in_hand") == "You do not hold AS."
    scenario.refuses(PassCards(SEATS[2], cards("QS BS")), "not_in_hand")
    scenario.refuses(PassCards(SEATS[2], (Card("QS"), Card("1S"))), "no_card")
    scenario.refuses(PlaceBid(SEATS[2], 3), "wrong_phase")
    assert scenario.refuses(PlayCard(SEATS[2], Card("QS")), "wrong_phase") == "Not now: cards are being passed."
    scenario.refuses(DealHand(SWAP), "wrong_phase")


@pytest.mark.rule("R99")
def test_nothing_is_passed_at_any_other_time() -> None:
    scenario = behind("swap", deck=SWAP)
    for _ in range(2):
        scenario.refuses(PassCards(SEATS[0], cards("AS 2C")), "wrong_phase")
        scenario.look()
        scenario.bid(3)
        scenario = swapping()
        scenario.refuses(PassCards(SEATS[0], cards("AS 2C")), "wrong_phase")
        scenario = behind("on", deck=SWAP)
        scenario.bid_blind()
        scenario.bid(3)


@pytest.mark.rule("R99", "R106")
def test_the_cards_passed_may_hold_the_first_lead() -> None:
    scenario = swapping(0, first_lead="two_of_clubs")
    scenario.pass_on("2C AS")
    assert scenario.pass_on("AS QS")[-1] == PlayBegan(SEATS[2])
    assert scenario.view(2).legal_cards == cards("2C")
    scenario = swapping(0, first_lead="two_of_clubs")
    scenario.pass_on("2C AS")
    assert scenario.pass_on("2C QS")[-1] == PlayBegan(SEATS[0]), "it came back"


@pytest.mark.rule("R99")
def test_both_partners_still_see_in_their_views_which_cards_were_passed() -> None:
    scenario = swapping(0)
    assert not any(scenario.view(seat).passed or scenario.view(seat).received for seat in SEATS)
    scenario.pass_on("AS 2C", "4C QS")
    for table in (scenario.table, replayed(scenario.log)):
        seen = [view_for(seat, table) for seat in (*SEATS, None)]
        assert [view.passed for view in seen] == [cards("AS 2C"), (), cards("4C QS"), (), ()]
        assert [view.received for view in seen] == [cards("4C QS"), (), cards("AS 2C"), (), ()]
    scenario.play_out()
    assert scenario.view(0).passed == cards("AS 2C"), "as long as this hand is shown"
    scenario.do(DealHand(SWAP))
    assert not any(scenario.view(seat).passed or scenario.view(seat).received for seat in SEATS)


@pytest.mark.rule("R99")
def test_two_blind_partners_exchange_once_and_may_give_back_what_they_got() -> None:
    scenario = swapping(0, 2)
    assert scenario.hand.to_pass == (0, 2)
    scenario.pass_on("AS 2C", "AS 2C")
    assert set(cards("AS 2C")) <= set(scenario.view(0).hand)
