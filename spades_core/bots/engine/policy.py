"""The policy: a quick and decent card for any seat, for rollouts and for `hard` where it does not search.

It sees the public position and the seat's own hand only. A search calls it some hundred thousand
times a second, so it works on bits and every line counts: `cards & -cards` is the lowest card
of a mask, `cards & -(2 * best)` are those above the card `best`, and `own > others` means that
the highest card of all is the seat's own.
"""

from spades_core.bots.engine.lead_policy import LEADS
from spades_core.bots.engine.position import COVER, DUCK, HIGHEST, NIL, SPADES, TAKE, CardBit, Position, legal


def policy_card(position: Position, held: list[int], seat: int) -> CardBit:
    """Return the card that the policy plays from a hand."""
    if position.trick_size:
        suit = held[position.led]
        if suit & (suit - 1):
            return position.led, _follow(position, suit, seat)
        if suit:
            return position.led, suit
        if position.no_ruff:
            held = legal(position, held)
        return _ruff_or_discard(position, held, seat)
    if position.must_lead_club or (held[3] and position.spades_barred):
        held = legal(position, held)
    return LEADS[position.goal[seat]](position, held, seat)


def _follow(position: Position, suit: int, seat: int) -> int:
    """Return one of two or more cards of the suit led."""
    if position.must_play_lowest:
        return suit & -suit
    best, goal = position.best, position.goal[seat]
    over = 0 if position.ruffed else suit & -(best + best)
    if goal == COVER:
        if position.winner == seat ^ 2:
            if not over:
                return suit & -suit
            return over & -over if position.trick_size == 3 else HIGHEST[over]
        if position.trick_size == 1 and not position.void[seat ^ 2] >> position.led & 1:
            return HIGHEST[over] if over else suit & -suit
        goal = position.side_goal[seat & 1]
    if goal == TAKE:
        return _take(position, suit, over, seat)
    if suit != over:
        return HIGHEST[suit ^ over]
    last_and_made = position.trick_size == 3 and (goal == NIL or position.need[seat & 1] <= 0)
    return HIGHEST[suit] if last_and_made else suit & -suit


def _take(position: Position, suit: int, over: int, seat: int) -> int:
    """Try to win the trick where that makes sense: second hand low, third hand high, fourth hand the cheapest."""
    low = suit & -suit
    if not over:
        return low
    trick_size, winner, led = position.trick_size, position.winner, position.led
    targets = position.nil_targets[seat & 1]
    if targets:
        if targets >> winner & 1 and suit != over:
            return HIGHEST[suit ^ over]
        if trick_size != 3 and targets >> (seat + 1 & 3) & 1:
            return low
    if winner == seat ^ 2:
        if trick_size == 3 or position.void[seat + 1 & 3] >> led & 1:
            return low
        top = HIGHEST[over]
        return top if position.out[led] & ~suit & top - 1 & -position.best else low
    if trick_size == 3 or (trick_size == 2 and position.void[seat + 1 & 3] >> led & 1):
        return over & -over
    if trick_size == 2 or (led != SPADES and suit > position.out[led] ^ suit):
        return HIGHEST[over]
    return low


def _ruff_or_discard(position: Position, held: list[int], seat: int) -> CardBit:
    """Return a ruff or a discard from a hand that is void of the suit led."""
    goal, spades, best = position.goal[seat], held[3], position.best
    side = seat & 1
    if not spades or position.led == SPADES:
        return _discard(position, held, goal, position.nil_targets[side])
    over = spades & -(best + best) if position.ruffed else spades
    if goal in (TAKE, COVER):
        if position.winner == seat ^ 2:
            wanted = goal == COVER or (
                position.trick_size == 2 and not position.ruffed and position.out[position.led] > position.best
            )
        else:
            wanted = position.side_goal[side] == TAKE
        if over and wanted and not position.nil_targets[side] >> position.winner & 1:
            return SPADES, over & -over
    elif spades != over:
        return SPADES, HIGHEST[spades ^ over]
    return _discard(position, held, goal, position.nil_targets[side])


def _discard(position: Position, held: list[int], goal: int, targets: int) -> CardBit:
    """Return a card that cannot win: low to take tricks later, high to avoid them; a spade if there is no other."""
    clubs, diamonds, hearts = held[0], held[1], held[2]
    if not (clubs or diamonds or hearts):
        return SPADES, held[3] & -held[3]
    if goal == NIL:
        return _nil_discard(position, held)
    if goal == DUCK:
        if clubs >= diamonds:
            return (0, HIGHEST[clubs]) if clubs >= hearts else (2, HIGHEST[hearts])
        return (1, HIGHEST[diamonds]) if diamonds >= hearts else (2, HIGHEST[hearts])
    if targets and (card_bit := _highest_loser(position, held)):
        return card_bit
    suit, low = 0, (clubs & -clubs) or 1 << 20
    other = diamonds & -diamonds
    if 0 < other < low:
        suit, low = 1, other
    other = hearts & -hearts
    return (2, other) if 0 < other < low else (suit, low)


def _nil_discard(position: Position, held: list[int]) -> CardBit:
    """Return the card with the most lower cards out, and the fewest own ones to play before it."""
    out, most, card_bit = position.out, -99.0, (0, 0)
    for suit in (0, 1, 2):
        own = held[suit]
        if own:
            top = HIGHEST[own]
            danger = ((out[suit] ^ own) & top - 1).bit_count() - 0.8 * (own.bit_count() - 1)
            if danger > most:
                most, card_bit = danger, (suit, top)
    return card_bit


def _highest_loser(position: Position, held: list[int]) -> CardBit | None:
    """Return the highest card that is no winner: against a nil, low cards and winners are kept."""
    out, most, card_bit = position.out, 0, None
    for suit in (0, 1, 2):
        own = held[suit]
        others = out[suit] ^ own
        losers = own & (1 << others.bit_length()) - 1
        if losers > most:
            most, card_bit = losers, (suit, HIGHEST[losers])
    return card_bit
