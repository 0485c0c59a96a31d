"""The policy's lead for each goal of a seat."""

from spades_core.bots.engine.position import COVER, DUCK, HIGHEST, NIL, SIDE_SUITS, SPADES, TAKE, CardBit, Position

# Scores of a lead. A low card of a side suit scores minus its length, or 0 from a hand without spades.
CASH = 30
"""Score of cashing the highest unplayed card of a suit."""
PARTNER_RUFFS = 10
"""Added if the partner is known to be void and can ruff."""
OPPONENT_RUFFS = 5
"""Subtracted if an opponent is known to be void and can ruff."""
UNDER_KING = 2
"""Subtracted for a low lead from a suit whose highest card only one unplayed card beats."""
HIGH_SPADE = -0.5
"""Score of leading the highest unplayed spade."""
LOW_SPADE = -9
"""Score of leading another spade."""
NO_LEAD = -99.0


def _lead_to_take(position: Position, held: list[int], seat: int) -> CardBit:
    """Cash the safest winner that no opponent is known to ruff, else lead low from a short suit, or a spade."""
    unplayed, voids = position.unplayed, position.voids
    nils_to_set = position.nils_to_set[seat & 1]
    if nils_to_set:
        return _lead_to_set_nil(position, held, nils_to_set.bit_length() - 1)
    opponents = voids[seat + 1 & 3] | voids[seat + 3 & 3]
    partner = voids[seat ^ 2]
    spades = held[SPADES]
    unseen_spades = unplayed[SPADES] ^ spades
    best_score, card_bit = NO_LEAD, (SPADES, 0)
    for suit in SIDE_SUITS:
        own = held[suit]
        if own:
            others = unplayed[suit] ^ own
            ruffed = opponents >> suit & 1 and unseen_spades
            if own > others and not ruffed:
                score, card = CASH + others.bit_count(), HIGHEST[own]
            else:
                card = own & -own
                length = own.bit_count()
                score = -length if spades else 0
                if length > 1 and not ruffed and (others & -HIGHEST[own]).bit_count() == 1:
                    score -= UNDER_KING
                if partner >> suit & 1 and unseen_spades:
                    score += PARTNER_RUFFS
                if ruffed:
                    score -= OPPONENT_RUFFS
            if score > best_score:
                best_score, card_bit = score, (suit, card)
    return _or_spade(spades, unseen_spades, best_score, card_bit) if spades else card_bit


def _or_spade(spades: int, unseen_spades: int, best_score: float, card_bit: CardBit) -> CardBit:
    """Return a spade to lead, or `card_bit` if its score `best_score` is higher."""
    if not unseen_spades:
        return card_bit if best_score > NO_LEAD else (SPADES, HIGHEST[spades])
    if spades > unseen_spades:
        keep = best_score > NO_LEAD and (spades & ~1).bit_count() <= 1  # at most one spade above the lowest of the deck
        return (SPADES, HIGHEST[spades]) if not keep and best_score < HIGH_SPADE else card_bit
    return (SPADES, spades & -spades) if best_score < LOW_SPADE else card_bit


def _lead_low(position: Position, held: list[int], _seat: int) -> CardBit:
    """Lead the card least likely to win: few lower unplayed cards elsewhere, and at least one higher."""
    unplayed, least_danger, card_bit = position.unplayed, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            low = own & -own
            others = unplayed[suit] ^ own
            danger = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if others < low:
                danger += 20
            if danger < least_danger:
                least_danger, card_bit = danger, (suit, low)
    return card_bit


def _lead_to_set_nil(position: Position, held: list[int], nil_seat: int) -> CardBit:
    """Lead a low card, preferably no spade, of a suit in which an opponent's nil must follow suit."""
    unplayed, voids, least_danger, card_bit = position.unplayed, position.voids, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            low = own & -own
            others = unplayed[suit] ^ own
            danger = (others & low - 1).bit_count() + (2 if suit == SPADES else 0)
            if not others or voids[nil_seat] >> suit & 1:
                danger += 20
            elif voids[nil_seat ^ 2] >> suit & 1:
                danger -= 1
            if danger < least_danger:
                least_danger, card_bit = danger, (suit, low)
    return card_bit


def _lead_over_nil(position: Position, held: list[int], _seat: int) -> CardBit:
    """Lead the card with the fewest higher unplayed cards elsewhere, to protect the partner's nil."""
    unplayed, least_danger, card_bit = position.unplayed, 99, (SPADES, 0)
    for suit in (0, 1, 2, 3):
        own = held[suit]
        if own:
            highest = HIGHEST[own]
            danger = 2 * ((unplayed[suit] ^ own) & -highest).bit_count() + (suit == SPADES)
            if danger < least_danger:
                least_danger, card_bit = danger, (suit, highest)
    return card_bit


LEADS = {TAKE: _lead_to_take, DUCK: _lead_low, NIL: _lead_low, COVER: _lead_over_nil}
"""The lead for each goal."""
