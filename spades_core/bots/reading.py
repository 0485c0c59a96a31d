"""What a player can read off the table: cards still out, proven voids, sure winners.

Everything is derived from a `SeatView`. Cards are sets of bits, one of them a
single bit; "out" means in the hand of somebody else.
"""

from dataclasses import dataclass

from spades_core.cards import BIT, SPADES, SUIT_MASK, Suit, mask_of, suit_of
from spades_core.seats import SEATS, Seat, partner_of
from spades_core.views import SeatView

ALL_CARDS = (1 << 52) - 1
SIDE_SUITS: tuple[Suit, ...] = ("C", "D", "H")
SIDE_MASKS = tuple(SUIT_MASK[suit] for suit in SIDE_SUITS)
ALL_MASKS = (*SIDE_MASKS, SPADES)


def lowest(cards: int) -> int:
    return cards & -cards


def highest(cards: int) -> int:
    return 1 << (cards.bit_length() - 1)


def bits_of(cards: int) -> list[int]:
    """Each card by itself, lowest first."""
    bits = []
    while cards:
        low = cards & -cards
        bits.append(low)
        cards ^= low
    return bits


def rank_of(bit: int) -> int:
    """0 for a two, 12 for an ace."""
    return (bit.bit_length() - 1) % 13


def suit_mask_of(bit: int) -> int:
    return ALL_MASKS[(bit.bit_length() - 1) // 13]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the player on seat `me` knows during the play of a hand.

    `held`, `legal` and `out` are sets of cards; `may_hold` are those of `out`
    that each other seat has not shown to lack. `best` is the card winning the
    trick on the table (0 when leading), `winning` who played it. `to_come` are
    the seats that play after this one. `need` is how many tricks each side
    still lacks for its contract (below 0: bags) and `left` how many tricks are
    still to be won, the one on the table included.
    """

    me: Seat
    partner: Seat
    held: int
    legal: int
    out: int
    may_hold: tuple[int, ...]
    led: int
    best: int
    winning: Seat | None
    to_come: tuple[Seat, ...]
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    need: tuple[int, int]
    left: int

    def winners(self) -> int:
        """The legal cards that would be ahead in this trick once played; all of them when leading."""
        if not self.best:
            return self.legal
        return self.legal & ~(2 * self.best - 1) & (self.led | SPADES)

    def higher_out(self, bit: int) -> int:
        """The cards of the same suit that are out and beat `bit`."""
        return self.out & suit_mask_of(bit) & ~(2 * bit - 1)

    def bosses(self) -> int:
        """The cards held that no card of their suit beats any more."""
        return sum(bit for suit in ALL_MASKS for bit in bits_of(self.held & suit) if not self.higher_out(bit))

    def may_ruff(self, seat: Seat, suit: int) -> bool:
        """Whether `seat` is known to lack `suit` and may still hold a spade."""
        return suit != SPADES and not self.may_hold[seat] & suit and bool(self.may_hold[seat] & SPADES)

    def is_safe(self, bit: int) -> bool:
        """Whether `bit`, winning the trick now, cannot be beaten by those to come, as far as is known."""
        led = self.led or suit_mask_of(bit)
        for seat in self.to_come:
            theirs = self.may_hold[seat]
            if bit & SPADES:
                beaters = theirs & SPADES & ~(2 * bit - 1)
                if led != SPADES and theirs & led:
                    continue
            else:
                beaters = self.higher_out(bit) & theirs
                if self.may_ruff(seat, led):
                    return False
            if beaters:
                return False
        return True

    def keeps_nil(self, seat: Seat) -> bool:
        """Whether `seat` bid nil and has no trick yet."""
        return self.bids[seat] == 0 and self.taken[seat] == 0


def read(view: SeatView) -> Reading:
    """Raises ValueError when nobody sits there or the bidding is not over: then there is nothing to play."""
    me = view.you
    bids = tuple(seat.bid for seat in view.seats if seat.bid is not None)
    if me is None or len(bids) < 4:
        raise ValueError("cards are read by a seat, after the bidding")
    held, trick = mask_of(view.hand), view.trick
    table = trick.cards if trick else ()
    out = ALL_CARDS & ~held & ~mask_of(table)
    for done in view.tricks:
        out &= ~mask_of(done.cards)
    lacks = _proven_voids(view)
    taken = tuple(seat.taken for seat in view.seats)
    ours, theirs = ((me + step) & 3 for step in (0, 1))
    return Reading(
        me=me,
        partner=partner_of(me),
        held=held,
        legal=mask_of(view.legal_cards),
        out=out,
        may_hold=tuple(0 if seat == me else out & ~lacks[seat] for seat in SEATS),
        led=SUIT_MASK[suit_of(table[0])] if table else 0,
        best=BIT[table[(trick.winning - trick.leader) & 3]] if trick else 0,
        winning=trick.winning if trick else None,
        to_come=tuple(SEATS[(me + step) & 3] for step in range(1, 4 - len(table))),
        bids=bids,
        taken=taken,
        need=(
            bids[ours] + bids[ours ^ 2] - taken[ours] - taken[ours ^ 2],
            bids[theirs] + bids[theirs ^ 2] - taken[theirs] - taken[theirs ^ 2],
        ),
        left=13 - len(view.tricks),
    )


def _proven_voids(view: SeatView) -> list[int]:
    """For each seat the suits it has shown to lack: by not following, or by leading an unbroken spade."""
    lacks, broken = [0, 0, 0, 0], False
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick:
        tricks.append((view.trick.leader, view.trick.cards))
    for leader, cards in tricks:
        led = suit_of(cards[0])
        if led == "S" and not broken:
            lacks[leader] |= ALL_CARDS & ~SPADES
        for step, card in enumerate(cards):
            if card[1] != led:
                lacks[(leader + step) & 3] |= SUIT_MASK[led]
                broken = broken or card[1] == "S"
    return lacks
