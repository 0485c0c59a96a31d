"""The medium bot's card when it leads a trick."""

from random import Random

from spades_core.bots.levels.medium.medium_observation import KING, Reading, bits_of, highest, lowest


def lead_to_win(table: Reading, rng: Random, noise: float) -> int:
    leads = table.legal
    if rng.random() < noise and leads & ~table.spades:
        return rng.choice(bits_of(leads & ~table.spades))
    cash = [bit for bit in bits_of(leads & table.bosses() & ~table.spades) if table.is_safe(bit)]
    if cash:
        return max(cash, key=lambda bit: (table.out & table.suits.suit_of(bit)).bit_count())
    if table.keeps_nil(table.partner):
        return _lead_over_nil(table)
    bosses = leads & table.bosses() & table.spades
    others_hold = any(table.may_hold[seat] & table.spades for seat in table.to_come if seat != table.partner)
    long_enough = (table.held & table.spades).bit_count() >= 4 or table.held & table.spades == table.held
    if bosses and (long_enough or table.bosses().bit_count() >= table.need[0]) and others_hold:
        return highest(bosses)
    for suit in table.suits.side:
        wanted = leads & suit and table.may_ruff(table.partner, suit)
        if wanted and not any(table.may_ruff(seat, suit) for seat in table.to_come):
            return lowest(leads & suit)
    return _lead_low(table)


def _lead_low(table: Reading) -> int:
    """The lowest card of the shortest side suit while spades are left to ruff with, else of the longest."""
    suits = [suit for suit in table.suits.side if table.legal & suit]
    if not suits:
        return lowest(table.legal)
    short = bool(table.held & table.spades)

    def worth(suit: int) -> tuple[bool, int, int]:
        cards = table.held & suit
        hopeful = table.suits.rank_of(highest(cards)) == KING and bool(table.higher_out(highest(cards)))
        return hopeful, cards.bit_count() if short else -cards.bit_count(), -(table.out & suit).bit_count()

    return lowest(table.legal & min(suits, key=worth))


def _lead_over_nil(table: Reading) -> int:
    """A card the nil partner can stay under: the highest of the suit with the fewest higher ones out."""
    tops = [highest(table.legal & suit) for suit in table.suits.all if table.legal & suit]
    return min(
        tops, key=lambda bit: (table.higher_out(bit).bit_count(), bit & table.spades > 0, -table.suits.rank_of(bit))
    )


def lead_under(table: Reading) -> int:
    """The card least likely to win: few lower ones out, many higher ones."""
    lows = [lowest(table.legal & suit) for suit in table.suits.all if table.legal & suit]
    if table.keeps_nil(table.partner) and not table.keeps_nil(table.me):
        return _lead_over_nil(table)

    def danger(bit: int) -> tuple[bool, float, bool]:
        higher = table.higher_out(bit).bit_count()
        all_out = (table.out & table.suits.suit_of(bit)).bit_count()
        return not higher, (all_out - higher + 0.5) / (all_out + 1), bool(bit & table.spades)

    return min(lows, key=danger)
