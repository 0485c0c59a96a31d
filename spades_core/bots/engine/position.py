"""The public state of a hand in play, as small masks of one suit each, for policies and search.

A `Position` holds no hand. A player keeps its own hand beside it, a search keeps four sampled
hands, and both call the same policy. Suits are numbered 0 to 3, clubs to spades. A card is
its suit and its bit among the cards of that suit, in the order of the deck: the higher bit wins.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from spades_core.bots.weights import parameters
from spades_core.cards import SUITS, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import DeckName, RuleSet

SPADES = 3
CardBit = tuple[int, int]
"""A card: its suit and its bit."""
Play = tuple[int, int, int]
"""A card played: seat, suit, bit."""
Hands = list[list[int]]
"""The four hands, each as four masks."""
Discards = tuple[tuple[int, int], ...]
"""The cards of a trick that did not follow suit: place in the trick and suit."""

HIGHEST = [0]
"""The highest bit of every mask of a suit: a table, as a search needs it some million times a second."""
for _bit in range(16):
    HIGHEST += [1 << _bit] * (1 << _bit)

TAKE, DUCK, NIL, COVER = range(4)
"""The goal of a seat: take tricks, avoid them as bags, make its own nil, or cover its partner's nil."""

_CACHED_TRICKS = 1 << 12


class DeckBits:
    """The cards of a deck as bits: `bit_of` and `card_of` each card, `sizes` and `full` masks of the suits."""

    def __init__(self, deck: Deck) -> None:
        self.sizes = [deck.suit_mask[suit].bit_count() for suit in SUITS]
        self.full = [(1 << size) - 1 for size in self.sizes]
        starts = [sum(self.sizes[:suit]) for suit in range(4)]
        self.bit_of: dict[Card, CardBit] = {}
        for index, card in enumerate(deck.cards):
            suit = SUITS.index(deck.suit[card])
            self.bit_of[card] = suit, 1 << index - starts[suit]
        self.card_of = {card_bit: card for card, card_bit in self.bit_of.items()}
        self.read_trick = lru_cache(_CACHED_TRICKS)(self._read_trick)
        """Return the masks of a trick, the suit led and the discards; cached, as a hand's tricks are read again."""

    def masks_of(self, cards: Iterable[Card]) -> list[int]:
        """Return the four suit masks of some cards."""
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
    """The public state of the play; `lead`, `follow` and `play` change it.

    Of the hand:
        out: the unplayed cards, by suit.
        void: for each seat a bit for every suit that it has shown to lack.
        bids, taken: tricks bid and won, by seat.
        nil_alive: whether a seat bid nil and has no trick, by seat.
        counts: whether a seat's tricks count for its side's contract, by seat.
        need: tricks that each side needs for its contract; negative if it has bags.
        tricks_left: tricks not yet won, the current one included.
        spades_barred: whether a spade may not be led; `barred_until_broken` by which rule.
        must_lead_club, must_play_lowest, no_ruff: rules of the first trick that apply now.
        bags_free: whether bags cost nothing.

    Of the current trick:
        trick_size: cards on the table.
        led, best, ruffed: the suit led and the winning bit, which is a spade on another suit if `ruffed`.
        winner: the seat that is winning, or leads next if the trick is empty.
        last_seat: the seat that played last.

    Set when a trick begins:
        goal: TAKE, DUCK, NIL or COVER, by seat.
        side_goal: TAKE or DUCK, by side, leaving nils aside.
        nil_targets: the opponents' nils that a side can afford to attack, as bits of seats, by side.
        set_aggression: tricks in the rule when to try a set (`parameters.SET_AGGRESSION`), by side.
    """

    __slots__ = (
        "bags_free", "barred_until_broken", "best", "bids", "counts", "goal", "last_seat", "led", "must_lead_club",
        "must_play_lowest", "need", "nil_alive", "nil_targets", "no_ruff", "out", "ruffed", "set_aggression",
        "side_goal", "spades_barred", "taken", "trick_size", "tricks_left", "void", "winner",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, bids: list[int], leader: int, taken: Sequence[int] = (0, 0, 0, 0)) -> None:
        """Begin a trick. With tricks already taken, removing their cards from `out` is up to the caller."""
        self.out = deck_bits(rules).full[:]
        self.void = [0, 0, 0, 0]
        self.bids = bids
        self.taken = [*taken]
        one, two, three, four = bids
        first, second, third, fourth = taken
        self.nil_alive = [one + first == 0, two + second == 0, three + third == 0, four + fourth == 0]
        self.counts = counts = [True] * 4
        if rules.failed_nil_tricks != "help":
            self.counts = counts = [bid > 0 for bid in bids]
        self.need = [
            one + three - first * counts[0] - third * counts[2],
            two + four - second * counts[1] - fourth * counts[3],
        ]
        self.tricks_left = 13 - first - second - third - fourth
        self.trick_size, self.winner, self.last_seat = 0, leader, leader
        self.led, self.best, self.ruffed = 0, 0, False
        self.barred_until_broken = rules.lead_spades == "when_broken"
        self.spades_barred = rules.lead_spades != "any_time"
        first_trick = self.tricks_left == 13
        self.must_lead_club = first_trick and rules.first_lead in ("two_of_clubs", "lowest_clubs")
        self.must_play_lowest = first_trick and rules.first_lead == "lowest_clubs"
        self.no_ruff = first_trick and rules.first_trick_spades == "refused"
        self.bags_free = rules.bag_limit is None
        self.set_aggression = [parameters.SET_AGGRESSION] * 2
        self.goal = [TAKE] * 4
        self.side_goal = [TAKE, TAKE]
        self.nil_targets = [0, 0]
        self.set_goals()

    def copy(self) -> "Position":
        """Return an independent copy."""
        new = Position.__new__(Position)
        new.out, new.void, new.taken = self.out[:], self.void[:], self.taken[:]
        new.need, new.nil_alive, new.goal = self.need[:], self.nil_alive[:], self.goal[:]
        new.nil_targets, new.side_goal = self.nil_targets[:], self.side_goal[:]
        # These are never changed in place.
        new.bids, new.counts, new.set_aggression = self.bids, self.counts, self.set_aggression
        new.tricks_left, new.trick_size = self.tricks_left, self.trick_size
        new.winner, new.last_seat = self.winner, self.last_seat
        new.led, new.best, new.ruffed = self.led, self.best, self.ruffed
        new.barred_until_broken, new.spades_barred = self.barred_until_broken, self.spades_barred
        new.must_lead_club, new.must_play_lowest = self.must_lead_club, self.must_play_lowest
        new.no_ruff, new.bags_free = self.no_ruff, self.bags_free
        return new

    def play(self, seat: int, suit: int, bit: int) -> None:
        """Play a card, without checking that it is legal."""
        if self.trick_size:
            self.follow(seat, suit, bit)
        else:
            self.lead(seat, suit, bit)

    def lead(self, seat: int, suit: int, bit: int) -> None:
        """Play the first card of a trick."""
        self.out[suit] ^= bit
        self.led, self.best, self.ruffed = suit, bit, False
        self.winner = self.last_seat = seat
        self.trick_size = 1

    def follow(self, seat: int, suit: int, bit: int) -> None:
        """Play a card onto a trick; the fourth ends it."""
        self.out[suit] ^= bit
        if suit == self.led:
            if bit > self.best and not self.ruffed:
                self.best, self.winner = bit, seat
        else:
            self.void[seat] |= 1 << self.led
            if suit == SPADES:
                self.spades_barred = False if self.barred_until_broken else self.spades_barred
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
            self.need[winner & 1] -= 1
        self.tricks_left -= 1
        self.trick_size = 0
        if self.tricks_left == 12:
            self.must_lead_club = self.must_play_lowest = self.no_ruff = False
            if not self.barred_until_broken:
                self.spades_barred = False
        self.set_goals()

    def set_goals(self) -> None:
        """Set the goals of all seats for the trick that begins."""
        need, nil_alive, goal, left = self.need, self.nil_alive, self.goal, self.tricks_left
        any_nil = True in nil_alive
        for side in (0, 1):
            ours, theirs = need[side], need[1 - side]
            side_goal = DUCK
            if 0 < ours <= left or self.bags_free:
                side_goal = TAKE
            elif theirs > 0:
                to_set = left - theirs + 1
                if to_set == 1 or 0 < 2 * to_set <= left + self.set_aggression[side]:
                    side_goal = TAKE
            self.side_goal[side] = goal[side] = goal[side + 2] = side_goal
            self.nil_targets[side] = 0
            if any_nil:
                one, other = nil_alive[side], nil_alive[side + 2]
                if one or other:
                    goal[side] = NIL if one else COVER
                    goal[side + 2] = NIL if other else COVER
                if ours <= 0 or left - ours >= 2 or ours > left:
                    self.nil_targets[side] = nil_alive[1 - side] << 1 - side | nil_alive[3 - side] << 3 - side


def legal(position: Position, held: list[int]) -> list[int]:
    """Return the cards of a hand that may be played now, by suit."""
    if position.trick_size:
        led = position.led
        follow = held[led]
        if follow:
            legal_cards = [0, 0, 0, 0]
            legal_cards[led] = follow & -follow if position.must_play_lowest else follow
            return legal_cards
        no_spades = position.no_ruff
    elif position.must_lead_club:
        return [held[0] & -held[0], 0, 0, 0]
    else:
        no_spades = position.spades_barred
    if no_spades and (held[0] or held[1] or held[2]):
        return [held[0], held[1], held[2], 0]
    return held
