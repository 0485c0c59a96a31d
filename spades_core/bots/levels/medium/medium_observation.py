"""What a player can read off the table: cards still out, proven voids, sure winners.

Everything is derived from a `SeatView`. Cards are sets of bits, one of them a
single bit; "out" means in the hand of somebody else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from spades_core.cards import RANKS, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import DeckName, RuleSet
from spades_core.seats import SEATS, Seat, partner_of
from spades_core.views import SeatView

ALL_CARDS = (1 << 52) - 1
ACE, KING, QUEEN, JACK = 12, 11, 10, 9


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


class Suits:
    """The suits of a deck as masks, and what a single card's bit is."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.spades = deck.spades
        self.side = (deck.suit_mask["C"], deck.suit_mask["D"], deck.suit_mask["H"])
        self.all = (*self.side, deck.spades)
        self._suits = (0, *(deck.follow_mask[card] for card in deck.cards))
        self._ranks = (0, *_ranks(deck))

    def suit_of(self, bit: int) -> int:
        """The mask of the suit of a card."""
        return self._suits[bit.bit_length()]

    def rank_of(self, bit: int) -> int:
        """0 for a two, 12 for an ace, more for the spades above the ace."""
        return self._ranks[bit.bit_length()]


def _ranks(deck: Deck) -> Iterator[int]:
    above = ACE
    for card in deck.cards:
        if deck.bit[card] > deck.bit[Card("AS")]:
            above += 1
            yield above
        else:
            yield RANKS.index(card[0])


SUITS: dict[DeckName, Suits] = {name: Suits(deck) for name, deck in DECKS.items()}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the player on seat `me` knows during the play of a hand.

    `held`, `legal` and `out` are sets of cards; `may_hold` are those of `out`
    that each other seat has not shown to lack. `best` is the card winning the
    trick on the table (0 when leading), `winning` who played it. `to_come` are
    the seats that play after this one. `need` is how many tricks each side
    still lacks for its contract (below 0: bags) and `left` how many tricks are
    still to be won, the one on the table included. `counts` is whether a seat's
    further tricks count for its contract.
    """

    rules: RuleSet
    suits: Suits
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
    counts: tuple[bool, ...]
    need: tuple[int, int]
    left: int

    @property
    def spades(self) -> int:
        return self.suits.spades

    def winners(self) -> int:
        """The legal cards that would be ahead in this trick once played; all of them when leading."""
        if not self.best:
            return self.legal
        return self.legal & ~(2 * self.best - 1) & (self.led | self.spades)

    def higher_out(self, bit: int) -> int:
        """The cards of the same suit that are out and beat `bit`."""
        return self.out & self.suits.suit_of(bit) & ~(2 * bit - 1)

    def bosses(self) -> int:
        """The cards held that no card of their suit beats any more."""
        bosses = 0
        for suit in self.suits.all:
            # Above the highest card of the suit that is out; its bit length is 0 when none is.
            bosses |= self.held & suit & -(1 << (self.out & suit).bit_length())
        return bosses

    def may_ruff(self, seat: Seat, suit: int) -> bool:
        """Whether `seat` is known to lack `suit` and may still hold a spade."""
        return suit != self.spades and not self.may_hold[seat] & suit and bool(self.may_hold[seat] & self.spades)

    def is_safe(self, bit: int) -> bool:
        """Whether `bit`, winning the trick now, cannot be beaten by those to come, as far as is known."""
        spades = self.spades
        led = self.led or self.suits.suit_of(bit)
        for seat in self.to_come:
            theirs = self.may_hold[seat]
            if bit & spades:
                beaters = theirs & spades & ~(2 * bit - 1)
                if led != spades and theirs & led:
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
    me, rules = view.you, view.rules
    bids = tuple(seat.bid for seat in view.seats if seat.bid is not None)
    if me is None or len(bids) < 4:
        raise ValueError("cards are read by a seat, after the bidding")
    suits, trick = SUITS[rules.deck], view.trick
    deck = suits.deck
    held, table = deck.mask_of(view.hand), trick.cards if trick else ()
    out = ALL_CARDS & ~held & ~deck.mask_of(table)
    for done in view.tricks:
        out &= ~deck.mask_of(done.cards)
    lacks = _proven_voids(view, deck)
    taken = tuple(seat.taken for seat in view.seats)
    counts = tuple(bid > 0 or rules.failed_nil_tricks == "help" for bid in bids)
    lacking = [bid - won * counting for bid, won, counting in zip(bids, taken, counts, strict=True)]
    return Reading(
        rules=rules,
        suits=suits,
        me=me,
        partner=partner_of(me),
        held=held,
        legal=deck.mask_of(view.legal_cards),
        out=out,
        may_hold=tuple(0 if seat == me else out & ~lacks[seat] for seat in SEATS),
        led=deck.follow_mask[table[0]] if table else 0,
        best=deck.bit[table[(trick.winning - trick.leader) & 3]] if trick else 0,
        winning=trick.winning if trick else None,
        to_come=tuple(SEATS[(me + step) & 3] for step in range(1, 4 - len(table))),
        bids=bids,
        taken=taken,
        counts=counts,
        need=(lacking[me] + lacking[me ^ 2], lacking[me ^ 1] + lacking[me ^ 3]),
        left=13 - len(view.tricks),
    )


def _proven_voids(view: SeatView, deck: Deck) -> list[int]:
    """For each seat what it has shown to lack: by not following, or by a spade where another card was asked for."""
    rules, follow, broken = view.rules, deck.follow_mask, False
    lacks, spades = [0, 0, 0, 0], deck.spades
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick:
        tricks.append((view.trick.leader, view.trick.cards))
    for number, (leader, cards) in enumerate(tricks):
        led = follow[cards[0]]
        barred = not broken if rules.lead_spades == "when_broken" else rules.lead_spades != "any_time" and not number
        if led == spades and barred:
            lacks[leader] |= ALL_CARDS & ~spades
        for step, card in enumerate(cards):
            suit = follow[card]
            if suit == led:
                continue
            ruff = suit == spades
            only_spades = ruff and not number and rules.first_trick_spades == "refused"
            lacks[(leader + step) & 3] |= ALL_CARDS & ~spades if only_spades else led
            broken = broken or ruff
    return lacks
