"""`fast_view`: the same views as `view_for`, computed faster by caching their parts.

While a hand is played, the public state of a seat or a side takes few values, and
consecutive views differ only in the cards and the trick.
"""

from functools import lru_cache

from spades_core.deck import DECKS
from spades_core.evolve import current_hand
from spades_core.legal import illegal_reason, legal_cards, winning_seat
from spades_core.ruleset import RuleSet
from spades_core.scoring import tricks_and_bags
from spades_core.seats import BySide, Seat
from spades_core.state import Hand, Table
from spades_core.views import PublicSeat, PublicSide, PublicTrick, SeatView, view_for

_public_seat = lru_cache(1 << 16)(PublicSeat)


def fast_view(seat: Seat, table: Table) -> SeatView:
    """Return `view_for(seat, table)` of the seat to act, with bots on all seats and nobody ready for the next hand."""
    if table.phase != "playing":
        return view_for(seat, table)
    hand, game, rules = current_hand(table), table.game, table.rules
    assert game is not None
    deck, held, playable = DECKS[rules.deck], hand.held[seat], legal_cards(rules, hand, seat)
    cards, trick, bids, taken = deck.cards_in(held), hand.trick, hand.bids, hand.taken
    seats = _seat(table, hand, 0), _seat(table, hand, 1), _seat(table, hand, 2), _seat(table, hand, 3)
    return SeatView(
        code=table.code,
        rules=rules,
        phase="playing",
        you=seat,
        host=table.host,
        seats=seats,
        sides=(
            _side(rules, game.scores[0], game.bags[0], (bids[0], bids[2]), (taken[0], taken[2])),
            _side(rules, game.scores[1], game.bags[1], (bids[1], bids[3]), (taken[1], taken[3])),
        ),
        hand_number=hand.number,
        dealer=hand.dealer,
        turn=seat,
        hand=cards,
        legal_cards=cards if playable == held else deck.cards_in(playable),
        legal_bids=(),
        may_look=False,
        may_bid_blind=False,
        to_pass=0,
        passed=hand.passed[seat],
        received=hand.passed[seat ^ 2],
        barred=None if playable == held else illegal_reason(rules, hand, seat)[1],
        trick=PublicTrick(hand.leader, trick, winning_seat(deck, hand.leader, trick)) if trick else None,
        tricks=hand.tricks,
        broken=hand.broken,
        outcome=None,
    )


def _seat(table: Table, hand: Hand, seat: int) -> PublicSeat:
    occupant, played = table.seats[seat], (seat - hand.leader) & 3 < len(hand.trick)
    name, left = occupant.name if occupant else "", 13 - len(hand.tricks) - played
    return _public_seat(
        "bot", name, False, None, hand.bids[seat], hand.blind[seat], False, hand.taken[seat], left, False
    )


@lru_cache(1 << 16)
def _side(rules: RuleSet, score: int, bags: int, bids: tuple[int | None, int | None], taken: BySide[int]) -> PublicSide:
    first, second = bids[0] or 0, bids[1] or 0
    helping, new_bags = tricks_and_bags(rules, (first, second), taken)
    return PublicSide(score, bags, first + second, sum(taken), helping, new_bags)
