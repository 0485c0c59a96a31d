"""Determinization: samples worlds (assignments of the unseen cards to the other seats) weighted by their likelihood.

In a world each seat has its correct number of cards and none in a suit in which it has shown
a void; the partner holds the cards passed to it. The likelihood is that of the observed bids and plays.
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
"""Likelihood of a seat's hand. If the result is below the third argument, `cutoff`, it is only an upper bound."""
MIN_BID_LIKELIHOOD = 1e-6
MAX_ATTEMPTS = 300
"""Attempts to sample a world that fits all voids."""


class Sampler:
    """Samples worlds almost uniformly, dealing first the cards that the fewest seats can hold."""

    def __init__(self, position: Position, hand: list[int], own_seat: int, passed: Sequence[int] = (0,) * 4) -> None:
        """`passed` are the cards, by suit, that `own_seat` passed to its partner."""
        self.own_seat, self.hand, self.voids = own_seat, hand, position.voids
        self.passed = [passed[suit] & position.unplayed[suit] & ~hand[suit] for suit in range(4)]
        trick_size = position.trick_size
        self.capacity = [position.tricks_left] * 4
        for step in range(trick_size):
            self.capacity[own_seat - trick_size + step & 3] -= 1
        self.capacity[own_seat] = 0
        self.capacity[own_seat ^ 2] -= sum(cards.bit_count() for cards in self.passed)
        self.unrestricted: list[CardBit] = []
        self.restricted: list[tuple[list[int], CardBit]] = []
        for suit in range(4):
            candidate_seats = [seat for seat in range(4) if seat != own_seat and not self.voids[seat] >> suit & 1]
            unseen = position.unplayed[suit] & ~hand[suit] & ~self.passed[suit]
            while unseen:
                bit = unseen & -unseen
                unseen ^= bit
                if len(candidate_seats) == 3:
                    self.unrestricted.append((suit, bit))
                else:
                    self.restricted.append((candidate_seats, (suit, bit)))
        self.unseen_cards = self.unrestricted + [card_bit for _, card_bit in self.restricted]
        self.restricted.sort(key=lambda each: len(each[0]))

    def sample(self, rng: Random) -> Hands:
        """Return four hands, including the own one. If no attempt fits all voids, return a world that violates some."""
        for _ in range(MAX_ATTEMPTS):
            hands, capacity = self._known_cards()
            if self._deal_restricted(hands, capacity, rng):
                return self._deal_at_random(hands, capacity, self.unrestricted, rng)
        return self._deal_at_random(*self._known_cards(), self.unseen_cards, rng)

    def _known_cards(self) -> tuple[Hands, list[int]]:
        hands = [[0, 0, 0, 0] for _ in range(4)]
        hands[self.own_seat], hands[self.own_seat ^ 2] = self.hand[:], self.passed[:]
        return hands, self.capacity[:]

    def _deal_restricted(self, hands: Hands, capacity: list[int], rng: Random) -> bool:
        """Deal each restricted card to a seat in proportion to its capacity; return False at a dead end."""
        for candidate_seats, (suit, bit) in self.restricted:
            total = sum(capacity[seat] for seat in candidate_seats)
            if not total:
                return False
            draw = rng.random() * total
            for seat in candidate_seats:
                draw -= capacity[seat]
                if draw < 0:
                    break
            capacity[seat] -= 1
            hands[seat][suit] |= bit
        return True

    def _deal_at_random(self, hands: Hands, capacity: list[int], cards: list[CardBit], rng: Random) -> Hands:
        """Deal the given cards at random to the free slots."""
        cards, start = sorted(cards, key=lambda _: rng.random()), 0
        for held, count in zip(hands, capacity, strict=True):
            for suit, bit in cards[start : start + count]:
                held[suit] |= bit
            start += count
        return hands


class ObservedPlay:
    """A card that a seat played at a position; `later_plays` are the seat's plays from this one on, by suit."""

    def __init__(self, position: Position, play: Play, later_plays: list[int]) -> None:
        self.position, self.later_plays = position, later_plays
        self.seat, self.suit, self.bit = play
        self.followed_suit = bool(position.trick_size) and self.suit == position.led
        self.cache: dict[int, float] = {}

    def likelihood(self, hand: list[int]) -> float:
        """Return the likelihood of the play if the seat holds `hand` now."""
        clubs, diamonds, hearts, spades = self.later_plays
        if not self.followed_suit:
            return self._likelihood([hand[0] | clubs, hand[1] | diamonds, hand[2] | hearts, hand[3] | spades])
        # When a seat follows suit, the policy considers its cards of that suit only.
        cards = hand[self.suit] | self.later_plays[self.suit]
        likelihood = self.cache.get(cards)
        if likelihood is None:
            held = [0, 0, 0, 0]
            held[self.suit] = cards
            likelihood = self.cache[cards] = self._likelihood(held)
        return likelihood

    def _likelihood(self, held: list[int]) -> float:
        suit, policy_bit = policy_card(self.position, held, self.seat)
        bit, deviation_probability = self.bit, parameters.DEVIATION_PROBABILITY
        if suit != self.suit:
            return deviation_probability
        if policy_bit == bit:
            return 1.0
        # Penalize an adjacent rank less, since adjacent cards are often equivalent.
        adjacent = policy_bit <= 2 * bit and bit <= 2 * policy_bit
        return deviation_probability**0.5 if adjacent else deviation_probability


class HandLikelihood:
    """The likelihood of a seat's hand given its bid and plays so far; the hands are treated as independent."""

    def __init__(self, view: SeatView, observation: Observation) -> None:
        own_seat, seats, deck = observation.own_seat, view.seats, observation.deck
        self.partner, self.suit_sizes = own_seat ^ 2, deck.suit_sizes
        self.passed_and_received = (deck.masks_of(view.passed), deck.masks_of(view.received)) if view.passed else ()
        # Ignore blind bids, and bids of players whose cards changed later in a pass, except from the
        # viewpoint of the partner who knows the passed cards.
        passing = view.rules.blind_nil == "swap"
        self.uninformative_bids = [
            seats[seat].blind or (passing and seats[seat ^ 2].blind and seat ^ 2 != own_seat) for seat in range(4)
        ]
        position, plays = play_history(view)
        self.bids = position.bids
        self.cache: dict[tuple[int, int, int, int, int], float] = {}
        self.played = [[0, 0, 0, 0] for _ in range(4)]
        for seat, suit, bit in plays:
            self.played[seat][suit] |= bit
        later_plays = [cards[:] for cards in self.played]
        self.plays: list[list[ObservedPlay]] = [[], [], [], []]
        for seat, suit, bit in plays:
            if seat != own_seat:
                self.plays[seat].append(ObservedPlay(position.copy(), (seat, suit, bit), later_plays[seat][:]))
            later_plays[seat][suit] ^= bit
            position.play(seat, suit, bit)

    def likelihood(self, seat: int, hand: list[int], cutoff: float = 0.0) -> float:
        """Return a relative likelihood, at most 1. If it is below `cutoff`, it is only an upper bound."""
        clubs, diamonds, hearts, spades = hand
        key = seat, clubs, diamonds, hearts, spades
        cached = self.cache.get(key)
        if cached is not None:
            return cached
        likelihood = 1.0
        if not self.uninformative_bids[seat]:
            played = self.played[seat]
            initial_hand = [clubs | played[0], diamonds | played[1], hearts | played[2], spades | played[3]]
            if seat == self.partner and self.passed_and_received:
                exchange = zip(initial_hand, *self.passed_and_received, strict=True)
                initial_hand = [cards & ~passed | received for cards, passed, received in exchange]
            likelihood = bid_likelihood(initial_hand, self.suit_sizes, self.bids[seat])
        for play in self.plays[seat]:
            if likelihood < cutoff:
                return likelihood
            likelihood *= play.likelihood(hand)
        self.cache[key] = likelihood
        return likelihood


def bid_likelihood(initial_hand: list[int], suit_sizes: list[int], bid: int) -> float:
    """Return the likelihood of a bid on thirteen cards; never zero."""
    if bid == 0:
        return max(nil_probability(initial_hand, suit_sizes, parameters.ASSUMED_PARTNER_BID), MIN_BID_LIKELIHOOD)
    deviation = expected_tricks(initial_hand, suit_sizes) - bid - parameters.BID_BIAS
    likelihood = exp(-deviation * deviation / (2 * parameters.BID_STD_DEV * parameters.BID_STD_DEV))
    return max(likelihood, MIN_BID_LIKELIHOOD)


class MetropolisChain:
    """A Markov chain of worlds, which swaps two unseen cards at a time."""

    def __init__(self, sampler: Sampler, hands: Hands, likelihood: Likelihood) -> None:
        self.sampler, self.hands, self.likelihood = sampler, hands, likelihood
        self.likelihoods = {seat: likelihood(seat, hands[seat], 0.0) for seat in range(4) if seat != sampler.own_seat}
        self.owners: list[int] = []

    def fork(self) -> "MetropolisChain":
        """Return a chain that starts at this world and can be advanced."""
        new = copy(self)
        new.hands, new.likelihoods = self.hands[:], self.likelihoods.copy()
        new.owners = [
            next(seat for seat in range(4) if self.hands[seat][suit] & bit) for suit, bit in self.sampler.unseen_cards
        ]
        return new

    def advance(self, random: Callable[[], float], out_of_time: Callable[[], bool]) -> None:
        """Propose `parameters.SWAPS` swaps; accept each with probability min(1, likelihood ratio)."""
        hands, likelihoods, owners, likelihood = self.hands, self.likelihoods, self.owners, self.likelihood
        cards, voids = self.sampler.unseen_cards, self.sampler.voids
        count = len(cards)
        for _ in range(parameters.SWAPS):
            first, second = int(random() * count), int(random() * count)
            first_seat, second_seat = owners[first], owners[second]
            (suit, bit), (other_suit, other_bit) = cards[first], cards[second]
            if first_seat == second_seat or voids[second_seat] >> suit & 1 or voids[first_seat] >> other_suit & 1:
                continue
            if out_of_time():
                return
            first_hand, second_hand = hands[first_seat][:], hands[second_seat][:]
            first_hand[suit] ^= bit
            first_hand[other_suit] ^= other_bit
            second_hand[suit] ^= bit
            second_hand[other_suit] ^= other_bit
            cutoff = random() * likelihoods[first_seat] * likelihoods[second_seat]
            first_likelihood = likelihood(first_seat, first_hand, cutoff)
            if first_likelihood < cutoff:
                continue
            second_likelihood = likelihood(second_seat, second_hand, cutoff / first_likelihood)
            if cutoff < first_likelihood * second_likelihood:
                hands[first_seat], hands[second_seat] = first_hand, second_hand
                likelihoods[first_seat], likelihoods[second_seat] = first_likelihood, second_likelihood
                owners[first], owners[second] = second_seat, first_seat


def sample_worlds(
    sampler: Sampler, likelihood: Likelihood, rng: Random, out_of_time: Callable[[], bool]
) -> Iterator[Hands]:
    """Yield worlds without end, from Metropolis chains that start at worlds sampled and weighted by their likelihood.

    If time runs out while sampling, the chains start from the worlds sampled so far; if there are none,
    nothing is yielded.
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
