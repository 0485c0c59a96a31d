"""The card that the policy leads, by what its seat is after."""

from spades_core.bots.engine.position import COVER, DUCK, NIL, SPADES, TAKE, TOP, Place, Position

CASH = 30
PARTNER_RUFFS = 10
OPPONENT_RUFFS = 5
UNDER_KING = 2
TOP_SPADE = -0.5
LOW_SPADE = -9
NOTHING = -99.0


def _lead_to_take(position: Position, held: list[int], seat: int) -> Place:
    """A winner that nobody is known to ruff, the safest first; else low from a short suit, or a spade."""
    out, void = position.out, position.void
    prey = position.prey[seat & 1]
    if prey:
        return _lead_at_nil(position, held, prey)
    opponents = void[seat + 1 & 3] | void[seat + 3 & 3]
    partner = void[seat ^ 2]
    spades = held[3]
    out_spades = out[3] ^ spades
    best, place = NOTHING, (SPADES, 0)
    for suit in (0, 1, 2):
        mine = held[suit]
        if mine:
            others = out[suit] ^ mine
            ruffed = opponents >> suit & 1 and out_spades
            if mine > others and not ruffed:
                worth, card = CASH + others.bit_count(), TOP[mine]
            else:
                card = mine & -mine
                length = mine.bit_count()
                worth = -length if spades else 0
                if length > 1 and not ruffed and (others & -TOP[mine]).bit_count() == 1:
                    worth -= UNDER_KING
                if partner >> suit & 1 and out_spades:
                    worth += PARTNER_RUFFS
                if ruffed:
                    worth -= OPPONENT_RUFFS
            if worth > best:
                best, place = worth, (suit, card)
    return _or_spade(spades, out_spades, best, place) if spades else place


def _or_spade(spades: int, out_spades: int, best: float, place: Place) -> Place:
    """Whether to lead a spade instead of what is worth `best`."""
    if not out_spades:
        return place if best > NOTHING else (SPADES, TOP[spades])
    if spades > out_spades:
        few = best > NOTHING and spades & (spades - 1) & (spades - 1 & (spades - 1)) - 1 == 0
        return (SPADES, TOP[spades]) if not few and best < TOP_SPADE else place
    return (SPADES, spades & -spades) if best < LOW_SPADE else place


def _lead_low(position: Position, held: list[int], _seat: int) -> Place:
    """The card least likely to win: the fewest lower ones out, if there are higher ones."""
    out, least, place = position.out, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        mine = held[suit]
        if mine:
            low = mine & -mine
            others = out[suit] ^ mine
            below = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if others < low:
                below += 20
            if below < least:
                least, place = below, (suit, low)
    return place


def _lead_at_nil(position: Position, held: list[int], prey: int) -> Place:
    """A low card of a suit that the nil has to follow; not spades, if there is a choice."""
    out, void, least, place = position.out, position.void, 99, (SPADES, 0)
    target = prey.bit_length() - 1
    for suit in (0, 1, 2, 3):
        mine = held[suit]
        if mine:
            low = mine & -mine
            others = out[suit] ^ mine
            below = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if not others or void[target] >> suit & 1:
                below += 20
            elif void[target ^ 2] >> suit & 1:
                below -= 1
            if below < least:
                least, place = below, (suit, low)
    return place


def _lead_over_nil(position: Position, held: list[int], _seat: int) -> Place:
    """The partner's nil is alive: the card with the fewest higher ones out."""
    out, least, place = position.out, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        mine = held[suit]
        if mine:
            top = TOP[mine]
            above = 2 * ((out[suit] ^ mine) & -top).bit_count() + (suit == SPADES)
            if above < least:
                least, place = above, (suit, top)
    return place


LEADS = {TAKE: _lead_to_take, DUCK: _lead_low, NIL: _lead_low, COVER: _lead_over_nil}
