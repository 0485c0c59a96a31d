"""The knowledge that the medium bot derives from a view: unseen cards, proven voids, sure winners.

Cards are masks of the whole deck, as in `spades_core.deck`; a single card is one bit. "Unseen" are
the cards in other hands.
"""

from collections.abc import Iterator

from spades_core.cards import RANKS, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import DeckName
from spades_core.seats import SEATS, Seat, partner_of
from spades_core.views import SeatView

ALL_CARDS = (1 << 52) - 1
ACE, KING, QUEEN = 12, 11, 10


def lowest(cards: int) -> int:
    return cards & -cards


def highest(cards: int) -> int:
    return 1 << (cards.bit_length() - 1)


def bits_of(cards: int) -> list[int]:
    """Return each card of a mask as a bit, lowest first."""
    bits = []
    while cards:
        low = cards & -cards
        bits.append(low)
        cards ^= low
    return bits


class DeckSuits:
    """The suits of a deck as masks, and the suit and rank of each card."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.spades = deck.spades
        self.side = (deck.suit_mask["C"], deck.suit_mask["D"], deck.suit_mask["H"])
        self.all = (*self.side, deck.spades)
        self._suits = (0, *(deck.follow_mask[card] for card in deck.cards))
        self._ranks = (0, *_ranks(deck))

    def suit_of(self, bit: int) -> int:
        """Return the mask of a card's suit."""
        return self._suits[bit.bit_length()]

    def rank_of(self, bit: int) -> int:
        """Return 0 for a two, 12 for an ace, more for the spades above the ace."""
        return self._ranks[bit.bit_length()]


def _ranks(deck: Deck) -> Iterator[int]:
    above = ACE
    for card in deck.cards:
        if deck.bit[card] > deck.bit[Card("AS")]:
            above += 1
            yield above
        else:
            yield RANKS.index(card[0])


DECK_SUITS: dict[DeckName, DeckSuits] = {name: DeckSuits(deck) for name, deck in DECKS.items()}


class MediumObservation:
    """The knowledge of a player during the play of a hand.

    held, legal, unseen: masks of cards.
    may_hold: the cards of `unseen` in suits in which a seat has not shown a void, by seat.
    led, best, winner: of the current trick the mask of the suit led, the winning card and its seat;
        0, 0 and None when leading.
    still_to_play: the seats that play after this one.
    bids, taken: tricks bid and won, by seat.
    counts: whether a seat's further tricks count for its contract, by seat.
    tricks_needed: tricks that the own side and the opponents need; negative if they have bags.
    tricks_left: tricks not yet won, the current one included.
    """

    def __init__(self, view: SeatView) -> None:
        """Raise ValueError for a view of no seat, or before the bidding is over."""
        bids = tuple(seat.bid for seat in view.seats if seat.bid is not None)
        if view.you is None or len(bids) < 4:
            raise ValueError("the view must be of a seat, after the bidding")
        own_seat, rules, trick = view.you, view.rules, view.trick
        self.own_seat, self.partner, self.rules = own_seat, partner_of(own_seat), rules
        self.suits = DECK_SUITS[rules.deck]
        self.spades, deck = self.suits.spades, self.suits.deck
        table = trick.cards if trick else ()
        self.held, self.legal = deck.mask_of(view.hand), deck.mask_of(view.legal_cards)
        self.unseen = ALL_CARDS & ~self.held & ~deck.mask_of(table)
        for finished in view.tricks:
            self.unseen &= ~deck.mask_of(finished.cards)
        voids = _proven_voids(view, deck)
        self.may_hold = [0 if seat == own_seat else self.unseen & ~voids[seat] for seat in SEATS]
        self.led = deck.follow_mask[table[0]] if table else 0
        self.best = deck.bit[table[(trick.winning - trick.leader) & 3]] if trick else 0
        self.winner = trick.winning if trick else None
        self.still_to_play = [SEATS[(own_seat + step) & 3] for step in range(1, 4 - len(table))]
        self.bids, self.taken = bids, [seat.taken for seat in view.seats]
        self.counts = [bid > 0 or rules.failed_nil_tricks == "help" for bid in bids]
        needed = [bid - won * counts for bid, won, counts in zip(bids, self.taken, self.counts, strict=True)]
        self.tricks_needed = needed[own_seat] + needed[own_seat ^ 2], needed[own_seat ^ 1] + needed[own_seat ^ 3]
        self.tricks_left = 13 - len(view.tricks)

    def winners(self) -> int:
        """Return the legal cards that beat the current trick; all of them when leading."""
        if not self.best:
            return self.legal
        return self.legal & ~(2 * self.best - 1) & (self.led | self.spades)

    def higher_unseen(self, bit: int) -> int:
        """Return the unseen cards that beat a card of the same suit."""
        return self.unseen & self.suits.suit_of(bit) & ~(2 * bit - 1)

    def bosses(self) -> int:
        """Return the cards held that no unseen card of their suit beats."""
        bosses = 0
        for suit in self.suits.all:
            # The cards above the highest unseen card of the suit, whose bit length is 0 if there is none.
            bosses |= self.held & suit & -(1 << (self.unseen & suit).bit_length())
        return bosses

    def may_ruff(self, seat: Seat, suit: int) -> bool:
        """Return whether a seat is known to be void in a suit and may hold a spade."""
        return suit != self.spades and not self.may_hold[seat] & suit and bool(self.may_hold[seat] & self.spades)

    def is_safe(self, bit: int) -> bool:
        """Return whether it is certain that no seat still to play can beat a winning card."""
        spades = self.spades
        led = self.led or self.suits.suit_of(bit)
        for seat in self.still_to_play:
            theirs = self.may_hold[seat]
            if bit & spades:
                beaters = theirs & spades & ~(2 * bit - 1)
                if led != spades and theirs & led:
                    continue
            else:
                beaters = self.higher_unseen(bit) & theirs
                if self.may_ruff(seat, led):
                    return False
            if beaters:
                return False
        return True

    def nil_alive(self, seat: Seat) -> bool:
        """Return whether a seat bid nil and has no trick yet."""
        return self.bids[seat] == 0 and self.taken[seat] == 0


def _proven_voids(view: SeatView, deck: Deck) -> list[int]:
    """Return the suits in which each seat has shown a void, by not following or by a spade legal only without them."""
    rules, follow, broken = view.rules, deck.follow_mask, False
    voids, spades = [0, 0, 0, 0], deck.spades
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick:
        tricks.append((view.trick.leader, view.trick.cards))
    for number, (leader, cards) in enumerate(tricks):
        led = follow[cards[0]]
        spade_lead_forbidden = (
            not broken if rules.lead_spades == "when_broken" else rules.lead_spades != "any_time" and not number
        )
        if led == spades and spade_lead_forbidden:
            voids[leader] |= ALL_CARDS & ~spades
        for step, card in enumerate(cards):
            suit = follow[card]
            if suit == led:
                continue
            ruff = suit == spades
            only_spades = ruff and not number and rules.first_trick_spades == "refused"
            voids[(leader + step) & 3] |= ALL_CARDS & ~spades if only_spades else led
            broken = broken or ruff
    return voids
