"""The card that the policy leads, for each goal of a seat."""

from spades_core.bots.engine.position import COVER, DUCK, HIGHEST, NIL, SPADES, TAKE, CardBit, Position

# Scores of a lead. A low card of a side suit scores minus its length, or 0 from a hand without spades.
CASH = 30
"""Score of cashing the highest card left of a suit."""
PARTNER_RUFFS = 10
"""Added where the partner is known to be void and can ruff."""
OPPONENT_RUFFS = 5
"""Taken off where an opponent is known to be void and can ruff."""
UNDER_KING = 2
"""Taken off a lead away from a card that only one outstanding card beats."""
HIGH_SPADE = -0.5
"""Score of leading the highest spade left."""
LOW_SPADE = -9
"""Score of leading another spade."""
NO_LEAD = -99.0


def _lead_to_take(position: Position, held: list[int], seat: int) -> CardBit:
    """Cash the safest winner that nobody is known to ruff, else lead low from a short suit, or a spade."""
    out, void = position.out, position.void
    targets = position.nil_targets[seat & 1]
    if targets:
        return _lead_at_nil(position, held, targets)
    opponents = void[seat + 1 & 3] | void[seat + 3 & 3]
    partner = void[seat ^ 2]
    spades = held[3]
    out_spades = out[3] ^ spades
    best, card_bit = NO_LEAD, (SPADES, 0)
    for suit in (0, 1, 2):
        own = held[suit]
        if own:
            others = out[suit] ^ own
            ruffed = opponents >> suit & 1 and out_spades
            if own > others and not ruffed:
                score, card = CASH + others.bit_count(), HIGHEST[own]
            else:
                card = own & -own
                length = own.bit_count()
                score = -length if spades else 0
                if length > 1 and not ruffed and (others & -HIGHEST[own]).bit_count() == 1:
                    score -= UNDER_KING
                if partner >> suit & 1 and out_spades:
                    score += PARTNER_RUFFS
                if ruffed:
                    score -= OPPONENT_RUFFS
            if score > best:
                best, card_bit = score, (suit, card)
    return _or_spade(spades, out_spades, best, card_bit) if spades else card_bit


def _or_spade(spades: int, out_spades: int, best: float, card_bit: CardBit) -> CardBit:
    """Return a spade to lead, or `card_bit` if its score `best` is higher."""
    if not out_spades:
        return card_bit if best > NO_LEAD else (SPADES, HIGHEST[spades])
    if spades > out_spades:
        keep = best > NO_LEAD and (spades & ~1).bit_count() <= 1  # one spade beside the lowest of the deck
        return (SPADES, HIGHEST[spades]) if not keep and best < HIGH_SPADE else card_bit
    return (SPADES, spades & -spades) if best < LOW_SPADE else card_bit


def _lead_low(position: Position, held: list[int], _seat: int) -> CardBit:
    """Lead the card least likely to win: with the fewest lower cards out, if there are higher ones."""
    out, least, card_bit = position.out, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            low = own & -own
            others = out[suit] ^ own
            below = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if others < low:
                below += 20
            if below < least:
                least, card_bit = below, (suit, low)
    return card_bit


def _lead_at_nil(position: Position, held: list[int], targets: int) -> CardBit:
    """Lead a low card of a suit that the opponents' nil has to follow, not a spade if there is a choice."""
    out, void, least, card_bit = position.out, position.void, 99, (SPADES, 0)
    target = targets.bit_length() - 1
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            low = own & -own
            others = out[suit] ^ own
            below = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if not others or void[target] >> suit & 1:
                below += 20
            elif void[target ^ 2] >> suit & 1:
                below -= 1
            if below < least:
                least, card_bit = below, (suit, low)
    return card_bit


def _lead_over_nil(position: Position, held: list[int], _seat: int) -> CardBit:
    """Lead the card with the fewest higher cards out, to cover the partner's nil."""
    out, least, card_bit = position.out, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            top = HIGHEST[own]
            above = 2 * ((out[suit] ^ own) & -top).bit_count() + (suit == SPADES)
            if above < least:
                least, card_bit = above, (suit, top)
    return card_bit


LEADS = {TAKE: _lead_to_take, DUCK: _lead_low, NIL: _lead_low, COVER: _lead_over_nil}
"""The lead for each goal."""
