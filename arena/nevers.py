"""What a bot never does: each a sentence, its bound, and the function that judges one choice.

A judge answers None when there was no chance to do it, else whether it was done.
"""

from collections.abc import Callable
from dataclasses import dataclass

from arena.known import Known, above, bits_of
from spades_core.scoring import contract_points, nil_value
from spades_core.seats import Seat, next_seat, partner_of
from spades_core.views import SeatView

SELDOM = 0.01
"""Where a choice may be right that looks wrong from one seat."""
MOST_SETS_MORE = 0.05
BEYOND = (-0.3, 1.0)
NEAR_BIDS = 2


@dataclass(frozen=True, slots=True)
class Never:
    """`most` is the share of its chances in which it may happen all the same; None: another figure is bounded."""

    letter: str
    title: str
    sentence: str
    most: float | None = 0.0


NEVERS = (
    Never(
        "a",
        "is set beside a nil",
        "Beside a nil, a side's contract fails at most 5 percentage points more often than where nobody bid nil on it.",
        None,
    ),
    Never(
        "b",
        "burns winners to bust a nil",
        "While an opponent's nil stands and not its own, and it holds no more sure winners than its side needs tricks, "
        "it throws none of them on a trick it does not take, having a card that is no spade and not the highest left "
        "of its suit; and if its side needs every trick that is left, it takes from the last seat the one it can.",
        SELDOM,
    ),
    Never(
        "c",
        "beats its winning partner",
        "From the last seat it does not beat its partner, who bid a number and is winning, if it has another card.",
    ),
    Never(
        "d",
        "wins with more than it takes",
        "Taking a trick from the last seat while its side needs tricks and it has no nil to keep, it takes it with its "
        "lowest winner or one of equal worth.",
    ),
    Never(
        "e",
        "bids far from what it takes",
        "A side takes on average from 0.3 tricks less to 1.0 more than it bid.",
        None,
    ),
    Never(
        "e+",
        "takes a bag it could leave",
        "Its contract made, the other's made or set already and no nil standing, from the last seat it does not take a "
        "trick from an opponent if it can leave it.",
        SELDOM,
    ),
    Never(
        "f",
        "bids to lose the game",
        "As last bidder it makes no bid with which the other side ends the game ahead although all is made, if with "
        "one or two tricks more it would not.",
    ),
    Never(
        "g",
        "bids nil behind a nil",
        "It does not bid nil when its partner has bid nil, on its cards or blind, if it may bid otherwise.",
    ),
    Never(
        "h",
        "minds bags that are off",
        "Where bags are switched off, other bag counts on the sheet do not change what it does.",
    ),
    Never(
        "i",
        "lets off who can be set",
        "Its contract made and its partner's card played, it takes the trick that sets opponents who need all that are "
        "left, if it has a card that holds, unless a nil of theirs or its own stands, the bag brings a penalty, or it "
        "has the highest spade for later.",
        SELDOM,
    ),
    Never(
        "j",
        "covers a broken nil",
        "It does not beat its partner, whose nil is broken and whose card nobody to come is known to be able to beat, "
        "if it has another card.",
    ),
    Never(
        "unseen",
        "uses cards it cannot see",
        "Cards that it cannot see, dealt otherwise from the first bid on, do not change what it does.",
    ),
)


def burns_winners(known: Known, bit: int, _view: SeatView) -> bool | None:
    sure, winners = known.sure_winners, known.winners
    if not known.best or not known.opponents_keep_nil or known.keeps_nil(known.me):
        return None
    if not 1 <= known.ours <= known.left:
        return None
    to_take = winners if known.ours == known.left and known.last and known.winning in known.opponents else 0
    if to_take and known.legal & ~to_take:
        return not bit & to_take
    thrown, spare = known.legal & sure & ~winners, known.legal & ~known.highest & ~known.deck.spades
    if not thrown or not spare or sure.bit_count() > known.ours:
        return None
    return bool(bit & thrown)


def beats_partner(known: Known, bit: int, _view: SeatView) -> bool | None:
    winners = known.winners
    if not known.last or known.winning != known.partner or not known.bids[known.partner]:
        return None
    return bool(bit & winners) if winners and known.legal & ~winners else None


def wins_dearly(known: Known, bit: int, _view: SeatView) -> bool | None:
    winners = known.winners
    if not known.last or not bit & winners or known.ours <= 0 or known.keeps_nil(known.me):
        return None
    if winners.bit_count() == 1:
        return None
    lowest = winners & -winners
    return bool(known.out & above(lowest) & (bit - 1))


def takes_a_bag(known: Known, bit: int, _view: SeatView) -> bool | None:
    winners = known.winners
    if not known.last or known.winning not in known.opponents or known.ours > 0 or 0 < known.theirs <= known.left:
        return None
    if known.opponents_keep_nil or known.keeps_nil(known.me) or known.keeps_nil(known.partner):
        return None
    return bool(bit & winners) if winners and known.legal & ~winners else None


def lets_off(known: Known, bit: int, view: SeatView) -> bool | None:
    ours = view.sides[known.me & 1]
    if known.winning not in known.opponents or known.partner in known.to_come:
        return None
    if known.ours > 0 or known.theirs != known.left or known.opponents_keep_nil or known.keeps_nil(known.me):
        return None
    sure = sum(winner for winner in bits_of(known.winners) if known.holds(winner))
    limit, spades = view.rules.bag_limit, known.deck.spades
    if not sure or not known.legal & ~sure or (limit is not None and ours.bags + ours.new_bags + 1 >= limit):
        return None
    if (known.held & spades).bit_length() > (known.out & spades).bit_length():
        return None
    return not bit & sure


def covers_broken_nil(known: Known, bit: int, view: SeatView) -> bool | None:
    winners, partner = known.winners, known.partner
    if known.winning != partner or known.bids[partner] or not known.taken[partner] or not known.holds(known.best):
        return None
    if known.ours > 0 and view.rules.failed_nil_tricks != "help":
        return None
    return bool(bit & winners) if winners and known.legal & ~winners else None


CARD_JUDGES: dict[str, Callable[[Known, int, SeatView], bool | None]] = {
    "b": burns_winners,
    "c": beats_partner,
    "d": wins_dearly,
    "e+": takes_a_bag,
    "i": lets_off,
    "j": covers_broken_nil,
}


def bids_to_lose(view: SeatView, bid: int) -> bool | None:
    """Never f, of who bids last."""
    highest = 13 - (view.seats[partner_of(seat_of(view))].bid or 0)
    lost = {other: _lost_though_made(view, other) for other in view.legal_bids if other <= highest}
    near = {other: [lost[more] for more in range(other + 1, other + 1 + NEAR_BIDS) if more in lost] for other in lost}
    if not any(lost[other] and not all(near[other]) for other in lost):
        return None
    return lost.get(bid, False) and not all(near[bid])


def _lost_though_made(view: SeatView, bid: int) -> bool:
    """Whether the other side ends the game ahead when all that can be made is; 14 tricks cannot, then theirs is set."""
    me, rules = seat_of(view), view.rules
    partner, left, right = view.seats[partner_of(me)], view.seats[next_seat(me)], view.seats[next_seat(me, 3)]
    ours, theirs = view.sides[me & 1].score, view.sides[1 - (me & 1)].score
    contract, their_contract = bid + (partner.bid or 0), (left.bid or 0) + (right.bid or 0)
    ours += contract_points(rules, contract) + sum(
        nil_value(rules, blind) for other, blind in ((bid, False), (partner.bid, partner.blind)) if other == 0
    )
    points = contract_points(rules, their_contract)
    theirs += points if contract + their_contract <= 13 else -points
    theirs += sum(nil_value(rules, seat.blind) for seat in (left, right) if seat.bid == 0)
    return theirs >= rules.target and theirs > ours


def bids_second_nil(view: SeatView, bid: int) -> bool | None:
    """Never g."""
    if view.seats[partner_of(seat_of(view))].bid != 0 or 0 not in view.legal_bids or len(view.legal_bids) == 1:
        return None
    return bid == 0


def seat_of(view: SeatView) -> Seat:
    assert view.you is not None
    return view.you
