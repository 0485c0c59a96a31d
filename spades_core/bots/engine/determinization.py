"""The hands that others may hold: drawn from what cannot be excluded, the likelier the more often.

Invariant: a world gives every seat as many cards as it has, all unseen cards
and no other, none of a suit that its owner showed to lack, and the partner those
that were passed to it.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import exp, prod
from random import Random

from spades_core.bots.engine.hand_value import expected_tricks, nil_chance
from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import Place, Position
from spades_core.bots.weights import parameters

Hands = list[list[int]]
Play = tuple[int, int, int]
"""Who played what: seat, suit, bit."""


UNLIKELY = 1e-6
TRIES = 300


class Dealer:
    """Deals the unseen cards to the seats other than `me`, those first that fewest may hold."""

    def __init__(self, position: Position, hand: list[int], me: int, passed: Sequence[int] = (0, 0, 0, 0)) -> None:
        """`passed` are cards that went from `me` to its partner, by suit; those still out are there."""
        self.me, self.hand, self.void = me, hand, position.void
        self.known = [passed[suit] & position.out[suit] & ~hand[suit] for suit in range(4)]
        begun = position.begun
        self.room = [position.left] * 4
        for step in range(begun):
            self.room[me - begun + step & 3] -= 1
        self.room[me] = 0
        self.room[me ^ 2] -= sum(cards.bit_count() for cards in self.known)
        self.free: list[Place] = []
        self.bound: list[tuple[list[int], Place]] = []
        others = [seat for seat in range(4) if seat != me]
        for suit in range(4):
            able = [seat for seat in others if not position.void[seat] >> suit & 1]
            unseen = position.out[suit] & ~hand[suit] & ~self.known[suit]
            while unseen:
                bit = unseen & -unseen
                unseen ^= bit
                if len(able) == 3:
                    self.free.append((suit, bit))
                else:
                    self.bound.append((able, (suit, bit)))
        self.cards = self.free + [card for _, card in self.bound]
        self.bound.sort(key=lambda each: len(each[0]))

    def deal(self, rng: Random) -> Hands:
        """Four hands, the own one among them; should no deal be found that fits, any is better than none."""
        for _ in range(TRIES):
            hands, room = self._nothing_dealt()
            if self._deal_bound(hands, room, rng.random):
                return self._deal_rest(hands, room, self.free, rng.random)
        return self._deal_rest(*self._nothing_dealt(), self.cards, rng.random)

    def _nothing_dealt(self) -> tuple[Hands, list[int]]:
        hands = [[0, 0, 0, 0] for _ in range(4)]
        hands[self.me], hands[self.me ^ 2] = self.hand[:], self.known[:]
        return hands, self.room[:]

    def _deal_rest(self, hands: Hands, room: list[int], cards: list[Place], random: Callable[[], float]) -> Hands:
        """The cards that everybody can hold."""
        cards, at = sorted(cards, key=lambda _: random()), 0
        for held, space in zip(hands, room, strict=True):
            for suit, bit in cards[at : at + space]:
                held[suit] |= bit
            at += space
        return hands

    def _deal_bound(self, hands: Hands, room: list[int], random: Callable[[], float]) -> bool:
        """The cards that not everybody can hold, each to a seat as likely as it has room; False at a dead end."""
        for able, (suit, bit) in self.bound:
            total = 0
            for seat in able:
                total += room[seat]
            if not total:
                return False
            draw = random() * total
            for seat in able:
                draw -= room[seat]
                if draw < 0:
                    break
            room[seat] -= 1
            hands[seat][suit] |= bit
        return True


class Moment:
    """A card that was played, and what its owner has played from then on: `later`, that card among it."""

    def __init__(self, position: Position, play: Play, later: list[int]) -> None:
        self.position, self.later = position, later
        self.seat, self.suit, self.bit = play
        self.followed = bool(position.begun) and self.suit == position.led
        self.known: dict[int, float] = {}

    def likelihood(self, hand: list[int]) -> float:
        """Of this card, were these the cards that its owner holds now. Who follows looks at the suit led only."""
        later = self.later
        if not self.followed:
            return self._likelihood([hand[0] | later[0], hand[1] | later[1], hand[2] | later[2], hand[3] | later[3]])
        cards = hand[self.suit] | later[self.suit]
        likely = self.known.get(cards)
        if likely is None:
            held = [0, 0, 0, 0]
            held[self.suit] = cards
            likely = self.known[cards] = self._likelihood(held)
        return likely

    def _likelihood(self, held: list[int]) -> float:
        wanted, card = choice(self.position, held, self.seat)
        bit, surprise = self.bit, parameters.SURPRISE
        if wanted != self.suit:
            return surprise
        if card == bit:
            return 1.0
        # A neighbour in rank is half a surprise: the two are often worth the same.
        return surprise if card > 2 * bit or bit > 2 * card else surprise**0.5


class Evidence:
    """How well a hand explains what its owner bid and played. Each hand speaks for itself: likelihoods multiply."""

    def __init__(
        self,
        start: Position,
        plays: list[Play],
        me: int,
        sizes: list[int],
        *,
        silent: Sequence[bool] = (False,) * 4,
        exchanged: Sequence[Sequence[int]] = (),
    ) -> None:
        """`start` is the position before the first card; it is played on. `silent` bids tell nothing of a hand.

        `exchanged` are the cards passed to the partner after it had bid, and those it gave, by suit.
        """
        self.bids, self.sizes, self.silent = start.bids, sizes, silent
        self.partner, self.exchanged = me ^ 2, exchanged
        self.found: dict[tuple[int, int, int, int, int], float] = {}
        self.played = [[0, 0, 0, 0] for _ in range(4)]
        for seat, suit, bit in plays:
            self.played[seat][suit] |= bit
        later = [own[:] for own in self.played]
        self.moments: list[list[Moment]] = [[], [], [], []]
        for seat, suit, bit in plays:
            if seat != me:
                self.moments[seat].append(Moment(start.copy(), (seat, suit, bit), later[seat][:]))
            later[seat][suit] ^= bit
            start.play(seat, suit, bit)

    def likelihood(self, seat: int, hand: list[int], least: float = 0.0) -> float:
        """In no unit; only ratios mean something. Never above 1; when it is below `least`, it may be still lower."""
        key = seat, hand[0], hand[1], hand[2], hand[3]
        found = self.found.get(key)
        if found is not None:
            return found
        gone = self.played[seat]
        full = [hand[0] | gone[0], hand[1] | gone[1], hand[2] | gone[2], hand[3] | gone[3]]
        likely = 1.0 if self.silent[seat] else explains(self._bid_on(seat, full), self.sizes, self.bids[seat])
        for moment in self.moments[seat]:
            if likely < least:
                return likely
            likely *= moment.likelihood(hand)
        self.found[key] = likely
        return likely

    def _bid_on(self, seat: int, full: list[int]) -> list[int]:
        """What a seat held when it bid, which now has these cards with those it played."""
        if seat != self.partner or not self.exchanged:
            return full
        return [cards & ~got | gave for cards, got, gave in zip(full, *self.exchanged, strict=True)]


def explains(full: list[int], sizes: list[int], bid: int) -> float:
    """How likely the owner of thirteen cards is to bid so; never quite impossible."""
    if bid == 0:
        return max(nil_chance(full, sizes, parameters.UNKNOWN_PARTNER), UNLIKELY)
    off = expected_tricks(full, sizes) - bid - parameters.BID_SHIFT
    return max(exp(-off * off / (2 * parameters.BID_SPREAD * parameters.BID_SPREAD)), UNLIKELY)


Likelihood = Callable[[int, list[int], float], float]
Clock = Callable[[], bool]
"""Whether time is up."""


class Chain:
    """A world that goes over into others, and how likely each hidden hand in it is."""

    def __init__(self, dealer: Dealer, hands: Hands, likelihood: Likelihood) -> None:
        self.dealer, self.hands, self.likelihood = dealer, hands, likelihood
        self.likely = {seat: likelihood(seat, hands[seat], 0.0) for seat in range(4) if seat != dealer.me}
        self.owners: list[int] = []

    def again(self) -> "Chain":
        """Another one that begins here."""
        new = copy(self)
        new.hands, new.likely = self.hands[:], self.likely.copy()
        new.owners = [next(s for s in range(4) if self.hands[s][suit] & bit) for suit, bit in self.dealer.cards]
        return new

    def stir(self, random: Callable[[], float], out_of_time: Clock) -> None:
        """Metropolis: two cards change hands if that explains things better, or sometimes although it does not."""
        hands, likely, owners, likelihood = self.hands, self.likely, self.owners, self.likelihood
        cards, void = self.dealer.cards, self.dealer.void
        count = len(cards)
        for _ in range(parameters.SWAPS):
            first, second = int(random() * count), int(random() * count)
            one, other = owners[first], owners[second]
            (suit, bit), (other_suit, other_bit) = cards[first], cards[second]
            if one == other or void[other] >> suit & 1 or void[one] >> other_suit & 1:
                continue
            if out_of_time():
                return
            mine, theirs = hands[one][:], hands[other][:]
            mine[suit] ^= bit
            mine[other_suit] ^= other_bit
            theirs[suit] ^= bit
            theirs[other_suit] ^= other_bit
            least = random() * likely[one] * likely[other]
            better = likelihood(one, mine, least)
            if better < least:
                continue
            other_better = likelihood(other, theirs, least / better)
            if least < better * other_better:
                hands[one], hands[other], likely[one], likely[other] = mine, theirs, better, other_better
                owners[first], owners[second] = other, one


def imagined(dealer: Dealer, likelihood: Likelihood, rng: Random, out_of_time: Clock) -> Iterator[Hands]:
    """Worlds without end: a few likely ones out of many dealt, taken in turns and stirred before they are given out.

    When time is up while they are dealt, these are all; none, if it was up before.
    """
    dealt: list[Chain] = []
    while len(dealt) < parameters.DEALT and not out_of_time():
        dealt.append(Chain(dealer, dealer.deal(rng), likelihood))
    if not dealt:
        return
    weights = [prod(chain.likely.values()) for chain in dealt]
    chains = [chain.again() for chain in rng.choices(dealt, weights, k=parameters.CHAINS)]
    while True:
        for chain in chains:
            chain.stir(rng.random, out_of_time)
            yield chain.hands[:]
