"""The medium bot's card when it leads a trick."""

from random import Random

from spades_core.bots.levels.medium.medium_observation import KING, MediumObservation, bits_of, highest, lowest


def lead_to_win(seen: MediumObservation, rng: Random, noise: float) -> int:
    """Cash a sure winner, else draw trumps, give the partner a ruff or lead low; at random with probability `noise`."""
    legal = seen.legal
    if rng.random() < noise and legal & ~seen.spades:
        return rng.choice(bits_of(legal & ~seen.spades))
    cash = [bit for bit in bits_of(legal & seen.bosses() & ~seen.spades) if seen.is_safe(bit)]
    if cash:
        return max(cash, key=lambda bit: (seen.unseen & seen.suits.suit_of(bit)).bit_count())
    if seen.nil_alive(seen.partner):
        return _lead_over_nil(seen)
    bosses = legal & seen.bosses() & seen.spades
    others_hold = any(seen.may_hold[seat] & seen.spades for seat in seen.still_to_play if seat != seen.partner)
    long_enough = (seen.held & seen.spades).bit_count() >= 4 or seen.held & seen.spades == seen.held
    if bosses and (long_enough or seen.bosses().bit_count() >= seen.tricks_needed[0]) and others_hold:
        return highest(bosses)
    for suit in seen.suits.side:
        partner_ruffs = legal & suit and seen.may_ruff(seen.partner, suit)
        if partner_ruffs and not any(seen.may_ruff(seat, suit) for seat in seen.still_to_play):
            return lowest(legal & suit)
    return _lead_from_length(seen)


def _lead_from_length(seen: MediumObservation) -> int:
    """Lead low from the shortest side suit while there are spades to ruff with, else from the longest."""
    suits = [suit for suit in seen.suits.side if seen.legal & suit]
    if not suits:
        return lowest(seen.legal)
    short = bool(seen.held & seen.spades)

    def preference(suit: int) -> tuple[bool, int, int]:
        cards = seen.held & suit
        king_high = seen.suits.rank_of(highest(cards)) == KING and bool(seen.higher_unseen(highest(cards)))
        return king_high, cards.bit_count() if short else -cards.bit_count(), -(seen.unseen & suit).bit_count()

    return lowest(seen.legal & min(suits, key=preference))


def _lead_over_nil(seen: MediumObservation) -> int:
    """Protect the partner's nil: lead the highest card of the suit with the fewest higher unseen cards."""
    tops = [highest(seen.legal & suit) for suit in seen.suits.all if seen.legal & suit]
    return min(
        tops, key=lambda bit: (seen.higher_unseen(bit).bit_count(), bit & seen.spades > 0, -seen.suits.rank_of(bit))
    )


def lead_low(seen: MediumObservation) -> int:
    """Lead the card least likely to win: few lower unseen cards, many higher ones."""
    lows = [lowest(seen.legal & suit) for suit in seen.suits.all if seen.legal & suit]
    if seen.nil_alive(seen.partner) and not seen.nil_alive(seen.own_seat):
        return _lead_over_nil(seen)

    def danger(bit: int) -> tuple[bool, float, bool]:
        higher = seen.higher_unseen(bit).bit_count()
        all_unseen = (seen.unseen & seen.suits.suit_of(bit)).bit_count()
        return not higher, (all_unseen - higher + 0.5) / (all_unseen + 1), bool(bit & seen.spades)

    return min(lows, key=danger)
