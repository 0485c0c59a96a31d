"""What a player can know in the play of a hand, worked out from its view to judge its card.

It shares nothing with how bots read a view: a judge that did would share their mistakes.
"""

from dataclasses import dataclass

from spades_core.deck import DECKS, Deck
from spades_core.seats import SEATS, Seat, next_seat, partner_of
from spades_core.views import SeatView

ALL_CARDS = (1 << 52) - 1


@dataclass(frozen=True, slots=True)
class Known:
    """`held`, `legal` and `out` (with the others) are masks, `best` the bit that wins the trick, 0 when leading.

    `lacks` is what each seat has shown not to hold. `ours` and `theirs` are the
    tricks that each side lacks for its contract, `left` those still to be won.
    """

    deck: Deck
    me: Seat
    held: int
    legal: int
    out: int
    lacks: tuple[int, ...]
    led: int
    best: int
    winning: Seat | None
    to_come: tuple[Seat, ...]
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    ours: int
    theirs: int
    left: int

    @property
    def partner(self) -> Seat:
        return partner_of(self.me)

    @property
    def opponents(self) -> tuple[Seat, Seat]:
        return next_seat(self.me), next_seat(self.me, 3)

    @property
    def last(self) -> bool:
        """Whether its card is the last of the trick."""
        return bool(self.best) and not self.to_come

    @property
    def winners(self) -> int:
        """The legal cards that would be ahead in the trick on the table."""
        return self.legal & above(self.best) & (self.led | self.deck.spades) if self.best else self.legal

    def keeps_nil(self, seat: Seat) -> bool:
        return self.bids[seat] == 0 and self.taken[seat] == 0

    def may_hold(self, seat: Seat) -> int:
        return self.out & ~self.lacks[seat]

    @property
    def opponents_keep_nil(self) -> bool:
        return any(self.keeps_nil(seat) for seat in self.opponents)

    @property
    def highest(self) -> int:
        """Cards held that no card of their suit beats any more."""
        top = 0
        for suit in self.deck.suit_mask.values():
            top |= self.held & suit & -(1 << (self.out & suit).bit_length())
        return top

    @property
    def sure_winners(self) -> int:
        """The highest spades, and the highest cards of suits that are still out and no opponent is known to ruff."""
        sure = self.deck.spades
        for suit in self.deck.suit_mask.values():
            ruffed = any(
                not self.may_hold(seat) & suit and self.may_hold(seat) & self.deck.spades for seat in self.opponents
            )
            if self.out & suit and not ruffed:
                sure |= suit
        return self.highest & sure

    def holds(self, bit: int) -> bool:
        """Whether nobody to come is known to be able to beat `bit`, which wins the trick."""
        led = self.led or self.deck.follow_mask[self.deck.cards[bit.bit_length() - 1]]
        for seat in self.to_come:
            theirs = self.may_hold(seat)
            if theirs & above(bit) & (self.deck.spades if not theirs & led else led if bit & led else 0):
                return False
        return True


def above(bit: int) -> int:
    """All cards higher in the order of the deck."""
    return ALL_CARDS & ~(2 * bit - 1)


def bits_of(mask: int) -> list[int]:
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]


def known(view: SeatView) -> Known:
    """Of who is on turn to play a card."""
    assert view.you is not None
    me, deck, trick = view.you, DECKS[view.rules.deck], view.trick
    ours, theirs = view.sides[me & 1], view.sides[1 - (me & 1)]
    held = deck.mask_of(view.hand)
    table = trick.cards if trick else ()
    seen = held | deck.mask_of(table)
    for done in view.tricks:
        seen |= deck.mask_of(done.cards)
    return Known(
        deck=deck,
        me=me,
        held=held,
        legal=deck.mask_of(view.legal_cards),
        out=ALL_CARDS & ~seen,
        lacks=shown_to_lack(view),
        led=deck.follow_mask[table[0]] if table else 0,
        best=deck.bit[table[(trick.winning - trick.leader) & 3]] if trick else 0,
        winning=trick.winning if trick else None,
        to_come=tuple(SEATS[(me + step) & 3] for step in range(1, 4 - len(table))),
        bids=tuple(seat.bid or 0 for seat in view.seats),
        taken=tuple(seat.taken for seat in view.seats),
        ours=(ours.contract or 0) - ours.helping,
        theirs=(theirs.contract or 0) - theirs.helping,
        left=13 - len(view.tricks),
    )


def shown_to_lack(view: SeatView) -> tuple[int, ...]:
    """By not following, or by leading a spade while these were not broken."""
    deck, lacks, broken = DECKS[view.rules.deck], [0, 0, 0, 0], view.rules.lead_spades != "when_broken"
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick:
        tricks.append((view.trick.leader, view.trick.cards))
    for leader, cards in tricks:
        led = deck.follow_mask[cards[0]]
        if led == deck.spades and not broken:
            lacks[leader] |= ALL_CARDS & ~deck.spades
        for step, card in enumerate(cards):
            if deck.follow_mask[card] != led:
                lacks[next_seat(leader, step)] |= led
                broken = broken or deck.follow_mask[card] == deck.spades
    return tuple(lacks)
