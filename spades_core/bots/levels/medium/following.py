"""The medium bot's card when it plays onto a trick."""

from spades_core.bots.levels.medium.medium_observation import Reading, bits_of, highest, lowest


def stay_under(table: Reading) -> int:
    """With an own nil: the most dangerous card that loses, else the one most likely to be beaten."""
    losers = table.legal & ~table.winners()
    if losers:
        return _riddance(table, losers)
    if not table.to_come:
        return lowest(table.legal)
    side_cards = table.legal & ~table.spades
    return lowest(side_cards or table.legal)


def _riddance(table: Reading, cards: int) -> int:
    """Of cards that cannot win: the highest of the suit led, else the one that would win most often later."""
    if cards & table.led:
        return highest(cards & table.led)

    def danger(bit: int) -> tuple[float, int]:
        lower = (table.out & table.suits.suit_of(bit) & (bit - 1)).bit_count()
        return lower + (6 if bit & table.spades else 0) - 0.8 * _shelter(table, bit), table.suits.rank_of(bit)

    return max(bits_of(cards), key=danger)


def _shelter(table: Reading, bit: int) -> int:
    """How many low cards of its suit may be played before this one has to be."""
    return (table.held & table.suits.suit_of(bit) & (bit - 1)).bit_count()


def cover(table: Reading) -> int:
    """A card that saves the partner's nil in this trick, or 0 when it needs none or there is none."""
    winners = table.winners()
    if table.winning == table.partner:
        if not winners:
            return 0
        return _cheapest_that_holds(table, winners)
    if table.partner not in table.to_come or table.is_safe(table.best):
        return 0
    if (
        table.may_hold[table.partner] & table.led == 0
        or table.suits.rank_of(table.best) >= 9
        or table.best & table.spades & ~table.led
    ):
        return 0
    follow = winners & table.led
    if follow:
        return highest(follow)
    return lowest(winners) if winners and table.suits.rank_of(table.best) < 7 else 0


def follow_to_win(table: Reading) -> int:
    winners = table.winners()
    if not winners:
        return _throw_low(table)
    losers = table.legal & ~winners
    partner_ahead = (
        table.winning == table.partner and table.counts[table.partner] and not table.keeps_nil(table.partner)
    )
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
    if not table.higher_out(top) and (table.led != table.spades or table.need[0] > 0):
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
    if partner_plays and not table.may_hold[table.partner] & table.led and table.may_hold[table.partner] & table.spades:
        return _throw_low(table)
    return _cheapest_that_holds(table, spades)


def _cheapest_that_holds(table: Reading, winners: int) -> int:
    """The cheapest card that nobody to come is known to beat, else the cheapest."""
    for bit in bits_of(winners & ~table.spades) + bits_of(winners & table.spades):
        if table.is_safe(bit):
            return bit
    return lowest(winners & ~table.spades or winners)


def _cheapest_equal(table: Reading, top: int) -> int:
    """The lowest card held that is worth as much as `top`: no card in between is out or on the table."""
    suit, choice = table.legal & table.suits.suit_of(top), top
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
        suit = table.held & table.suits.suit_of(bit)
        return bool(bit & table.spades), bool(bit & bosses), table.suits.rank_of(bit), suit.bit_count()

    return min(bits_of(losers), key=use)


def duck(table: Reading) -> int:
    """With enough tricks: the highest card that loses, else the one most likely to be beaten."""
    winners = table.winners()
    losers = table.legal & ~winners
    if losers:
        return _riddance(table, losers)
    return lowest(winners & ~table.spades or winners)
