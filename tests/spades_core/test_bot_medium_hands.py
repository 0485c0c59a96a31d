"""The medium bot over many hands: mistakes it never makes, and how well it plays."""

from collections.abc import Iterator
from random import Random

import pytest

from spades_core.bots.engine.auction import Auction
from spades_core.bots.levels import medium
from spades_core.bots.levels.medium.hand_evaluation import expected_tricks
from spades_core.bots.levels.medium.medium_observation import DECK_SUITS
from spades_core.cards import Card
from spades_core.commands import DealHand, PlaceBid, PlayCard
from spades_core.deck import STANDARD, shuffled
from spades_core.legal import winning_seat
from spades_core.ruleset import CLASSIC
from spades_core.seats import Seat, partner_of, side_of
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.scale import cases
from tests.spades_core.scenarios import after_hands, started, with_hidden_cards_redealt


class RandomBot:
    """Bids 1 to 4 and plays any legal card."""

    @staticmethod
    def choose_bid(_view: SeatView, rng: Random) -> int:
        return rng.choice((1, 2, 3, 4))

    @staticmethod
    def choose_card(view: SeatView, rng: Random) -> Card:
        return rng.choice(view.legal_cards)


def decisions(seed: int, hands: int) -> Iterator[tuple[Table, Seat, SeatView, Card]]:
    """Play hands of four medium bots; yield before each card the table, the seat, its view and its card."""
    rng = Random(seed)
    for number in range(hands):
        scenario = started(dealer=number % 4)
        scenario.do(DealHand(shuffled(rng)))
        while scenario.table.turn is not None:
            seat = scenario.table.turn
            view = scenario.view(seat)
            if scenario.table.phase == "bidding":
                bid = medium.choose_bid(view, rng)
                assert bid in view.legal_bids
                scenario.do(PlaceBid(seat, bid))
                continue
            card = medium.choose_card(view, rng)
            assert card in view.legal_cards
            yield scenario.table, seat, view, card
            scenario.do(PlayCard(seat, card))


def wins(view: SeatView, card: Card) -> bool:
    """Return whether this card, the last of the trick, wins it."""
    assert view.trick is not None
    return winning_seat(STANDARD, view.trick.leader, (*view.trick.cards, card)) == view.you


def test_fourth_hand_leaves_its_partners_trick_and_wins_cheaply() -> None:
    last, left_to_partner, won = 0, 0, 0
    for _, seat, view, card in decisions(11, 400):
        if view.trick is None or len(view.trick.cards) < 3:
            continue
        last += 1
        partner = view.seats[partner_of(seat)]
        winners = [legal for legal in view.legal_cards if wins(view, legal)]
        if view.trick.winning == partner_of(seat) and (partner.bid != 0 or partner.taken):
            left_to_partner += 1
            assert card not in winners or len(winners) == len(view.legal_cards), (view, card)
        if card in winners:
            won += 1
            assert card == min(_no_spades_if_possible(winners), key=STANDARD.bit.__getitem__), (view, card)
    assert last > 4000
    assert left_to_partner > 800
    assert won > 800


def _no_spades_if_possible(winners: list[Card]) -> list[Card]:
    return [card for card in winners if card[1] != "S"] or winners


def test_with_a_nil_it_takes_no_trick_that_it_could_lose() -> None:
    seen = 0
    for _, seat, view, card in decisions(12, 400):
        me = view.seats[seat]
        if me.bid != 0 or me.taken or view.trick is None:
            continue
        losers = [legal for legal in view.legal_cards if _stays_under(view, legal)]
        seen += 1
        assert card in losers or not losers
    assert seen > 500


def _stays_under(view: SeatView, card: Card) -> bool:
    assert view.trick is not None
    return winning_seat(STANDARD, view.trick.leader, (*view.trick.cards, card)) != view.you


def test_fourth_hand_loses_the_trick_if_it_can_when_all_contracts_are_made() -> None:
    seen = 0
    for _, seat, view, card in decisions(13, 300):
        ours, theirs = view.sides[side_of(seat)], view.sides[1 - side_of(seat)]
        partner = view.seats[partner_of(seat)]
        if view.trick is None or len(view.trick.cards) < 3 or (partner.bid == 0 and not partner.taken):
            continue
        assert ours.contract is not None
        assert theirs.contract is not None
        if ours.taken < ours.contract or theirs.taken < theirs.contract:
            continue
        seen += 1
        assert not wins(view, card) or all(wins(view, other) for other in view.legal_cards)
    assert seen > 100


@pytest.mark.rule("R70")
def test_unseen_cards_do_not_change_its_card() -> None:
    rng, seen = Random(15), 0
    for table, seat, view, card in decisions(14, 60):
        swapped = with_hidden_cards_redealt(table, seat, rng)
        other = view_for(seat, swapped)
        assert other == view
        stream = rng.randrange(2**32)
        assert medium.choose_card(other, Random(stream)) == medium.choose_card(view, Random(stream))
        seen += table != swapped
        assert card in other.legal_cards
    assert seen > 1000


@pytest.mark.rule("R70")
def test_unseen_cards_do_not_change_its_bid() -> None:
    rng = Random(16)
    for _ in range(200):
        scenario = started(dealer=rng.randrange(4))
        scenario.do(DealHand(shuffled(rng)))
        while scenario.table.phase == "bidding":
            seat = scenario.table.turn
            assert seat is not None
            stream = rng.randrange(2**32)
            bid = medium.choose_bid(scenario.view(seat), Random(stream))
            swapped = with_hidden_cards_redealt(scenario.table, seat, rng)
            assert medium.choose_bid(view_for(seat, swapped), Random(stream)) == bid
            scenario.do(PlaceBid(seat, bid))


def test_it_beats_a_random_bot_and_makes_its_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    """Every deal is played twice with sides swapped; a bag costs a tenth of the penalty."""
    rng, points, contracts, made, bags, hands = Random(17), [0, 0], 0, 0, 0, 0
    for number in range(cases(200, 1000)):
        deck = shuffled(rng)
        for ours in (0, 1):
            sheet = _hand_of(deck, number % 4, ours, rng)
            for side, result in enumerate(sheet.sides):
                points[side != ours] += result.points - 9 * result.bags
            result = sheet.sides[ours]
            contracts += result.contract > 0
            made += 0 < result.contract <= result.taken
            bags += result.bags
            hands += 1
    margin = (points[0] - points[1]) / hands
    with capsys.disabled():
        print(
            f"\nmedium against random, {hands} hands: {margin:+.1f} points a hand,"
            f" contracts made {made / contracts:.1%}, {bags / hands:.2f} bags a hand"
        )
    assert margin > 40
    assert made / contracts > 0.9


def test_against_itself_it_makes_most_contracts_and_few_bags(capsys: pytest.CaptureFixture[str]) -> None:
    rng, contracts, made, over, nils, nils_made, sides = Random(18), 0, 0, 0, 0, 0, 0
    for number in range(cases(200, 1000)):
        sheet = _hand_of(shuffled(rng), number % 4, None, rng)
        for result in sheet.sides:
            sides += 1
            contracts += result.contract > 0
            made += 0 < result.contract <= result.taken
            over += result.taken - result.contract
            nils += sum(line.kind.startswith("nil") for line in result.lines)
            nils_made += sum(line.kind == "nil_made" for line in result.lines)
    with capsys.disabled():
        print(
            f"\nmedium against itself: contracts made {made / contracts:.1%}, tricks beyond the bid"
            f" {over / sides:+.2f} a side, nils {nils / sides:.2f} a side, made {nils_made / nils:.0%}"
        )
    assert made / contracts > 0.85
    assert -0.3 < over / sides < 1.2
    assert 0.1 < nils / sides < 0.35
    assert nils_made / nils > 0.7


def _hand_of(deck, dealer: int, ours: int | None, rng: Random):
    """The scores of one hand: medium on side `ours`, or on both, else a random bot."""
    scenario = started(dealer=dealer)
    scenario.do(DealHand(deck))
    while (seat := scenario.table.turn) is not None:
        bot = medium if ours is None or side_of(seat) == ours else RandomBot
        view = view_for(seat, scenario.table)
        if scenario.table.phase == "bidding":
            scenario.do(PlaceBid(seat, bot.choose_bid(view, rng)))
        else:
            scenario.do(PlayCard(seat, bot.choose_card(view, rng)))
    assert scenario.table.game is not None
    return scenario.table.game.sheet[-1]


def test_no_bid_loses_the_game_if_made_unless_all_near_ones_do() -> None:
    """The last bidder near the end of a game: both contracts are made, or ours sets theirs."""
    rng, close = Random(19), 0
    for _ in range(1500):
        scores = rng.randrange(330, 490), rng.randrange(400, 499)
        scenario = after_hands(scores, dealer=0)
        scenario.do(DealHand(shuffled(rng)))
        left, partner, right = rng.randrange(1, 6), rng.randrange(1, 6), rng.randrange(1, 6)
        scenario.bid(left, partner, right)
        bid = medium.choose_bid(scenario.view(0), rng)
        lost = [other for other in range(1, 14 - partner) if _lost_when_made(other + partner, left + right, scores)]
        close += 0 < len(lost) < 13 - partner
        if bid in lost:
            tricks = expected_tricks(DECK_SUITS["standard"], scenario.hand.held[0])
            assert all(other in lost for other in range(1, int(tricks) + 4) if other + partner <= 13)
    assert close > 500


def _lost_when_made(ours: int, theirs: int, scores: tuple[int, int]) -> bool:
    they_have = scores[1] + (10 * theirs if ours + theirs <= 13 else -10 * theirs)
    return they_have >= 500 and they_have > scores[0] + 10 * ours


def test_bids_that_win_or_lose_the_game_if_made() -> None:
    def auction(score: int, their_score: int, partner: int, *theirs: int) -> Auction:
        nil_points = 100 * (partner == 0), 100 * theirs.count(0)
        return Auction(CLASSIC, partner, (theirs[0], theirs[1]), score, their_score, *nil_points)

    assert auction(430, 440, 3, 4, 2).loses_even_if_made(3)
    assert not auction(430, 440, 3, 4, 2).loses_even_if_made(5), "510 against their 500, and 14 tricks bid"
    assert not auction(430, 440, 3, 4, 3).loses_even_if_made(4), "14 tricks bid: ours made sets theirs"
    assert auction(300, 440, 3, 6, 0).loses_even_if_made(2), "their nil counts too"
    assert auction(380, 300, 2, 4, 4).wins_if_made(0), "a nil reaches the target"
    assert not auction(400, 430, 3, 4, 4).wins_if_made(4), "short of 500"
    assert not auction(0, 0, 3, 4, 2).loses_even_if_made(3)
