"""The blunders: each with its rule, its bound, and the check that detects it in one decision.

A check returns None if the situation gave no opportunity for the blunder, otherwise
whether it was made.
"""

from collections.abc import Callable
from dataclasses import dataclass

from arena.blunders.inference import Knowledge, bits_of, cards_above
from spades_core.scoring import contract_points, nil_value
from spades_core.seats import Seat, next_seat, partner_of
from spades_core.views import SeatView

RARE = 0.01
"""Bound of blunders that can be right although they look wrong from one seat."""
MAX_EXTRA_SETS = 0.05
TRICKS_BEYOND_BID = (-0.3, 1.0)
CLOSE_BIDS = 2
"""A bid loses the game needlessly if one at most this much higher does not."""


@dataclass(frozen=True, slots=True)
class Blunder:
    """`max_rate` bounds the occurrences per opportunity; None if another figure is bounded."""

    key: str
    title: str
    rule: str
    max_rate: float | None = 0.0


BLUNDERS = (
    Blunder(
        "a",
        "is set beside a nil",
        "The contract beside a partner's nil fails at most 5 percentage points more often than that of a side without "
        "a nil.",
        None,
    ),
    Blunder(
        "b",
        "wastes winners against a nil",
        "While an opponent's nil is alive, and its own is not, and it has no more sure winners than its side needs "
        "tricks, it does not discard one of them on a trick that it does not win if it has another card that is "
        "neither a spade nor the highest left of its suit; and if its side needs all remaining tricks, it wins the "
        "trick from the last seat when it can.",
        RARE,
    ),
    Blunder(
        "c",
        "beats its winning partner",
        "In the last seat it does not beat its winning partner, who did not bid nil, if it has another card.",
    ),
    Blunder(
        "d",
        "wins with too high a card",
        "When it wins a trick in the last seat while its side needs tricks and its own nil is not alive, it plays its "
        "lowest winner or one of equal value.",
    ),
    Blunder(
        "e",
        "bids far from its tricks",
        "On average a side takes between 0.3 tricks fewer and 1.0 more than it bid.",
        None,
    ),
    Blunder(
        "e+",
        "takes an avoidable bag",
        "When its contract is made, the opponents' is made or set, and no nil is alive, it does not win a trick from "
        "an opponent in the last seat if it can avoid it.",
        RARE,
    ),
    Blunder(
        "f",
        "bids to lose the game",
        "As the last bidder it makes no bid that loses the game even if all contracts are made, if a bid one or two "
        "tricks higher would not.",
    ),
    Blunder(
        "g",
        "bids nil after partner's nil",
        "It does not bid nil after a nil or blind nil of its partner if another bid is legal.",
    ),
    Blunder(
        "h",
        "minds bags that do not count",
        "When bags are switched off, its decisions do not depend on the bag counts.",
    ),
    Blunder(
        "i",
        "does not set the opponents",
        "When its contract is made, its partner has played to the trick, and the opponents need all remaining tricks, "
        "it wins the trick if no later player is known to beat its card, unless an opponent's nil or its own is "
        "alive, the bag brings a penalty, or it keeps the highest spade for later.",
        RARE,
    ),
    Blunder(
        "j",
        "covers a broken nil",
        "It does not beat its partner, whose nil is broken and whose card no later player is known to beat, if it has "
        "another card.",
    ),
    Blunder(
        "hidden",
        "depends on hidden cards",
        "Its decisions do not change when cards that it cannot see are redealt from the first bid on.",
    ),
)


def wastes_winners(known: Knowledge, bit: int, _view: SeatView) -> bool | None:
    sure, winners = known.sure_winners, known.winners
    if not known.best or not known.opponent_nil_alive or known.nil_alive(known.seat):
        return None
    if not 1 <= known.needed <= known.tricks_left:
        return None
    needs_all = known.needed == known.tricks_left and known.plays_last and known.winning in known.opponents
    if needs_all and winners and known.legal & ~winners:
        return not bit & winners
    wasted, alternatives = known.legal & sure & ~winners, known.legal & ~known.top_cards & ~known.deck.spades
    if not wasted or not alternatives or sure.bit_count() > known.needed:
        return None
    return bool(bit & wasted)


def beats_partner(known: Knowledge, bit: int, _view: SeatView) -> bool | None:
    if not known.plays_last or known.winning != known.partner or not known.bids[known.partner]:
        return None
    return _wins_although_avoidable(known, bit)


def wins_too_high(known: Knowledge, bit: int, _view: SeatView) -> bool | None:
    winners = known.winners
    if not known.plays_last or not bit & winners or known.needed <= 0 or known.nil_alive(known.seat):
        return None
    if winners.bit_count() == 1:
        return None
    lowest = winners & -winners
    return bool(known.unseen & cards_above(lowest) & (bit - 1))


def takes_avoidable_bag(known: Knowledge, bit: int, _view: SeatView) -> bool | None:
    if not known.plays_last or known.winning not in known.opponents:
        return None
    if known.needed > 0 or 0 < known.opponents_need <= known.tricks_left:
        return None
    if known.opponent_nil_alive or known.nil_alive(known.seat) or known.nil_alive(known.partner):
        return None
    return _wins_although_avoidable(known, bit)


def misses_set(known: Knowledge, bit: int, view: SeatView) -> bool | None:
    side = view.sides[known.seat & 1]
    if known.winning not in known.opponents or known.partner in known.later_seats:
        return None
    if known.needed > 0 or known.opponents_need != known.tricks_left:
        return None
    if known.opponent_nil_alive or known.nil_alive(known.seat):
        return None
    sure = sum(winner for winner in bits_of(known.winners) if known.holds(winner))
    limit, spades = view.rules.bag_limit, known.deck.spades
    if not sure or not known.legal & ~sure or (limit is not None and side.bags + side.new_bags + 1 >= limit):
        return None
    if (known.held & spades).bit_length() > (known.unseen & spades).bit_length():
        return None
    return not bit & sure


def covers_broken_nil(known: Knowledge, bit: int, view: SeatView) -> bool | None:
    partner = known.partner
    if known.winning != partner or known.bids[partner] or not known.taken[partner] or not known.holds(known.best):
        return None
    if known.needed > 0 and view.rules.failed_nil_tricks != "help":
        return None
    return _wins_although_avoidable(known, bit)


def _wins_although_avoidable(known: Knowledge, bit: int) -> bool | None:
    winners = known.winners
    return bool(bit & winners) if winners and known.legal & ~winners else None


CARD_CHECKS: dict[str, Callable[[Knowledge, int, SeatView], bool | None]] = {
    "b": wastes_winners,
    "c": beats_partner,
    "d": wins_too_high,
    "e+": takes_avoidable_bag,
    "i": misses_set,
    "j": covers_broken_nil,
}


def bids_to_lose(view: SeatView, bid: int) -> bool | None:
    """Blunder f, for the last bidder."""
    highest = 13 - (view.seats[partner_of(seat_of(view))].bid or 0)
    loses = {other: _loses_although_made(view, other) for other in view.legal_bids if other <= highest}
    higher = {
        other: [loses[more] for more in range(other + 1, other + 1 + CLOSE_BIDS) if more in loses] for other in loses
    }
    if not any(loses[other] and not all(higher[other]) for other in loses):
        return None
    return loses.get(bid, False) and not all(higher[bid])


def _loses_although_made(view: SeatView, bid: int) -> bool:
    """Return whether the opponents win the game although the bid is made; they are set if all bids exceed 13 tricks."""
    seat, rules = seat_of(view), view.rules
    partner, left, right = view.seats[partner_of(seat)], view.seats[next_seat(seat)], view.seats[next_seat(seat, 3)]
    ours, theirs = view.sides[seat & 1].score, view.sides[1 - (seat & 1)].score
    contract, their_contract = bid + (partner.bid or 0), (left.bid or 0) + (right.bid or 0)
    ours += contract_points(rules, contract) + sum(
        nil_value(rules, blind) for other, blind in ((bid, False), (partner.bid, partner.blind)) if other == 0
    )
    points = contract_points(rules, their_contract)
    theirs += points if contract + their_contract <= 13 else -points
    theirs += sum(nil_value(rules, opponent.blind) for opponent in (left, right) if opponent.bid == 0)
    return theirs >= rules.target and theirs > ours


def bids_second_nil(view: SeatView, bid: int) -> bool | None:
    """Blunder g."""
    if view.seats[partner_of(seat_of(view))].bid != 0 or 0 not in view.legal_bids or len(view.legal_bids) == 1:
        return None
    return bid == 0


def seat_of(view: SeatView) -> Seat:
    assert view.you is not None
    return view.you
