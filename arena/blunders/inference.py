"""What a player can know during the play of a hand, inferred from its view to judge its card.

It shares no code with the bots: a judge that did would share their mistakes.
"""

from dataclasses import dataclass

from spades_core.deck import DECKS, Deck
from spades_core.seats import Seat, next_seat, partner_of
from spades_core.views import SeatView

ALL_CARDS = (1 << 52) - 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Sets of cards are masks: `held`, `legal`, `unseen` (held by others), `excluded` (what each seat cannot hold).

    `led` is the mask of the suit led and `best` the bit that is winning the trick, both 0
    when leading. `needed` and `opponents_need` are the tricks that each side lacks for its
    contract, of `tricks_left`.
    """

    deck: Deck
    seat: Seat
    held: int
    legal: int
    unseen: int
    excluded: tuple[int, ...]
    led: int
    best: int
    winning: Seat | None
    later_seats: tuple[Seat, ...]
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    needed: int
    opponents_need: int
    tricks_left: int

    @property
    def partner(self) -> Seat:
        return partner_of(self.seat)

    @property
    def opponents(self) -> tuple[Seat, Seat]:
        return next_seat(self.seat), next_seat(self.seat, 3)

    @property
    def plays_last(self) -> bool:
        return bool(self.best) and not self.later_seats

    @property
    def winners(self) -> int:
        """The legal cards that would be winning the trick."""
        return self.legal & cards_above(self.best) & (self.led | self.deck.spades) if self.best else self.legal

    @property
    def top_cards(self) -> int:
        """The cards held that are the highest left of their suit."""
        top = 0
        for suit in self.deck.suit_mask.values():
            top |= self.held & suit & -(1 << (self.unseen & suit).bit_length())
        return top

    @property
    def sure_winners(self) -> int:
        """The top spades, and the top cards of suits that are still out and that no opponent is known to ruff."""
        sure = self.deck.spades
        for suit in self.deck.suit_mask.values():
            ruffed = any(
                not self.possible(seat) & suit and self.possible(seat) & self.deck.spades for seat in self.opponents
            )
            if self.unseen & suit and not ruffed:
                sure |= suit
        return self.top_cards & sure

    @property
    def opponent_nil_alive(self) -> bool:
        return any(self.nil_alive(seat) for seat in self.opponents)

    def nil_alive(self, seat: Seat) -> bool:
        return self.bids[seat] == 0 and self.taken[seat] == 0

    def possible(self, seat: Seat) -> int:
        """Return the unseen cards that the seat may hold."""
        return self.unseen & ~self.excluded[seat]

    def holds(self, bit: int) -> bool:
        """Return whether `bit`, winning the trick, stays ahead unless a later seat ruffs with a void not yet shown."""
        led = self.led or self.deck.follow_mask[self.deck.cards[bit.bit_length() - 1]]
        for seat in self.later_seats:
            theirs = self.possible(seat)
            if theirs & cards_above(bit) & (self.deck.spades if not theirs & led else led if bit & led else 0):
                return False
        return True


def cards_above(bit: int) -> int:
    """Return the mask of all cards after `bit` in the order of the deck."""
    return ALL_CARDS & ~(2 * bit - 1)


def bits_of(mask: int) -> list[int]:
    return [1 << index for index in range(mask.bit_length()) if mask >> index & 1]


def infer(view: SeatView) -> Knowledge:
    """Return what the player who is to play a card can know."""
    assert view.you is not None
    seat, deck, trick = view.you, DECKS[view.rules.deck], view.trick
    ours, theirs = view.sides[seat & 1], view.sides[1 - (seat & 1)]
    held = deck.mask_of(view.hand)
    table = trick.cards if trick else ()
    seen = held | deck.mask_of(table)
    for done in view.tricks:
        seen |= deck.mask_of(done.cards)
    return Knowledge(
        deck=deck,
        seat=seat,
        held=held,
        legal=deck.mask_of(view.legal_cards),
        unseen=ALL_CARDS & ~seen,
        excluded=excluded_cards(view),
        led=deck.follow_mask[table[0]] if table else 0,
        best=deck.bit[table[(trick.winning - trick.leader) & 3]] if trick else 0,
        winning=trick.winning if trick else None,
        later_seats=tuple(next_seat(seat, step) for step in range(1, 4 - len(table))),
        bids=tuple(each.bid or 0 for each in view.seats),
        taken=tuple(each.taken for each in view.seats),
        needed=(ours.contract or 0) - ours.helping,
        opponents_need=(theirs.contract or 0) - theirs.helping,
        tricks_left=13 - len(view.tricks),
    )


def excluded_cards(view: SeatView) -> tuple[int, ...]:
    """Return the cards each seat cannot hold: it failed to follow suit, or led a spade before spades were broken."""
    deck, excluded, broken = DECKS[view.rules.deck], [0, 0, 0, 0], view.rules.lead_spades != "when_broken"
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick:
        tricks.append((view.trick.leader, view.trick.cards))
    for leader, cards in tricks:
        led = deck.follow_mask[cards[0]]
        if led == deck.spades and not broken:
            excluded[leader] |= ALL_CARDS & ~deck.spades
        for step, card in enumerate(cards):
            if deck.follow_mask[card] != led:
                excluded[next_seat(leader, step)] |= led
                broken = broken or deck.follow_mask[card] == deck.spades
    return tuple(excluded)
