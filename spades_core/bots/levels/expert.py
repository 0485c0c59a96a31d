"""The expert bot: plays every choice out in many imagined worlds and takes the one that does best.

It thinks as long as it is allowed to: for a number of worlds, or until the
caller says that time is up. With a number only, it is as repeatable as the others.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random

from spades_core.bots.engine.bid_search import Bidding
from spades_core.bots.engine.blind_nil import pays
from spades_core.bots.engine.blunder_filter import sensible
from spades_core.bots.engine.determinization import Dealer, Evidence, Hands, Likelihood, imagined
from spades_core.bots.engine.double_dummy import DoubleDummy
from spades_core.bots.engine.observation import Sight, history, see
from spades_core.bots.engine.position import Place, Position
from spades_core.bots.engine.race import Race
from spades_core.bots.engine.rollout import play_out, tried
from spades_core.bots.engine.utility import Stakes
from spades_core.bots.levels import hard
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.views import SeatView

CARDS = 52
FEWEST = 4
"""Fewer worlds tell nothing."""


class Expert:
    """`worlds` at most are imagined for a decision, fewer once `out_of_time` says so; with hardly any it is `hard`."""

    def __init__(self, worlds: int = 160, out_of_time: Callable[[], bool] = lambda: False) -> None:
        self.worlds = worlds
        self.out_of_time = out_of_time

    def choose_blind(self, view: SeatView, _rng: Random) -> bool:
        """Whether it bids nil on the hand that lies face down."""
        return pays(view)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        """One of `view.legal_bids`."""
        bidding = Bidding(view)
        if len(bidding.choices) == 1:
            return bidding.choices[0]
        race = Race(bidding.choices)
        for world in self._imagined(bidding.dealer, bidding.likelihood, rng):
            if not race.run(partial(bidding.value, hands=world, dice=rng.randbytes(CARDS)), self.out_of_time):
                break
        if race.worlds < FEWEST:
            return bidding.usual
        bid = race.best_but(bidding.usual, parameters.DOUBT)
        return bid if bidding.is_safe(bid) else bidding.instead

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        """Two cards of `view.hand`."""
        return hard.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """One of `view.legal_cards`."""
        if len(view.legal_cards) == 1:
            return view.legal_cards[0]
        sight = see(view)
        choices = sensible(sight.position, sight.hand, sight.me, sight.different())
        if len(choices) == 1:
            return sight.card(choices[0])
        dealer, evidence = imagining(view, sight)
        race, stakes = Race(choices), Stakes(view, sight.position.bids)
        for world in self._imagined(dealer, evidence.likelihood, rng):
            if not race.run(Trial(sight, stakes, world, rng).value, self.out_of_time):
                break
        if race.worlds < FEWEST:
            return hard.choose_card(view, rng)
        return sight.card(race.best())

    def _imagined(self, dealer: Dealer, likelihood: Likelihood, rng: Random) -> Iterator[Hands]:
        return islice(imagined(dealer, likelihood, rng, self.out_of_time), self.worlds)


def imagining(view: SeatView, sight: Sight) -> tuple[Dealer, Evidence]:
    """What a seat knows of the cards it does not see, in the play of a hand."""
    me, seats, places = sight.me, view.seats, sight.places
    swap = view.rules.blind_nil == "swap"
    silent = [seats[seat].blind or (swap and seats[seat ^ 2].blind and seat ^ 2 != me) for seat in range(4)]
    passed, received = places.by_suit(view.passed), places.by_suit(view.received)
    exchanged = (passed, received) if view.passed else ()
    return (
        Dealer(sight.position, sight.hand, me, passed),
        Evidence(*history(view), me, places.full, silent=silent, exchanged=exchanged),
    )


class Trial:
    """One world in which several cards are tried, with the same luck for all."""

    def __init__(self, sight: Sight, stakes: Stakes, world: Hands, rng: Random) -> None:
        self.me, self.stakes, self.world = sight.me, stakes, world
        self.dice = rng.randbytes(CARDS)
        self.position = sight.position.copy()
        self.position.eager = [parameters.EAGER, parameters.EAGER]
        self.position.eager[1 - (sight.me & 1)] = parameters.EAGER_OPPONENTS
        self.position.set_modes()
        self.double_dummy = DoubleDummy(stakes, sight.me)

    def value(self, place: Place) -> float:
        """Of playing this card now."""
        position, hands = tried(self.position, self.world, self.me, place)
        if self.position.left > parameters.SEARCHED_TRICKS:
            return self._by_policy(position, hands)
        searched = self.double_dummy.value(position, hands)
        return (searched + self._by_policy(position, hands)) / 2

    def _by_policy(self, position: Position, hands: Hands) -> float:
        return self.stakes.value(play_out(position, hands, self.dice, parameters.NOISE))
