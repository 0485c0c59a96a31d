"""The last tricks of a hand, played out in a few of the worlds that are still possible."""

from operator import gt
from random import Random

from spades_core.bots.engine.blunder_filter import sensible
from spades_core.bots.engine.determinization import Dealer
from spades_core.bots.engine.observation import Sight
from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import Place
from spades_core.bots.engine.rollout import play_out, tried
from spades_core.bots.engine.utility import Stakes
from spades_core.bots.weights import parameters
from spades_core.views import SeatView

FEWEST = 4
"""After so many worlds a card that has never beaten the best one is played out no more."""


def last_card(view: SeatView, sight: Sight, rng: Random) -> Place:
    """The card that does best on average, all tried in the same worlds; of equals the one that the policy plays."""
    choices = sensible(sight.position, sight.hand, sight.me, sight.different())
    if len(choices) == 1:
        return choices[0]
    usual = choice(sight.position, sight.hand, sight.me)
    values: dict[Place, list[float]] = {place: [] for place in sorted(choices, key=lambda place: place != usual)}
    dealer = Dealer(sight.position, sight.hand, sight.me, sight.places.by_suit(view.passed))
    stakes = Stakes(view, sight.position.bids)
    for number in range(1, parameters.LAST_WORLDS + 1):
        world = dealer.deal(rng)
        for place, seen in values.items():
            seen.append(stakes.value(play_out(*tried(sight.position, world, sight.me, place))))
        if number >= FEWEST:
            best = max(values.values(), key=sum)
            values = {place: seen for place, seen in values.items() if seen is best or any(map(gt, seen, best))}
            if len(values) == 1:
                break
    return max(values, key=lambda place: sum(values[place]))
