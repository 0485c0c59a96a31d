"""The expert bot: evaluates every candidate in many sampled worlds and chooses the best.

The search ends after a number of worlds or when the caller's time is up. Limited by a number only,
it is as deterministic as the other levels.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random

from spades_core.bots.engine.bid_search import BidSearch
from spades_core.bots.engine.blind_nil import blind_nil_wins_more
from spades_core.bots.engine.blunder_filter import without_blunders
from spades_core.bots.engine.determinization import HandLikelihood, Likelihood, Sampler, sample_worlds
from spades_core.bots.engine.double_dummy import DoubleDummy
from spades_core.bots.engine.observation import Observation
from spades_core.bots.engine.position import CardBit, Hands, Position
from spades_core.bots.engine.race import Race
from spades_core.bots.engine.rollout import after_card, play_out
from spades_core.bots.engine.utility import Utility
from spades_core.bots.levels import hard
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.views import SeatView

DICE = 52
"""Random bytes for a rollout, one for each card."""
MIN_WORLDS = 4
"""With fewer worlds the expert decides as `hard` does."""


class Expert:
    """An expert that samples at most `worlds` worlds for a decision, fewer if `out_of_time` returns True."""

    def __init__(self, worlds: int = 160, out_of_time: Callable[[], bool] = lambda: False) -> None:
        self.worlds = worlds
        self.out_of_time = out_of_time

    def choose_blind(self, view: SeatView, _rng: Random) -> bool:
        """Bid blind nil if that wins the game more often."""
        return blind_nil_wins_more(view)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        """Return the policy's bid, or another candidate that is clearly better by rollouts."""
        search = BidSearch(view)
        if len(search.candidates) == 1:
            return search.candidates[0]
        race = Race(search.candidates)
        for world in self._worlds(search.sampler, search.likelihood, rng):
            if not race.run(partial(search.value, hands=world, dice=rng.randbytes(DICE)), self.out_of_time):
                break
        if race.worlds < MIN_WORLDS:
            return search.policy_bid
        bid = race.best_or(search.policy_bid, parameters.BID_CHANGE_ERRORS)
        return bid if search.is_safe(bid) else search.fallback

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        """Return the same cards as `hard`."""
        return hard.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """Return the best card by rollouts and double-dummy search."""
        if len(view.legal_cards) == 1:
            return view.legal_cards[0]
        seen = Observation.from_view(view)
        cards = without_blunders(seen.position, seen.hand, seen.own_seat, seen.distinct_cards())
        if len(cards) == 1:
            return seen.card(cards[0])
        sampler = Sampler(seen.position, seen.hand, seen.own_seat, seen.deck.masks_of(view.passed))
        race, utility = Race(cards), Utility(view, seen.position.bids)
        for world in self._worlds(sampler, HandLikelihood(view, seen).likelihood, rng):
            if not race.run(CardEvaluator(seen, utility, world, rng).value, self.out_of_time):
                break
        if race.worlds < MIN_WORLDS:
            return hard.choose_card(view, rng)
        return seen.card(race.best())

    def _worlds(self, sampler: Sampler, likelihood: Likelihood, rng: Random) -> Iterator[Hands]:
        return islice(sample_worlds(sampler, likelihood, rng, self.out_of_time), self.worlds)


class CardEvaluator:
    """Evaluates the cards of a seat in one world, all with the same dice."""

    def __init__(self, seen: Observation, utility: Utility, world: Hands, rng: Random) -> None:
        self.own_seat, self.utility, self.world = seen.own_seat, utility, world
        self.dice = rng.randbytes(DICE)
        self.position = seen.position.copy()
        self.position.set_aggression = [parameters.SET_AGGRESSION, parameters.SET_AGGRESSION]
        self.position.set_aggression[1 - (seen.own_seat & 1)] = parameters.OPPONENT_SET_AGGRESSION
        self.position.set_goals()
        self.double_dummy = DoubleDummy(utility, seen.own_seat)

    def value(self, card_bit: CardBit) -> float:
        """Return the utility of a card by a rollout; in the last tricks, averaged with the double-dummy value."""
        position, hands = after_card(self.position, self.world, self.own_seat, card_bit)
        if self.position.tricks_left > parameters.DOUBLE_DUMMY_TRICKS:
            return self._rollout(position, hands)
        best = self.double_dummy.value(position, hands)
        return (best + self._rollout(position, hands)) / 2

    def _rollout(self, position: Position, hands: Hands) -> float:
        return self.utility.value(play_out(position, hands, self.dice, parameters.ROLLOUT_NOISE))
