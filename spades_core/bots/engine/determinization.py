"""Determinization: worlds, that is hands the other seats may hold, sampled by how well they explain bids and plays.

In a world every seat holds as many cards as it has left, all unseen cards and no others, none
of a suit that its owner has shown to lack; the partner holds the cards passed to it.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import exp, prod
from random import Random

from spades_core.bots.engine.hand_value import expected_tricks, nil_probability
from spades_core.bots.engine.observation import Observation, play_history
from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import CardBit, Hands, Play, Position
from spades_core.bots.weights import parameters
from spades_core.views import SeatView

Likelihood = Callable[[int, list[int], float], float]
"""Likelihood of a seat's hand; a value below the third argument need not be exact."""
MIN_BID_LIKELIHOOD = 1e-6
MAX_ATTEMPTS = 300
"""Attempts to sample a world that fits all voids."""


class Sampler:
    """Samples worlds uniformly, roughly: the unseen cards that the fewest seats can hold are dealt first."""

    def __init__(self, position: Position, hand: list[int], me: int, passed: Sequence[int] = (0, 0, 0, 0)) -> None:
        """`passed` are the cards, by suit, that `me` passed to its partner."""
        self.me, self.hand, self.void = me, hand, position.void
        self.passed = [passed[suit] & position.out[suit] & ~hand[suit] for suit in range(4)]
        trick_size = position.trick_size
        self.space = [position.tricks_left] * 4
        for step in range(trick_size):
            self.space[me - trick_size + step & 3] -= 1
        self.space[me] = 0
        self.space[me ^ 2] -= sum(cards.bit_count() for cards in self.passed)
        self.free: list[CardBit] = []
        self.restricted: list[tuple[list[int], CardBit]] = []
        others = [seat for seat in range(4) if seat != me]
        for suit in range(4):
            able = [seat for seat in others if not position.void[seat] >> suit & 1]
            unseen = position.out[suit] & ~hand[suit] & ~self.passed[suit]
            while unseen:
                bit = unseen & -unseen
                unseen ^= bit
                if len(able) == 3:
                    self.free.append((suit, bit))
                else:
                    self.restricted.append((able, (suit, bit)))
        self.cards = self.free + [card_bit for _, card_bit in self.restricted]
        self.restricted.sort(key=lambda each: len(each[0]))

    def sample(self, rng: Random) -> Hands:
        """Return four hands, the own one included. If no attempt fits all voids, return one that does not."""
        for _ in range(MAX_ATTEMPTS):
            hands, space = self._known_cards()
            if self._deal_restricted(hands, space, rng.random):
                return self._deal_rest(hands, space, self.free, rng.random)
        return self._deal_rest(*self._known_cards(), self.cards, rng.random)

    def _known_cards(self) -> tuple[Hands, list[int]]:
        hands = [[0, 0, 0, 0] for _ in range(4)]
        hands[self.me], hands[self.me ^ 2] = self.hand[:], self.passed[:]
        return hands, self.space[:]

    def _deal_rest(self, hands: Hands, space: list[int], cards: list[CardBit], random: Callable[[], float]) -> Hands:
        """Deal the cards that every seat can hold."""
        cards, start = sorted(cards, key=lambda _: random()), 0
        for held, count in zip(hands, space, strict=True):
            for suit, bit in cards[start : start + count]:
                held[suit] |= bit
            start += count
        return hands

    def _deal_restricted(self, hands: Hands, space: list[int], random: Callable[[], float]) -> bool:
        """Deal the other cards, each to a seat in proportion to its space; return False at a dead end."""
        for able, (suit, bit) in self.restricted:
            total = 0
            for seat in able:
                total += space[seat]
            if not total:
                return False
            draw = random() * total
            for seat in able:
                draw -= space[seat]
                if draw < 0:
                    break
            space[seat] -= 1
            hands[seat][suit] |= bit
        return True


class ObservedPlay:
    """A card that a seat played at a position; `remaining` are the seat's plays from then on, this one included."""

    def __init__(self, position: Position, play: Play, remaining: list[int]) -> None:
        self.position, self.remaining = position, remaining
        self.seat, self.suit, self.bit = play
        self.followed = bool(position.trick_size) and self.suit == position.led
        self.cache: dict[int, float] = {}

    def likelihood(self, hand: list[int]) -> float:
        """Return the likelihood of the play if the seat holds `hand` now. On following, only the suit led matters."""
        later = self.remaining
        if not self.followed:
            return self._likelihood([hand[0] | later[0], hand[1] | later[1], hand[2] | later[2], hand[3] | later[3]])
        cards = hand[self.suit] | later[self.suit]
        likelihood = self.cache.get(cards)
        if likelihood is None:
            held = [0, 0, 0, 0]
            held[self.suit] = cards
            likelihood = self.cache[cards] = self._likelihood(held)
        return likelihood

    def _likelihood(self, held: list[int]) -> float:
        suit, card = policy_card(self.position, held, self.seat)
        bit, surprise = self.bit, parameters.SURPRISE
        if suit != self.suit:
            return surprise
        if card == bit:
            return 1.0
        # A neighbour in rank is half a surprise: the two are often equivalent.
        return surprise if card > 2 * bit or bit > 2 * card else surprise**0.5


class Evidence:
    """The bids and plays so far, as the likelihood of a seat's hand; hands are taken to be independent."""

    def __init__(
        self,
        start: Position,
        plays: list[Play],
        me: int,
        sizes: list[int],
        *,
        ignored_bids: Sequence[bool] = (False,) * 4,
        exchanged: Sequence[Sequence[int]] = (),
    ) -> None:
        """`start` is the position before the first card; the plays are made on it.

        `ignored_bids` say nothing about the seat's cards. `exchanged` are the cards that `me` passed to
        its partner and those it received, by suit, both after the partner's bid.
        """
        self.bids, self.sizes, self.ignored_bids = start.bids, sizes, ignored_bids
        self.partner, self.exchanged = me ^ 2, exchanged
        self.cache: dict[tuple[int, int, int, int, int], float] = {}
        self.played = [[0, 0, 0, 0] for _ in range(4)]
        for seat, suit, bit in plays:
            self.played[seat][suit] |= bit
        remaining = [own[:] for own in self.played]
        self.plays: list[list[ObservedPlay]] = [[], [], [], []]
        for seat, suit, bit in plays:
            if seat != me:
                self.plays[seat].append(ObservedPlay(start.copy(), (seat, suit, bit), remaining[seat][:]))
            remaining[seat][suit] ^= bit
            start.play(seat, suit, bit)

    def likelihood(self, seat: int, hand: list[int], least: float = 0.0) -> float:
        """Return a relative likelihood, at most 1. Below `least` it need not be exact: it may be too high."""
        key = seat, hand[0], hand[1], hand[2], hand[3]
        cached = self.cache.get(key)
        if cached is not None:
            return cached
        played = self.played[seat]
        full = [hand[0] | played[0], hand[1] | played[1], hand[2] | played[2], hand[3] | played[3]]
        likelihood = 1.0
        if not self.ignored_bids[seat]:
            likelihood = bid_likelihood(self._when_bidding(seat, full), self.sizes, self.bids[seat])
        for play in self.plays[seat]:
            if likelihood < least:
                return likelihood
            likelihood *= play.likelihood(hand)
        self.cache[key] = likelihood
        return likelihood

    def _when_bidding(self, seat: int, full: list[int]) -> list[int]:
        """Return the cards that a seat held when it bid, before cards were passed."""
        if seat != self.partner or not self.exchanged:
            return full
        return [cards & ~passed | received for cards, passed, received in zip(full, *self.exchanged, strict=True)]


def bid_likelihood(full: list[int], sizes: list[int], bid: int) -> float:
    """Return the likelihood that the owner of thirteen cards bids so; never zero."""
    if bid == 0:
        return max(nil_probability(full, sizes, parameters.ASSUMED_PARTNER_BID), MIN_BID_LIKELIHOOD)
    deviation = expected_tricks(full, sizes) - bid - parameters.BID_SHIFT
    likelihood = exp(-deviation * deviation / (2 * parameters.BID_DEVIATION * parameters.BID_DEVIATION))
    return max(likelihood, MIN_BID_LIKELIHOOD)


def hidden_hands(view: SeatView, observation: Observation) -> tuple[Sampler, Evidence]:
    """Return what a seat knows about the hands that it does not see, during the play."""
    me, seats, deck = observation.me, view.seats, observation.deck
    passing = view.rules.blind_nil == "swap"
    # A blind bid says nothing, nor does a bid on cards that were changed, except to the partner who passed them.
    ignored = [seats[seat].blind or (passing and seats[seat ^ 2].blind and seat ^ 2 != me) for seat in range(4)]
    passed, received = deck.masks_of(view.passed), deck.masks_of(view.received)
    exchanged = (passed, received) if view.passed else ()
    return (
        Sampler(observation.position, observation.hand, me, passed),
        Evidence(*play_history(view), me, deck.sizes, ignored_bids=ignored, exchanged=exchanged),
    )


class MetropolisChain:
    """A world that changes by swaps of two hidden cards, and the likelihood of each hidden hand in it."""

    def __init__(self, sampler: Sampler, hands: Hands, likelihood: Likelihood) -> None:
        self.sampler, self.hands, self.likelihood = sampler, hands, likelihood
        self.likelihoods = {seat: likelihood(seat, hands[seat], 0.0) for seat in range(4) if seat != sampler.me}
        self.owners: list[int] = []

    def fork(self) -> "MetropolisChain":
        """Return a chain that starts at this world and can be advanced."""
        new = copy(self)
        new.hands, new.likelihoods = self.hands[:], self.likelihoods.copy()
        new.owners = [next(s for s in range(4) if self.hands[s][suit] & bit) for suit, bit in self.sampler.cards]
        return new

    def advance(self, random: Callable[[], float], out_of_time: Callable[[], bool]) -> None:
        """Propose `parameters.SWAPS` swaps; accept each with the ratio of the likelihoods as its probability."""
        hands, likelihoods, owners, likelihood = self.hands, self.likelihoods, self.owners, self.likelihood
        cards, void = self.sampler.cards, self.sampler.void
        count = len(cards)
        for _ in range(parameters.SWAPS):
            first, second = int(random() * count), int(random() * count)
            one, other = owners[first], owners[second]
            (suit, bit), (other_suit, other_bit) = cards[first], cards[second]
            if one == other or void[other] >> suit & 1 or void[one] >> other_suit & 1:
                continue
            if out_of_time():
                return
            one_hand, other_hand = hands[one][:], hands[other][:]
            one_hand[suit] ^= bit
            one_hand[other_suit] ^= other_bit
            other_hand[suit] ^= bit
            other_hand[other_suit] ^= other_bit
            threshold = random() * likelihoods[one] * likelihoods[other]
            one_new = likelihood(one, one_hand, threshold)
            if one_new < threshold:
                continue
            other_new = likelihood(other, other_hand, threshold / one_new)
            if threshold < one_new * other_new:
                hands[one], hands[other] = one_hand, other_hand
                likelihoods[one], likelihoods[other] = one_new, other_new
                owners[first], owners[second] = other, one


def sample_worlds(
    sampler: Sampler, likelihood: Likelihood, rng: Random, out_of_time: Callable[[], bool]
) -> Iterator[Hands]:
    """Yield worlds without end, from Metropolis chains that start at likely worlds out of many sampled.

    If time runs out while these are sampled, the chains start from those there are; without any, nothing is yielded.
    """
    initial: list[MetropolisChain] = []
    while len(initial) < parameters.INITIAL_WORLDS and not out_of_time():
        initial.append(MetropolisChain(sampler, sampler.sample(rng), likelihood))
    if not initial:
        return
    weights = [prod(chain.likelihoods.values()) for chain in initial]
    chains = [chain.fork() for chain in rng.choices(initial, weights, k=parameters.CHAINS)]
    while True:
        for chain in chains:
            chain.advance(rng.random, out_of_time)
            yield chain.hands[:]
