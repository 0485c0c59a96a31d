"""The public state of a hand in play, as small masks of one suit each, for policies and search.

A `Position` holds no hand. A player keeps its own hand beside it, a search keeps four sampled
hands, and both call the same policy. Suits are numbered 0 to 3, clubs to spades. A `CardBit` is a
card as its suit and its bit among the cards of that suit, in the order of the deck: the higher bit wins.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from spades_core.bots.weights import parameters
from spades_core.cards import SUITS, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import DeckName, RuleSet

SPADES, SIDE_SUITS = 3, (0, 1, 2)
SIDE_SUITS_MASK = 0b111
CardBit = tuple[int, int]
"""A card: suit and bit."""
Play = tuple[int, int, int]
"""A card played: seat, suit, bit."""
Hands = list[list[int]]
"""The four hands, each as a list of four masks, by suit."""
Discards = tuple[tuple[int, int], ...]
"""The cards of a trick that did not follow suit: index in the trick and suit."""

HIGHEST = [0]
"""The highest bit of every mask of a suit: a table, because a search uses it about a million times a second."""
for _bit in range(16):
    HIGHEST += [1 << _bit] * (1 << _bit)

TAKE, DUCK, NIL, COVER = range(4)
"""The goal of a seat: take tricks, duck to avoid overtricks, make its own nil, or protect its partner's nil."""

_CACHED_TRICKS = 1 << 12


class DeckBits:
    """The cards of a deck as `CardBit`s, and for each suit its size and the mask of all its cards."""

    def __init__(self, deck: Deck) -> None:
        self.suit_sizes = [deck.suit_mask[suit].bit_count() for suit in SUITS]
        self.suit_masks = [(1 << size) - 1 for size in self.suit_sizes]
        starts = [sum(self.suit_sizes[:suit]) for suit in range(4)]
        self.bit_of: dict[Card, CardBit] = {}
        for index, card in enumerate(deck.cards):
            suit = SUITS.index(deck.suit[card])
            self.bit_of[card] = suit, 1 << index - starts[suit]
        self.card_of = {card_bit: card for card, card_bit in self.bit_of.items()}
        self.read_trick = lru_cache(_CACHED_TRICKS)(self._read_trick)
        """Return the masks of a trick, the suit led and the discards; cached, since views repeat earlier tricks."""

    def masks_of(self, cards: Iterable[Card]) -> list[int]:
        """Return the cards as four masks, by suit."""
        masks, bit_of = [0, 0, 0, 0], self.bit_of
        for card in cards:
            suit, bit = bit_of[card]
            masks[suit] |= bit
        return masks

    def _read_trick(self, cards: tuple[Card, ...]) -> tuple[list[int], int, Discards]:
        suits = [self.bit_of[card][0] for card in cards]
        led = suits[0]
        return self.masks_of(cards), led, tuple((step, suit) for step, suit in enumerate(suits) if suit != led)


@cache
def _deck_bits(deck: DeckName) -> DeckBits:
    return DeckBits(DECKS[deck])


def deck_bits(rules: RuleSet) -> DeckBits:
    """Return the shared `DeckBits` of the deck that these rules use."""
    return _deck_bits(rules.deck)


class Position:
    """The public state of the play; `lead`, `follow` and `play` change it. Lists are by seat unless noted.

    Of the hand:
        unplayed: the cards not played yet, whoever holds them, by suit.
        voids: a bit for every suit in which a seat has shown a void.
        bids, taken: tricks bid and won.
        nil_alive: whether a seat bid nil and has no trick.
        counts: whether a seat's tricks count for its side's contract.
        tricks_needed: tricks that a side needs for its contract, by side; negative if it has bags.
        tricks_left: tricks not yet won, the current one included.
        spade_lead_forbidden: whether a spade may not be led: until spades are broken if
            `forbidden_until_broken`, else in the first trick.
        must_lead_club, must_play_lowest: house rules of the first trick: the leader plays its lowest
            club; everyone who follows suit plays its lowest card.
        ruffing_forbidden: house rule of the first trick: no spade from a hand with other cards.
        bags_free: whether bags cost nothing.

    Of the current trick:
        trick_size: cards on the table.
        led, best, ruffed: the suit led and the winning bit, which is a spade on another suit if `ruffed`.
        winner: the seat that is winning, or leads next if the trick is empty.
        last_seat: the seat that played last.

    Set when a trick begins:
        goal: TAKE, DUCK, NIL or COVER.
        partnership_goal: TAKE or DUCK, by side, leaving nils aside.
        nils_to_set: the opponents' nils that a side can afford to attack, as bits of seats, by side.
        set_aggression: when to try a set (`parameters.SET_AGGRESSION`), in tricks, by side.
    """

    __slots__ = (
        "bags_free", "best", "bids", "counts", "forbidden_until_broken", "goal", "last_seat", "led", "must_lead_club",
        "must_play_lowest", "nil_alive", "nils_to_set", "partnership_goal", "ruffed", "ruffing_forbidden",
        "set_aggression", "spade_lead_forbidden", "taken", "trick_size", "tricks_left", "tricks_needed", "unplayed",
        "voids", "winner",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, bids: list[int], leader: int, taken: Sequence[int] = (0, 0, 0, 0)) -> None:
        """Begin a trick. The caller removes the cards of tricks already taken from `unplayed`."""
        self.unplayed = deck_bits(rules).suit_masks[:]
        self.voids = [0, 0, 0, 0]
        self.bids = bids
        self.taken = [*taken]
        self.nil_alive = [bid + won == 0 for bid, won in zip(bids, taken, strict=True)]
        self.counts = counts = [True] * 4
        if rules.failed_nil_tricks != "help":
            self.counts = counts = [bid > 0 for bid in bids]
        needed = [bid - won * counting for bid, won, counting in zip(bids, taken, counts, strict=True)]
        self.tricks_needed = [needed[0] + needed[2], needed[1] + needed[3]]
        self.tricks_left = 13 - sum(taken)
        self.trick_size, self.winner, self.last_seat = 0, leader, leader
        self.led, self.best, self.ruffed = 0, 0, False
        self.forbidden_until_broken = rules.lead_spades == "when_broken"
        self.spade_lead_forbidden = rules.lead_spades != "any_time"
        first_trick = self.tricks_left == 13
        self.must_lead_club = first_trick and rules.first_lead in ("two_of_clubs", "lowest_clubs")
        self.must_play_lowest = first_trick and rules.first_lead == "lowest_clubs"
        self.ruffing_forbidden = first_trick and rules.first_trick_spades == "refused"
        self.bags_free = rules.bag_limit is None
        self.set_aggression = [parameters.SET_AGGRESSION] * 2
        self.goal = [TAKE] * 4
        self.partnership_goal = [TAKE, TAKE]
        self.nils_to_set = [0, 0]
        self.set_goals()

    def copy(self) -> "Position":
        """Return an independent copy."""
        new = Position.__new__(Position)
        new.unplayed, new.voids, new.taken = self.unplayed[:], self.voids[:], self.taken[:]
        new.tricks_needed, new.nil_alive, new.goal = self.tricks_needed[:], self.nil_alive[:], self.goal[:]
        new.nils_to_set, new.partnership_goal = self.nils_to_set[:], self.partnership_goal[:]
        # These are never changed in place.
        new.bids, new.counts, new.set_aggression = self.bids, self.counts, self.set_aggression
        new.tricks_left, new.trick_size = self.tricks_left, self.trick_size
        new.winner, new.last_seat = self.winner, self.last_seat
        new.led, new.best, new.ruffed = self.led, self.best, self.ruffed
        new.forbidden_until_broken, new.spade_lead_forbidden = self.forbidden_until_broken, self.spade_lead_forbidden
        new.must_lead_club, new.must_play_lowest = self.must_lead_club, self.must_play_lowest
        new.ruffing_forbidden, new.bags_free = self.ruffing_forbidden, self.bags_free
        return new

    def play(self, seat: int, suit: int, bit: int) -> None:
        """Play a card, without checking that it is legal."""
        if self.trick_size:
            self.follow(seat, suit, bit)
        else:
            self.lead(seat, suit, bit)

    def lead(self, seat: int, suit: int, bit: int) -> None:
        """Play the first card of a trick."""
        self.unplayed[suit] ^= bit
        self.led, self.best, self.ruffed = suit, bit, False
        self.winner = self.last_seat = seat
        self.trick_size = 1

    def follow(self, seat: int, suit: int, bit: int) -> None:
        """Play a card that is not the first of its trick; the fourth ends the trick."""
        self.unplayed[suit] ^= bit
        if suit == self.led:
            if bit > self.best and not self.ruffed:
                self.best, self.winner = bit, seat
        else:
            self.voids[seat] |= 1 << self.led
            if suit == SPADES:
                self.spade_lead_forbidden = False if self.forbidden_until_broken else self.spade_lead_forbidden
                if not self.ruffed or bit > self.best:
                    self.best, self.winner, self.ruffed = bit, seat, True
        if self.trick_size == 3:
            self._end_trick()
        else:
            self.trick_size += 1
            self.last_seat = seat

    def _end_trick(self) -> None:
        winner = self.winner
        self.taken[winner] += 1
        self.nil_alive[winner] = False
        if self.counts[winner]:
            self.tricks_needed[winner & 1] -= 1
        self.tricks_left -= 1
        self.trick_size = 0
        if self.tricks_left == 12:
            self.must_lead_club = self.must_play_lowest = self.ruffing_forbidden = False
            if not self.forbidden_until_broken:
                self.spade_lead_forbidden = False
        self.set_goals()

    def set_goals(self) -> None:
        """Set the goals of all seats for the trick that begins."""
        tricks_needed, nil_alive, goal, left = self.tricks_needed, self.nil_alive, self.goal, self.tricks_left
        any_nil = True in nil_alive
        for side in (0, 1):
            ours, theirs = tricks_needed[side], tricks_needed[1 - side]
            partnership_goal = DUCK
            if 0 < ours <= left or self.bags_free:
                partnership_goal = TAKE
            elif theirs > 0:
                to_set = left - theirs + 1
                if to_set == 1 or 0 < 2 * to_set <= left + self.set_aggression[side]:
                    partnership_goal = TAKE
            self.partnership_goal[side] = goal[side] = goal[side + 2] = partnership_goal
            self.nils_to_set[side] = 0
            if any_nil:
                if nil_alive[side] or nil_alive[side + 2]:
                    goal[side] = NIL if nil_alive[side] else COVER
                    goal[side + 2] = NIL if nil_alive[side + 2] else COVER
                if ours <= 0 or left - ours >= 2 or ours > left:
                    self.nils_to_set[side] = nil_alive[1 - side] << 1 - side | nil_alive[3 - side] << 3 - side

    def legal_cards(self, held: list[int]) -> list[int]:
        """Return the cards of a hand that may be played now, by suit."""
        if self.trick_size:
            follow = held[self.led]
            if follow:
                cards = [0, 0, 0, 0]
                cards[self.led] = follow & -follow if self.must_play_lowest else follow
                return cards
            no_spades = self.ruffing_forbidden
        elif self.must_lead_club:
            return [held[0] & -held[0], 0, 0, 0]
        else:
            no_spades = self.spade_lead_forbidden
        if no_spades and (held[0] or held[1] or held[2]):
            return [held[0], held[1], held[2], 0]
        return held
