"""The play of a hand as everybody at the table sees it, in small masks of one suit each, made to be played on.

A `Position` holds no hand. Who thinks puts its own hand beside it, who searches
puts four imagined ones, and both ask the same policy. Suits are numbers, 0 to 3
for clubs to spades, a card is its suit and its bit among the cards of the suit;
in the order of the deck, so the higher bit wins. A position is changed by `play`.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from spades_core.bots.weights import parameters
from spades_core.cards import SUITS, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import DeckName, RuleSet

SPADES = 3
Place = tuple[int, int]
"""A card: its suit and its bit."""
TOP = [0]
"""The highest bit of every mask of a suit; looked up, since a search asks for it some million times a second."""
for _bit in range(16):
    TOP += [1 << _bit] * (1 << _bit)

TAKE, DUCK, NIL, COVER = range(4)
"""What a seat is after: tricks, none of them (they would be bags), its own nil, its partner's nil."""


Strangers = tuple[tuple[int, int], ...]
"""Who did not follow suit, by the place in the trick, with what suit."""
REMEMBERED = 1 << 12


class Places:
    """Where each card of a deck lies: its suit and its bit, and back."""

    def __init__(self, deck: Deck) -> None:
        self.full = [deck.suit_mask[suit].bit_count() for suit in SUITS]
        starts = [sum(self.full[:suit]) for suit in range(4)]
        self.whole = [(1 << size) - 1 for size in self.full]
        self.at: dict[Card, Place] = {}
        for index, card in enumerate(deck.cards):
            suit = SUITS.index(deck.suit[card])
            self.at[card] = suit, 1 << index - starts[suit]
        self.card = {place: card for card, place in self.at.items()}
        self.read_trick = lru_cache(REMEMBERED)(self._read_trick)
        """Four masks, the suit led, and who did not follow; remembered, as each trick is looked back at often."""

    def by_suit(self, cards: Iterable[Card]) -> list[int]:
        """Four masks."""
        masks, at = [0, 0, 0, 0], self.at
        for card in cards:
            suit, bit = at[card]
            masks[suit] |= bit
        return masks

    def _read_trick(self, cards: tuple[Card, ...]) -> tuple[list[int], int, Strangers]:
        suits = [self.at[card][0] for card in cards]
        led = suits[0]
        return self.by_suit(cards), led, tuple((step, suit) for step, suit in enumerate(suits) if suit != led)


@cache
def _places(deck: DeckName) -> Places:
    return Places(DECKS[deck])


def places_of(rules: RuleSet) -> Places:
    return _places(rules.deck)


class Position:
    """Public facts of the play.

    `out` are the cards in somebody's hand, by suit. `void` has for each seat a
    bit for every suit it has shown to lack. `need` is what each side lacks for
    its contract, below 0 when it has bags; `counts` whether a seat's tricks help
    it; `nil` whether a seat's nil is alive. `left` are the tricks still to be
    won. Of the trick on the table: `begun` cards lie there, the first of suit
    `led`, `best` (a spade on another suit, if `ruffed`) wins for `winner`; with
    none, `winner` leads. `mode` is what each seat is after and `prey` which nils
    each side can afford to attack, as bits of seats, `aim` what a side is after but
    for nils; all are settled when a trick begins. `turn` played last. The higher
    `eager`, the more tricks a side will take to set the other.
    """

    __slots__ = (
        "aim", "bags_free", "barred", "begun", "best", "bids", "clubs_first", "counts", "eager", "led", "left",
        "lowest_first", "mode", "need", "nil", "out", "prey", "ruffed", "spared_first", "taken", "turn",
        "until_broken", "void", "winner",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, bids: list[int], leader: int, taken: Sequence[int] = (0, 0, 0, 0)) -> None:
        """Before a trick, when so many are `taken`; which cards are gone by then is left to the caller."""
        self.out = places_of(rules).whole[:]
        self.void = [0, 0, 0, 0]
        self.bids = bids
        self.taken = [*taken]
        one, two, three, four = bids
        first, second, third, fourth = taken
        self.nil = [one + first == 0, two + second == 0, three + third == 0, four + fourth == 0]
        self.counts = counts = [True] * 4
        if rules.failed_nil_tricks != "help":
            self.counts = counts = [bid > 0 for bid in bids]
        self.need = [
            one + three - first * counts[0] - third * counts[2],
            two + four - second * counts[1] - fourth * counts[3],
        ]
        self.left = 13 - first - second - third - fourth
        self.begun, self.winner, self.turn = 0, leader, leader
        self.led, self.best, self.ruffed = 0, 0, False
        self.until_broken = rules.lead_spades == "when_broken"
        self.barred = rules.lead_spades != "any_time"
        first = self.left == 13
        self.clubs_first = first and rules.first_lead in ("two_of_clubs", "lowest_clubs")
        self.lowest_first = first and rules.first_lead == "lowest_clubs"
        self.spared_first = first and rules.first_trick_spades == "refused"
        self.bags_free = rules.bag_limit is None
        self.eager = [parameters.EAGER, parameters.EAGER]
        self.mode = [TAKE] * 4
        self.aim = [TAKE, TAKE]
        self.prey = [0, 0]
        self.set_modes()

    def copy(self) -> "Position":
        """Another one to play on."""
        new = Position.__new__(Position)
        new.out, new.void, new.taken = self.out[:], self.void[:], self.taken[:]
        new.need, new.nil, new.mode, new.prey = self.need[:], self.nil[:], self.mode[:], self.prey[:]
        new.aim = self.aim[:]
        new.bids, new.counts, new.eager, new.turn = self.bids, self.counts, self.eager, self.turn
        new.left, new.begun, new.winner = self.left, self.begun, self.winner
        new.led, new.best, new.ruffed = self.led, self.best, self.ruffed
        new.until_broken, new.barred, new.clubs_first = self.until_broken, self.barred, self.clubs_first
        new.lowest_first, new.spared_first, new.bags_free = self.lowest_first, self.spared_first, self.bags_free
        return new

    def play(self, seat: int, suit: int, bit: int) -> None:
        """A card is played, legal or not."""
        if self.begun:
            self.follow(seat, suit, bit)
        else:
            self.lead(seat, suit, bit)

    def lead(self, seat: int, suit: int, bit: int) -> None:
        """The first card of a trick."""
        self.out[suit] ^= bit
        self.led, self.best, self.ruffed = suit, bit, False
        self.winner = self.turn = seat
        self.begun = 1

    def follow(self, seat: int, suit: int, bit: int) -> None:
        """Any other; the fourth ends the trick."""
        self.out[suit] ^= bit
        if suit == self.led:
            if bit > self.best and not self.ruffed:
                self.best, self.winner = bit, seat
        else:
            self.void[seat] |= 1 << self.led
            if suit == SPADES:
                self.barred = False if self.until_broken else self.barred
                if not self.ruffed or bit > self.best:
                    self.best, self.winner, self.ruffed = bit, seat, True
        if self.begun == 3:
            self._finish()
        else:
            self.begun += 1
            self.turn = seat

    def _finish(self) -> None:
        winner = self.winner
        self.taken[winner] += 1
        self.nil[winner] = False
        if self.counts[winner]:
            self.need[winner & 1] -= 1
        self.left -= 1
        self.begun = 0
        if self.left == 12:
            self.clubs_first = self.lowest_first = self.spared_first = False
            if not self.until_broken:
                self.barred = False
        self.set_modes()

    def set_modes(self) -> None:
        """What everybody is after in the trick that begins."""
        need, nil, mode, left = self.need, self.nil, self.mode, self.left
        nils = True in nil
        for side in (0, 1):
            ours, theirs = need[side], need[1 - side]
            aim = DUCK
            if 0 < ours <= left or self.bags_free:
                aim = TAKE
            elif theirs > 0:
                lacking = left - theirs + 1
                if lacking == 1 or 0 < 2 * lacking <= left + self.eager[side]:
                    aim = TAKE
            self.aim[side] = mode[side] = mode[side + 2] = aim
            self.prey[side] = 0
            if nils:
                one, other = nil[side], nil[side + 2]
                if one or other:
                    mode[side] = NIL if one else COVER
                    mode[side + 2] = NIL if other else COVER
                if ours <= 0 or left - ours >= 2 or ours > left:
                    self.prey[side] = nil[1 - side] << 1 - side | nil[3 - side] << 3 - side


def legal(position: Position, held: list[int]) -> list[int]:
    """What may be played of a hand now, by suit."""
    if position.begun:
        led = position.led
        follow = held[led]
        if follow:
            legal_cards = [0, 0, 0, 0]
            legal_cards[led] = follow & -follow if position.lowest_first else follow
            return legal_cards
        spared = position.spared_first
    elif position.clubs_first:
        return [held[0] & -held[0], 0, 0, 0]
    else:
        spared = position.barred
    if spared and (held[0] or held[1] or held[2]):
        return [held[0], held[1], held[2], 0]
    return held
