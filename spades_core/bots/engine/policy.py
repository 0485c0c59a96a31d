"""The policy: a fast heuristic that selects a card for any seat, for rollouts and for `hard` when it does not search.

It depends on the public position and the seat's own hand only. A search calls it several hundred
thousand times per second, so it uses bit masks and is optimized for speed: `cards & -cards` is the
lowest card of a mask, `cards & -(2 * best)` are the cards above the card `best`, and `own > others`
means that the highest card of all is the seat's own.
"""

from spades_core.bots.engine.lead_policy import LEADS
from spades_core.bots.engine.position import COVER, DUCK, HIGHEST, NIL, SIDE_SUITS, SPADES, TAKE, CardBit, Position


def policy_card(position: Position, held: list[int], seat: int) -> CardBit:
    """Return the card that the policy plays from a hand."""
    if position.trick_size:
        cards = held[position.led]
        if cards & (cards - 1):
            return position.led, _follow(position, cards, seat)
        if cards:
            return position.led, cards
        if position.ruffing_forbidden:
            held = position.legal_cards(held)
        return _ruff_or_discard(position, held, seat)
    if position.must_lead_club or (held[SPADES] and position.spade_lead_forbidden):
        held = position.legal_cards(held)
    return LEADS[position.goal[seat]](position, held, seat)


def _follow(position: Position, cards: int, seat: int) -> int:
    """Return one of two or more cards of the suit led."""
    low = cards & -cards
    if position.must_play_lowest:
        return low
    best, goal = position.best, position.goal[seat]
    winning = 0 if position.ruffed else cards & -(best + best)
    if goal == COVER:
        if position.winner == seat ^ 2:
            if not winning:
                return low
            return winning & -winning if position.trick_size == 3 else HIGHEST[winning]
        if position.trick_size == 1 and not position.voids[seat ^ 2] >> position.led & 1:
            return HIGHEST[winning] if winning else low
        goal = position.partnership_goal[seat & 1]
    if goal == TAKE:
        return _take(position, cards, winning, seat)
    if cards != winning:
        return HIGHEST[cards ^ winning]
    last_and_made = position.trick_size == 3 and (goal == NIL or position.tricks_needed[seat & 1] <= 0)
    return HIGHEST[cards] if last_and_made else low


def _take(position: Position, cards: int, winning: int, seat: int) -> int:
    """Try to win the trick when useful: second hand low, third hand high, fourth hand the lowest winning card."""
    low = cards & -cards
    if not winning:
        return low
    trick_size, winner, led = position.trick_size, position.winner, position.led
    nils_to_set = position.nils_to_set[seat & 1]
    if nils_to_set:
        if nils_to_set >> winner & 1 and cards != winning:
            return HIGHEST[cards ^ winning]
        if trick_size != 3 and nils_to_set >> (seat + 1 & 3) & 1:
            return low
    if winner == seat ^ 2:
        if trick_size == 3 or position.voids[seat + 1 & 3] >> led & 1:
            return low
        highest = HIGHEST[winning]
        return highest if position.unplayed[led] & ~cards & highest - 1 & -position.best else low
    if trick_size == 3 or (trick_size == 2 and position.voids[seat + 1 & 3] >> led & 1):
        return winning & -winning
    if trick_size == 2 or (led != SPADES and cards > position.unplayed[led] ^ cards):
        return HIGHEST[winning]
    return low


def _ruff_or_discard(position: Position, held: list[int], seat: int) -> CardBit:
    """Return a ruff or a discard from a hand that is void in the suit led."""
    goal, spades, best = position.goal[seat], held[SPADES], position.best
    nils_to_set = position.nils_to_set[seat & 1]
    if not spades or position.led == SPADES:
        return _discard(position, held, goal, nils_to_set)
    winning = spades & -(best + best) if position.ruffed else spades
    if goal in (TAKE, COVER):
        if position.winner == seat ^ 2:
            wanted = goal == COVER or (
                position.trick_size == 2 and not position.ruffed and position.unplayed[position.led] > best
            )
        else:
            wanted = position.partnership_goal[seat & 1] == TAKE
        if winning and wanted and not nils_to_set >> position.winner & 1:
            return SPADES, winning & -winning
    elif spades != winning:
        return SPADES, HIGHEST[spades ^ winning]
    return _discard(position, held, goal, nils_to_set)


def _discard(position: Position, held: list[int], goal: int, nils_to_set: int) -> CardBit:
    """Return a losing card: low to take tricks later, high to avoid them; a spade if there is no other card."""
    clubs, diamonds, hearts, spades = held
    if not (clubs or diamonds or hearts):
        return SPADES, spades & -spades
    if goal == NIL:
        return _most_dangerous(position, held)
    if goal == DUCK:
        if clubs >= diamonds:
            return (0, HIGHEST[clubs]) if clubs >= hearts else (2, HIGHEST[hearts])
        return (1, HIGHEST[diamonds]) if diamonds >= hearts else (2, HIGHEST[hearts])
    if nils_to_set and (card_bit := _highest_loser(position, held)):
        return card_bit
    suit, low = 0, (clubs & -clubs) or 1 << 20
    other = diamonds & -diamonds
    if 0 < other < low:
        suit, low = 1, other
    other = hearts & -hearts
    return (2, other) if 0 < other < low else (suit, low)


def _most_dangerous(position: Position, held: list[int]) -> CardBit:
    """Return the most dangerous card for a nil: many lower unplayed cards elsewhere and few own lower cards."""
    best_score, card_bit = -99.0, (0, 0)
    for suit in SIDE_SUITS:
        own = held[suit]
        if own:
            highest = HIGHEST[own]
            lower = (position.unplayed[suit] ^ own) & highest - 1
            danger = lower.bit_count() - 0.8 * (own.bit_count() - 1)
            if danger > best_score:
                best_score, card_bit = danger, (suit, highest)
    return card_bit


def _highest_loser(position: Position, held: list[int]) -> CardBit | None:
    """Return the highest card that is not a guaranteed winner. To set a nil, keep low cards and winners."""
    best_score, card_bit = 0, None
    for suit in SIDE_SUITS:
        own = held[suit]
        others = position.unplayed[suit] ^ own
        losers = own & (1 << others.bit_length()) - 1
        if losers > best_score:
            best_score, card_bit = losers, (suit, HIGHEST[losers])
    return card_bit
