"""Blind nil: to whom it is offered, how it is bid, and the two cards that partners exchange."""

import pytest

from spades_core.cards import Card
from spades_core.commands import DealHand, LookAtHand, PassCards, PlaceBid, PlayCard
from spades_core.events import BidPlaced, CardsPassed, HandDealt, HandLookedAt, PlayBegan
from spades_core.seats import SEATS
from spades_core.views import view_for
from tests.spades_core.core_stories import SUIT_EACH, Story, after_hands, cards, deal, dealt, replayed, started
from tests.spades_core.rule_sets import rules_with

DOWN = {"none": (False,) * 4, "ours": (True, False, True, False), "theirs": (False, True, False, True)}
OUR_HANDS = tuple(SUIT_EACH[place : place + 13] for place in (0, 13, 26, 39))


def behind(blind_nil: str = "on", scores=(0, 100), deck=SUIT_EACH, **switches) -> Story:
    """Seats 0 and 2 are a hundred behind; seat 0 bids first."""
    story = after_hands(scores, rules=rules_with(blind_nil=blind_nil, floor=None, **switches))
    story.do(DealHand(deck))
    return story


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
    story = behind(blind_nil, scores)
    assert story.log[-1] == HandDealt(2, SEATS[3], OUR_HANDS, DOWN[down])
    assert story.hand.face_down == DOWN[down]
    for seat in SEATS:
        view = story.view(seat)
        assert view.may_look == DOWN[down][seat]
        assert len(view.hand) == (0 if view.may_look else 13)
        assert [seen.face_down for seen in story.view(None).seats] == list(DOWN[down])
        assert view.seats[seat].cards_left == 13


@pytest.mark.rule("R97", "R25")
def test_where_it_is_off_no_hand_lies_face_down() -> None:
    story = after_hands((0, 400))
    story.do(DealHand(SUIT_EACH))
    assert story.hand.face_down == DOWN["none"]
    assert story.refuses(PlaceBid(SEATS[0], 0, blind=True), "not_blind")


@pytest.mark.rule("R97")
def test_looking_shows_the_hand_to_its_owner_and_ends_the_offer() -> None:
    story = behind()
    assert story.do(LookAtHand(SEATS[2])) == (HandLookedAt(SEATS[2], tuple(reversed(OUR_HANDS[2]))),)
    assert set(story.view(2).hand) == set(OUR_HANDS[2])
    assert story.hand.face_down == (True, False, False, False)
    assert not story.view(2).may_look
    assert story.do(LookAtHand(SEATS[2])) == (), "looking again changes nothing"
    story.look()
    story.bid(3, 3)
    assert not story.view(2).may_bid_blind
    story.refuses(PlaceBid(SEATS[2], 0, blind=True), "not_blind")
    assert story.bid(0) == (BidPlaced(SEATS[2], 0),)


@pytest.mark.rule("R97")
def test_looking_where_nothing_lies_face_down_changes_nothing() -> None:
    assert started().do(LookAtHand(SEATS[0])) == ()
    assert dealt().do(LookAtHand(SEATS[0])) == ()
    assert behind().do(LookAtHand(SEATS[1])) == ()


@pytest.mark.rule("R98")
def test_only_nil_is_bid_on_a_hand_face_down() -> None:
    story = behind()
    view = story.view(0)
    assert (view.may_look, view.may_bid_blind, view.legal_bids, view.hand) == (True, True, (), ())
    for bid in range(14):
        assert "face down" in story.refuses(PlaceBid(SEATS[0], bid), "look_first")
    for bid in range(1, 14):
        story.refuses(PlaceBid(SEATS[0], bid, blind=True), "not_blind")
    for seat in (1, 2, 3):
        assert not story.view(seat).may_bid_blind
        story.refuses(PlaceBid(SEATS[seat], 0, blind=True), "not_your_turn")


@pytest.mark.rule("R98")
def test_a_blind_nil_is_seen_and_turns_the_hand_up() -> None:
    story = behind()
    turned_up = HandLookedAt(SEATS[0], tuple(reversed(OUR_HANDS[0])))
    assert story.bid_blind() == (BidPlaced(SEATS[0], 0, blind=True), turned_up)
    assert (story.hand.bids[0], story.hand.blind[0], story.hand.face_down[0]) == (0, True, False)
    assert len(story.view(0).hand) == 13
    assert [seat.blind for seat in story.view(3).seats] == [True, False, False, False]
    story.bid(3)
    assert story.view(2).may_bid_blind, "the partner's hand still lies face down"


@pytest.mark.rule("R98")
@pytest.mark.parametrize(
    ("switches", "bids"),
    [({"double_nil": "forbidden"}, (0, 4)), ({"min_bid": "side_four"}, (3, 4)), ({"sum_not_13": True}, (5, 8))],
)
def test_a_nil_that_is_not_allowed_is_not_allowed_blind(switches, bids) -> None:
    story = behind(**switches)
    story.look()
    story.bid(*bids)
    if "sum_not_13" in switches:
        story = after_hands((100, 0), rules=rules_with(blind_nil="on", **switches))
        story.do(DealHand(SUIT_EACH))
        story.bid(5)
        story.look()
        story.bid(4, 4)
    assert not story.view(story.table.turn).may_bid_blind
    story.refuses(PlaceBid(story.table.turn, 0, blind=True), "bid_not_allowed")
    story.look()
    story.refuses(PlaceBid(story.table.turn, 0), "bid_not_allowed")


@pytest.mark.rule("R98", "R92")
def test_without_a_swap_play_begins_after_the_bids() -> None:
    story = behind()
    story.bid_blind()
    story.bid(3)
    story.bid_blind()
    assert story.bid(2)[-1] == PlayBegan(SEATS[0])
    assert story.table.phase == "playing"


SWAP = deal("S A C 2", "S K C 3", "S Q C 4", "S J C 5")


def swapping(*blind: int, scores=(0, 100), **switches) -> Story:
    """All have bid, these seats blind nil, the others three."""
    story = behind("swap", scores, SWAP, **switches)
    while story.table.phase == "bidding":
        assert story.table.turn is not None
        if story.table.turn in blind:
            story.bid_blind()
            continue
        story.look()
        story.bid(3)
    return story


@pytest.mark.rule("R99")
def test_a_blind_nil_passes_two_cards_and_gets_two_back() -> None:
    story = swapping(2)
    assert (story.table.phase, story.table.turn, story.hand.to_pass) == ("passing", 2, (2, 0))
    assert [story.view(seat).to_pass for seat in SEATS] == [0, 0, 2, 0]
    assert story.pass_on("QS 4C") == (CardsPassed(SEATS[2], SEATS[0], cards("QS 4C")),)
    assert [seat.cards_left for seat in story.view(None).seats] == [15, 13, 11, 13]
    assert set(cards("AS QS 2C 4C")) <= set(story.view(0).hand)
    assert [story.view(seat).to_pass for seat in SEATS] == [2, 0, 0, 0]
    assert story.pass_on("2C QS") == (CardsPassed(SEATS[0], SEATS[2], cards("2C QS")), PlayBegan(SEATS[0]))
    assert set(cards("QS 2C")) <= set(story.view(2).hand)
    assert [seat.cards_left for seat in story.view(None).seats] == [13, 13, 13, 13]
    assert [held.bit_count() for held in story.hand.held] == [13, 13, 13, 13]
    assert story.table.phase == "playing"


@pytest.mark.rule("R99")
@pytest.mark.parametrize(("blind", "order"), [((0,), (0, 2)), ((2,), (2, 0)), ((0, 2), (0, 2)), ((), ())])
def test_who_passes_in_which_order(blind, order) -> None:
    assert swapping(*blind).hand.to_pass == order


@pytest.mark.rule("R99")
def test_only_the_seat_on_turn_passes_and_two_cards_of_its_own() -> None:
    story = swapping(2)
    story.refuses(PassCards(SEATS[0], cards("AS 2C")), "not_your_turn")
    story.refuses(PassCards(SEATS[2], cards("QS")), "two_cards")
    story.refuses(PassCards(SEATS[2], cards("QS QS")), "two_cards")
    story.refuses(PassCards(SEATS[2], cards("QS QS 4C")), "two_cards")
    story.refuses(PassCards(SEATS[2], ()), "two_cards")
    story.refuses(PassCards(SEATS[2], (*cards("QS 4C"), story.view(2).hand[5])), "two_cards")
    assert story.refuses(PassCards(SEATS[2], cards("QS AS")), "not_in_hand") == "You do not hold AS."
    story.refuses(PassCards(SEATS[2], cards("QS BS")), "not_in_hand")
    story.refuses(PassCards(SEATS[2], (Card("QS"), Card("1S"))), "no_card")
    story.refuses(PlaceBid(SEATS[2], 3), "wrong_phase")
    assert story.refuses(PlayCard(SEATS[2], Card("QS")), "wrong_phase") == "Not now: cards are being passed."
    story.refuses(DealHand(SWAP), "wrong_phase")


@pytest.mark.rule("R99")
def test_nothing_is_passed_at_any_other_time() -> None:
    story = behind("swap", deck=SWAP)
    for _ in range(2):
        story.refuses(PassCards(SEATS[0], cards("AS 2C")), "wrong_phase")
        story.look()
        story.bid(3)
        story = swapping()
        story.refuses(PassCards(SEATS[0], cards("AS 2C")), "wrong_phase")
        story = behind("on", deck=SWAP)
        story.bid_blind()
        story.bid(3)


@pytest.mark.rule("R99", "R106")
def test_the_cards_passed_may_hold_the_first_lead() -> None:
    story = swapping(0, first_lead="two_of_clubs")
    story.pass_on("2C AS")
    assert story.pass_on("AS QS")[-1] == PlayBegan(SEATS[2])
    assert story.view(2).legal_cards == cards("2C")
    story = swapping(0, first_lead="two_of_clubs")
    story.pass_on("2C AS")
    assert story.pass_on("2C QS")[-1] == PlayBegan(SEATS[0]), "it came back"


@pytest.mark.rule("R99")
def test_both_partners_still_see_in_their_views_which_cards_were_passed() -> None:
    story = swapping(0)
    assert not any(story.view(seat).passed or story.view(seat).received for seat in SEATS)
    story.pass_on("AS 2C", "4C QS")
    for table in (story.table, replayed(story.log)):
        seen = [view_for(seat, table) for seat in (*SEATS, None)]
        assert [view.passed for view in seen] == [cards("AS 2C"), (), cards("4C QS"), (), ()]
        assert [view.received for view in seen] == [cards("4C QS"), (), cards("AS 2C"), (), ()]
    story.play_out()
    assert story.view(0).passed == cards("AS 2C"), "as long as this hand is shown"
    story.do(DealHand(SWAP))
    assert not any(story.view(seat).passed or story.view(seat).received for seat in SEATS)


@pytest.mark.rule("R99")
def test_two_blind_partners_exchange_once_and_may_give_back_what_they_got() -> None:
    story = swapping(0, 2)
    assert story.hand.to_pass == (0, 2)
    story.pass_on("AS 2C", "AS 2C")
    assert set(cards("AS 2C")) <= set(story.view(0).hand)
