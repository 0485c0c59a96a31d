"""A quick and decent card for any seat: what rollouts play, and what `hard` plays when it knows nothing better.

It sees its own hand and the public position only. Everything is spelled out on
bits: a search asks for some hundred thousand cards a second, so each line
counts. `cards & -cards` is the lowest card of a mask, `cards & -(2 * best)` are
those above the card `best`, and `mine > others` says that the highest of all is mine.
"""

from spades_core.bots.engine.lead_policy import LEADS
from spades_core.bots.engine.position import COVER, DUCK, NIL, SPADES, TAKE, TOP, Place, Position, legal


def choice(position: Position, held: list[int], seat: int) -> Place:
    """The card to play."""
    if position.begun:
        suit = held[position.led]
        if suit & (suit - 1):
            return position.led, _follow(position, suit, seat)
        if suit:
            return position.led, suit
        if position.spared_first:
            held = legal(position, held)
        return _off_suit(position, held, seat)
    if position.clubs_first or (held[3] and position.barred):
        held = legal(position, held)
    return LEADS[position.mode[seat]](position, held, seat)


def _follow(position: Position, suit: int, seat: int) -> int:
    """Of two or more cards of the suit led."""
    if position.lowest_first:
        return suit & -suit
    best, mode = position.best, position.mode[seat]
    over = 0 if position.ruffed else suit & -(best + best)
    if mode == COVER:
        if position.winner == seat ^ 2:
            if not over:
                return suit & -suit
            return over & -over if position.begun == 3 else TOP[over]
        if position.begun == 1 and not position.void[seat ^ 2] >> position.led & 1:
            return TOP[over] if over else suit & -suit
        mode = position.aim[seat & 1]
    if mode == TAKE:
        return _take(position, suit, over, seat)
    if suit != over:
        return TOP[suit ^ over]
    return TOP[suit] if position.begun == 3 and (mode == NIL or position.need[seat & 1] <= 0) else suit & -suit


def _take(position: Position, suit: int, over: int, seat: int) -> int:
    """To win the trick if that makes sense: second hand low, third high, fourth the cheapest."""
    low = suit & -suit
    if not over:
        return low
    begun, winner, led = position.begun, position.winner, position.led
    prey = position.prey[seat & 1]
    if prey:
        if prey >> winner & 1 and suit != over:
            return TOP[suit ^ over]
        if begun != 3 and prey >> (seat + 1 & 3) & 1:
            return low
    if winner == seat ^ 2:
        if begun == 3 or position.void[seat + 1 & 3] >> led & 1:
            return low
        top = TOP[over]
        return top if position.out[led] & ~suit & top - 1 & -position.best else low
    if begun == 3 or (begun == 2 and position.void[seat + 1 & 3] >> led & 1):
        return over & -over
    if begun == 2 or (led != SPADES and suit > position.out[led] ^ suit):
        return TOP[over]
    return low


def _off_suit(position: Position, held: list[int], seat: int) -> Place:
    """Void of the suit led: a ruff, or something to throw away."""
    mode, spades, best = position.mode[seat], held[3], position.best
    side = seat & 1
    if not spades or position.led == SPADES:
        return _discard(position, held, mode, position.prey[side])
    over = spades & -(best + best) if position.ruffed else spades
    if mode in (TAKE, COVER):
        if position.winner == seat ^ 2:
            wanted = mode == COVER or (
                position.begun == 2 and not position.ruffed and position.out[position.led] > position.best
            )
        else:
            wanted = position.aim[side] == TAKE
        if over and wanted and not position.prey[side] >> position.winner & 1:
            return SPADES, over & -over
    elif spades != over:
        return SPADES, TOP[spades ^ over]
    return _discard(position, held, mode, position.prey[side])


def _discard(position: Position, held: list[int], mode: int, prey: int) -> Place:
    """What cannot win: low when tricks are wanted, high when not; a spade only if there is nothing else."""
    clubs, diamonds, hearts = held[0], held[1], held[2]
    if not (clubs or diamonds or hearts):
        return SPADES, held[3] & -held[3]
    if mode == NIL:
        return _riddance(position, held)
    if mode == DUCK:
        if clubs >= diamonds:
            return (0, TOP[clubs]) if clubs >= hearts else (2, TOP[hearts])
        return (1, TOP[diamonds]) if diamonds >= hearts else (2, TOP[hearts])
    if prey and (place := _middling(position, held)):
        return place
    suit, low = 0, (clubs & -clubs) or 1 << 20
    other = diamonds & -diamonds
    if 0 < other < low:
        suit, low = 1, other
    other = hearts & -hearts
    return (2, other) if 0 < other < low else (suit, low)


def _riddance(position: Position, held: list[int]) -> Place:
    """For a nil: the card with the most lower ones out, and the fewest own ones to play before it."""
    out, most, place = position.out, -99.0, (0, 0)
    for suit in (0, 1, 2):
        mine = held[suit]
        if mine:
            top = TOP[mine]
            danger = ((out[suit] ^ mine) & top - 1).bit_count() - 0.8 * (mine.bit_count() - 1)
            if danger > most:
                most, place = danger, (suit, top)
    return place


def _middling(position: Position, held: list[int]) -> Place | None:
    """Against a nil, for which low cards are kept: the highest that is no winner."""
    out, most, place = position.out, 0, None
    for suit in (0, 1, 2):
        mine = held[suit]
        others = out[suit] ^ mine
        losers = mine & (1 << others.bit_length()) - 1
        if losers > most:
            most, place = losers, (suit, TOP[losers])
    return place
