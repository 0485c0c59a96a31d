"""The medium bot's card when it plays second, third or fourth to a trick."""

from spades_core.bots.levels.medium.medium_observation import MediumObservation, bits_of, highest, lowest


def keep_nil(seen: MediumObservation) -> int:
    """Play the most dangerous losing card, else the card most likely to be beaten."""
    losers = seen.legal & ~seen.winners()
    if losers:
        return _most_dangerous(seen, losers)
    if not seen.still_to_play:
        return lowest(seen.legal)
    return lowest(seen.legal & ~seen.spades or seen.legal)


def _most_dangerous(seen: MediumObservation, losers: int) -> int:
    """Return the highest of the suit led, else the card most likely to win a later trick."""
    if losers & seen.led:
        return highest(losers & seen.led)

    def danger(bit: int) -> tuple[float, int]:
        suit = seen.suits.suit_of(bit)
        lower_unseen = (seen.unseen & suit & (bit - 1)).bit_count()
        guards = (seen.held & suit & (bit - 1)).bit_count()  # low cards that can be played before it
        return lower_unseen + (6 if bit & seen.spades else 0) - 0.8 * guards, seen.suits.rank_of(bit)

    return max(bits_of(losers), key=danger)


def cover_nil(seen: MediumObservation) -> int:
    """Return a card that saves the partner's nil in this trick, or 0 if none is needed or held."""
    winners = seen.winners()
    if seen.winner == seen.partner:
        return _cheapest_that_holds(seen, winners) if winners else 0
    if seen.partner not in seen.still_to_play or seen.is_safe(seen.best):
        return 0
    partner_is_void, ruffed = not seen.may_hold[seen.partner] & seen.led, seen.best & seen.spades & ~seen.led
    if partner_is_void or ruffed or seen.suits.rank_of(seen.best) >= 9:
        return 0
    follow = winners & seen.led
    if follow:
        return highest(follow)
    return lowest(winners) if winners and seen.suits.rank_of(seen.best) < 7 else 0


def follow_to_win(seen: MediumObservation) -> int:
    """Try to win the trick for the side: second hand low, third hand high, fourth hand the lowest winning card."""
    winners = seen.winners()
    if not winners:
        return _discard_low(seen)
    losers = seen.legal & ~winners
    partner_ahead = seen.winner == seen.partner and seen.counts[seen.partner] and not seen.nil_alive(seen.partner)
    if not seen.still_to_play:
        return _discard_low(seen) if partner_ahead and losers else lowest(winners)
    if partner_ahead and losers and _partner_suffices(seen, winners):
        return _discard_low(seen)
    follow = winners & seen.led
    if not follow:
        return _ruff(seen, winners)
    if len(seen.still_to_play) == 1:
        return _cheapest_equivalent(seen, highest(follow))
    top = highest(follow)
    if not seen.higher_unseen(top) and (seen.led != seen.spades or seen.tricks_needed[0] > 0):
        return _cheapest_equivalent(seen, top)
    return _discard_low(seen) if losers else lowest(seen.legal)


def _partner_suffices(seen: MediumObservation, winners: int) -> bool:
    """Return whether the partner's card holds, or a higher one would add nothing to it."""
    if seen.is_safe(seen.best):
        return True
    follow = winners & seen.led
    if not follow:
        return not seen.higher_unseen(seen.best)
    return not seen.unseen & seen.led & ~(2 * seen.best - 1) & (highest(follow) - 1)


def _ruff(seen: MediumObservation, spades: int) -> int:
    """Ruff with the cheapest spade that holds, but discard if the partner is likely to ruff."""
    if seen.partner in seen.still_to_play:
        partner = seen.may_hold[seen.partner]
        if not partner & seen.led and partner & seen.spades:
            return _discard_low(seen)
    return _cheapest_that_holds(seen, spades)


def _cheapest_that_holds(seen: MediumObservation, winners: int) -> int:
    """Return the cheapest card that no seat still to play is known to beat, else the cheapest."""
    for bit in bits_of(winners & ~seen.spades) + bits_of(winners & seen.spades):
        if seen.is_safe(bit):
            return bit
    return lowest(winners & ~seen.spades or winners)


def _cheapest_equivalent(seen: MediumObservation, top: int) -> int:
    """Return the lowest card held that is equivalent to `top`: no card of another player is in between."""
    suit, choice = seen.legal & seen.suits.suit_of(top), top
    for bit in reversed(bits_of(suit & seen.winners() & (top - 1))):
        if seen.unseen & (top - 1) & ~(2 * bit - 1):
            break
        choice = bit
    return choice


def _discard_low(seen: MediumObservation) -> int:
    """Return the least useful card, a losing one if possible: low, no spade, not the highest unplayed of its suit."""
    losers = seen.legal & ~seen.winners() or seen.legal
    if losers & seen.led:
        return lowest(losers & seen.led)
    bosses = seen.bosses()

    def use(bit: int) -> tuple[bool, bool, int, int]:
        suit = seen.held & seen.suits.suit_of(bit)
        return bool(bit & seen.spades), bool(bit & bosses), seen.suits.rank_of(bit), suit.bit_count()

    return min(bits_of(losers), key=use)


def duck(seen: MediumObservation) -> int:
    """Play the most dangerous losing card, else the lowest winning one, a spade last."""
    losers = seen.legal & ~seen.winners()
    return _most_dangerous(seen, losers) if losers else lowest(seen.legal & ~seen.spades or seen.legal)
