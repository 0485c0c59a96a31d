"""The medium bot: counts what its hand is worth, cashes sure winners, ducks when the contract is made.

It looks one trick ahead. It protects a nil, its own or its partner's, takes
tricks while its side or a set needs them, and otherwise gets rid of winners.
"""

from random import Random

from spades_core.bots.bidding import (
    auction_of,
    expected_tricks,
    loses_even_if_made,
    nil_risk,
    sensible_nil,
    wins_if_made,
)
from spades_core.bots.reading import (
    ALL_MASKS,
    SIDE_MASKS,
    Reading,
    bits_of,
    highest,
    lowest,
    rank_of,
    read,
    suit_mask_of,
)
from spades_core.cards import SPADES, Card, cards_in
from spades_core.views import SeatView

NOISE = 0.05
"""How often it misjudges its hand by half a trick, or leads something else than it should."""

BOLDNESS = 0.8
"""Added before an estimate is rounded down; measured: from 0.7 to 1.0 makes no difference in points, only in bags."""


def choose_bid(view: SeatView, chance: Random) -> int:
    """One of `view.legal_bids`."""
    assert view.you is not None
    auction = auction_of(view, view.you)
    tricks = expected_tricks(view.hand)
    if chance.random() < NOISE:
        tricks += chance.choice((-0.5, 0.5))
    partner_bid = auction.partner_bid or 0
    most = max(1, 13 - partner_bid)
    if sensible_nil(view.hand, tricks, auction):
        bid = 0
    else:
        bid = int(tricks + BOLDNESS)
        if auction.is_last:
            bid += _room_at_the_table(bid + partner_bid + auction.their_contract, (tricks + BOLDNESS) % 1)
        bid = min(max(bid, 1), most)
    if auction.partner_bid is not None:
        bid = _to_the_score(view, bid, tricks, most)
    return min(view.legal_bids, key=lambda legal: abs(legal - bid))


def _room_at_the_table(total: int, fraction: float) -> int:
    """What the last bidder corrects: four players who bid 13 and more bid too much, with 9 and less too little."""
    return -1 if total >= 13 else 1 if total <= 9 and fraction >= 0.5 else 0


def _to_the_score(view: SeatView, bid: int, tricks: float, most: int) -> int:
    """Near the end: never a bid that loses the game when made, nor a higher one than the game needs."""
    assert view.you is not None
    auction = auction_of(view, view.you)
    if loses_even_if_made(bid, auction):
        reach = range(bid + 1, min(most, int(tricks) + 4) + 1)
        for enough in (wins_if_made, lambda other, auction: not loses_even_if_made(other, auction)):
            for other in reach:
                if enough(other, auction):
                    return other
        if auction.partner_bid and not loses_even_if_made(0, auction) and nil_risk(view.hand) < 1.5:
            return 0
    while bid > 1 and auction.is_last and wins_if_made(bid - 1, auction):
        bid -= 1
    return bid


def choose_card(view: SeatView, chance: Random) -> Card:
    """One of `view.legal_cards`."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    table = read(view)
    (card,) = cards_in(_choice(table, chance))
    return card


def _choice(table: Reading, chance: Random) -> int:
    if table.keeps_nil(table.me):
        return _lead_under(table) if not table.best else _stay_under(table)
    if table.best and table.keeps_nil(table.partner) and (cover := _cover(table)):
        return cover
    if wants_tricks(table):
        return _lead_to_win(table, chance) if not table.best else _follow_to_win(table)
    return _lead_under(table) if not table.best else _duck(table)


def wants_tricks(table: Reading) -> bool:
    """Whether a trick is worth more than a bag: for the own contract, or to set the other side."""
    ours, theirs = table.need
    if table.keeps_nil(table.partner):
        ours = table.bids[table.me] - table.taken[table.me]
    if 0 < ours <= table.left:
        return True
    to_set = table.left - theirs + 1
    return theirs > 0 and 0 < to_set <= max(1, table.bosses().bit_count())


# A card to lead


def _lead_to_win(table: Reading, chance: Random) -> int:
    leads = table.legal
    if chance.random() < NOISE and leads & ~SPADES:
        return chance.choice(bits_of(leads & ~SPADES))
    cash = [bit for bit in bits_of(leads & table.bosses() & ~SPADES) if table.is_safe(bit)]
    if cash:
        return max(cash, key=lambda bit: (table.out & suit_mask_of(bit)).bit_count())
    if table.keeps_nil(table.partner):
        return _lead_over_nil(table)
    bosses = leads & table.bosses() & SPADES
    others_hold = any(table.may_hold[seat] & SPADES for seat in table.to_come if seat != table.partner)
    long_enough = (table.held & SPADES).bit_count() >= 4 or table.held & SPADES == table.held
    if bosses and (long_enough or table.bosses().bit_count() >= table.need[0]) and others_hold:
        return highest(bosses)
    for suit in SIDE_MASKS:
        wanted = leads & suit and table.may_ruff(table.partner, suit)
        if wanted and not any(table.may_ruff(seat, suit) for seat in table.to_come):
            return lowest(leads & suit)
    return _lead_low(table)


def _lead_low(table: Reading) -> int:
    """The lowest card of the shortest side suit while spades are left to ruff with, else of the longest."""
    suits = [suit for suit in SIDE_MASKS if table.legal & suit]
    if not suits:
        return lowest(table.legal)
    short = bool(table.held & SPADES)

    def worth(suit: int) -> tuple[bool, int, int]:
        cards = table.held & suit
        hopeful = rank_of(highest(cards)) == 11 and bool(table.higher_out(highest(cards)))
        return hopeful, cards.bit_count() if short else -cards.bit_count(), -(table.out & suit).bit_count()

    return lowest(table.legal & min(suits, key=worth))


def _lead_over_nil(table: Reading) -> int:
    """A card the nil partner can stay under: the highest of the suit with the fewest higher ones out."""
    tops = [highest(table.legal & suit) for suit in ALL_MASKS if table.legal & suit]
    return min(tops, key=lambda bit: (table.higher_out(bit).bit_count(), bit & SPADES > 0, -rank_of(bit)))


def _lead_under(table: Reading) -> int:
    """The card least likely to win: few lower ones out, many higher ones."""
    lows = [lowest(table.legal & suit) for suit in ALL_MASKS if table.legal & suit]
    if table.keeps_nil(table.partner) and not table.keeps_nil(table.me):
        return _lead_over_nil(table)

    def danger(bit: int) -> tuple[bool, float, bool]:
        higher = table.higher_out(bit).bit_count()
        all_out = (table.out & suit_mask_of(bit)).bit_count()
        return not higher, (all_out - higher + 0.5) / (all_out + 1), bool(bit & SPADES)

    return min(lows, key=danger)


# A card to follow with


def _stay_under(table: Reading) -> int:
    """With an own nil: the most dangerous card that loses, else the one most likely to be beaten."""
    losers = table.legal & ~table.winners()
    if losers:
        return _riddance(table, losers)
    if not table.to_come:
        return lowest(table.legal)
    side_cards = table.legal & ~SPADES
    return lowest(side_cards or table.legal)


def _riddance(table: Reading, cards: int) -> int:
    """Of cards that cannot win: the highest of the suit led, else the one that would win most often later."""
    if cards & table.led:
        return highest(cards & table.led)

    def danger(bit: int) -> tuple[float, int]:
        lower = (table.out & suit_mask_of(bit) & (bit - 1)).bit_count()
        return lower + (6 if bit & SPADES else 0) - 0.8 * _shelter(table, bit), rank_of(bit)

    return max(bits_of(cards), key=danger)


def _shelter(table: Reading, bit: int) -> int:
    """How many low cards of its suit may be played before this one has to be."""
    return (table.held & suit_mask_of(bit) & (bit - 1)).bit_count()


def _cover(table: Reading) -> int:
    """A card that saves the partner's nil in this trick, or 0 when it needs none or there is none."""
    winners = table.winners()
    if table.winning == table.partner:
        if not winners:
            return 0
        return _cheapest_that_holds(table, winners)
    if table.partner not in table.to_come or table.is_safe(table.best):
        return 0
    if table.may_hold[table.partner] & table.led == 0 or rank_of(table.best) >= 9 or table.best & SPADES & ~table.led:
        return 0
    follow = winners & table.led
    if follow:
        return highest(follow)
    return lowest(winners) if winners and rank_of(table.best) < 7 else 0


def _follow_to_win(table: Reading) -> int:
    winners = table.winners()
    if not winners:
        return _throw_low(table)
    losers = table.legal & ~winners
    partner_ahead = table.winning == table.partner and not table.keeps_nil(table.partner)
    if not table.to_come:
        return _throw_low(table) if partner_ahead and losers else lowest(winners)
    if partner_ahead and losers and _leave_it(table, winners):
        return _throw_low(table)
    follow = winners & table.led
    if not follow:
        return _ruff(table, winners)
    if len(table.to_come) == 1:
        return _cheapest_equal(table, highest(follow))
    top = highest(follow)
    if not table.higher_out(top) and (table.led != SPADES or table.need[0] > 0):
        return _cheapest_equal(table, top)
    return _throw_low(table) if losers else lowest(table.legal)


def _leave_it(table: Reading, winners: int) -> bool:
    """Whether the partner's card holds, or playing higher would add nothing to it."""
    if table.is_safe(table.best):
        return True
    follow = winners & table.led
    if not follow:
        return not table.higher_out(table.best)
    between = table.out & table.led & ~(2 * table.best - 1) & (highest(follow) - 1)
    return not between


def _ruff(table: Reading, spades: int) -> int:
    """Void of the suit led: the cheapest ruff that holds, but none on a partner's likely winner."""
    partner_plays = table.partner in table.to_come
    if partner_plays and not table.may_hold[table.partner] & table.led and table.may_hold[table.partner] & SPADES:
        return _throw_low(table)
    return _cheapest_that_holds(table, spades)


def _cheapest_that_holds(table: Reading, winners: int) -> int:
    """The cheapest card that nobody to come is known to beat, else the cheapest."""
    for bit in bits_of(winners & ~SPADES) + bits_of(winners & SPADES):
        if table.is_safe(bit):
            return bit
    return lowest(winners & ~SPADES or winners)


def _cheapest_equal(table: Reading, top: int) -> int:
    """The lowest card held that is worth as much as `top`: no card in between is out or on the table."""
    suit, choice = table.legal & suit_mask_of(top), top
    for bit in reversed(bits_of(suit & table.winners() & (top - 1))):
        if table.out & (top - 1) & ~(2 * bit - 1):
            break
        choice = bit
    return choice


def _throw_low(table: Reading) -> int:
    """The least useful card that does not take the trick, if there is one: low, no spade, no winner of its suit."""
    losers = table.legal & ~table.winners() or table.legal
    if losers & table.led:
        return lowest(losers & table.led)
    bosses = table.bosses()

    def use(bit: int) -> tuple[bool, bool, int, int]:
        suit = table.held & suit_mask_of(bit)
        return bool(bit & SPADES), bool(bit & bosses), rank_of(bit), suit.bit_count()

    return min(bits_of(losers), key=use)


def _duck(table: Reading) -> int:
    """With enough tricks: the highest card that loses, else the one most likely to be beaten."""
    winners = table.winners()
    losers = table.legal & ~winners
    if losers:
        return _riddance(table, losers)
    return lowest(winners & ~SPADES or winners)
