"""What the medium bot never does in any hand, and how well it plays over many."""

from collections.abc import Iterator
from random import Random

import pytest

from spades_core.bots.engine.auction import Auction, loses_even_if_made, wins_if_made
from spades_core.bots.levels import medium
from spades_core.bots.levels.medium.hand_evaluation import expected_tricks
from spades_core.bots.levels.medium.medium_observation import SUITS
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
    """Bids 1 to 4 and plays any legal card: what every bot has to beat by far."""

    @staticmethod
    def choose_bid(_view: SeatView, rng: Random) -> int:
        return rng.choice((1, 2, 3, 4))

    @staticmethod
    def choose_card(view: SeatView, rng: Random) -> Card:
        return rng.choice(view.legal_cards)


def decisions(seed: int, hands: int) -> Iterator[tuple[Table, Seat, SeatView, Card]]:
    """Whole hands of four medium bots: before each card the table, the seat, its view, and the card it chose."""
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
    """Whether this card, the last of a trick, takes it."""
    assert view.trick is not None
    return winning_seat(STANDARD, view.trick.leader, (*view.trick.cards, card)) == view.you


def test_from_the_last_seat_it_takes_no_trick_from_its_partner_and_none_too_dearly() -> None:
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
            assert card == min(_of_the_cheapest_kind(winners), key=STANDARD.bit.__getitem__), (view, card)
    assert last > 4000
    assert left_to_partner > 800
    assert won > 800


def _of_the_cheapest_kind(winners: list[Card]) -> list[Card]:
    return [card for card in winners if card[1] != "S"] or winners


def test_with_a_nil_it_never_takes_a_trick_it_could_leave() -> None:
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


def test_its_contract_made_and_no_set_in_reach_it_loses_the_trick_if_it_can() -> None:
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
def test_unseen_cards_do_not_change_what_it_does() -> None:
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
def test_unseen_cards_do_not_change_what_it_bids() -> None:
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


def test_it_beats_a_random_bot_by_far_and_makes_its_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    """Every deal twice with sides swapped; each bag counted as the tenth of a penalty that it is."""
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


def test_among_its_like_it_makes_most_contracts_and_few_bags(capsys: pytest.CaptureFixture[str]) -> None:
    rng, contracts, made, over, nils, kept, sides = Random(18), 0, 0, 0, 0, 0, 0
    for number in range(cases(200, 1000)):
        sheet = _hand_of(shuffled(rng), number % 4, None, rng)
        for result in sheet.sides:
            sides += 1
            contracts += result.contract > 0
            made += 0 < result.contract <= result.taken
            over += result.taken - result.contract
            nils += sum(line.kind.startswith("nil") for line in result.lines)
            kept += sum(line.kind == "nil_made" for line in result.lines)
    with capsys.disabled():
        print(
            f"\nmedium among its like: contracts made {made / contracts:.1%}, tricks beyond the bid"
            f" {over / sides:+.2f} a side, nils {nils / sides:.2f} a side, kept {kept / nils:.0%}"
        )
    assert made / contracts > 0.85
    assert -0.3 < over / sides < 1.2
    assert 0.1 < nils / sides < 0.35
    assert kept / nils > 0.7


def _hand_of(deck, dealer: int, ours: int | None, rng: Random):
    """The score of one hand; medium sits on side `ours`, or everywhere, and a random bot elsewhere."""
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


def test_no_bid_loses_the_game_when_made_while_a_near_one_does_not() -> None:
    """The fourth bidder near the end of many games: both sides make what they bid, or ours sets theirs."""
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
            worth = expected_tricks(SUITS["standard"], scenario.hand.held[0])
            assert all(other in lost for other in range(1, int(worth) + 4) if other + partner <= 13)
    assert close > 500


def _lost_when_made(ours: int, theirs: int, scores: tuple[int, int]) -> bool:
    they_have = scores[1] + (10 * theirs if ours + theirs <= 13 else -10 * theirs)
    return they_have >= 500 and they_have > scores[0] + 10 * ours


def test_what_bids_are_worth_at_the_end_of_a_game() -> None:
    def auction(score: int, their_score: int, partner: int, *theirs: int) -> Auction:
        nils = 100 * (partner == 0), 100 * theirs.count(0)
        return Auction(CLASSIC, partner, (theirs[0], theirs[1]), score, their_score, *nils)

    assert loses_even_if_made(3, auction(430, 440, 3, 4, 2))
    assert not loses_even_if_made(5, auction(430, 440, 3, 4, 2)), "510 against their 500, and 14 tricks bid"
    assert not loses_even_if_made(4, auction(430, 440, 3, 4, 3)), "14 tricks bid: ours made sets theirs"
    assert loses_even_if_made(2, auction(300, 440, 3, 6, 0)), "their nil counts, too"
    assert wins_if_made(0, auction(380, 300, 2, 4, 4)), "a nil made brings us there"
    assert not wins_if_made(4, auction(400, 430, 3, 4, 4)), "short of 500"
    assert not loses_even_if_made(3, auction(0, 0, 3, 4, 2))
