"""The last tricks of a hand, played out in a few of the worlds that are still possible."""

from random import Random

from spades_core.bots import knobs
from spades_core.bots.nevers import sensible
from spades_core.bots.position import Place
from spades_core.bots.rollout import play_out
from spades_core.bots.sight import Sight
from spades_core.bots.stakes import Stakes
from spades_core.bots.worlds import Dealer
from spades_core.views import SeatView


def last_card(view: SeatView, sight: Sight, chance: Random) -> Place:
    """The card that does best on average; all are tried in the same worlds."""
    choices = sensible(sight.position, sight.hand, sight.me, sight.different())
    if len(choices) == 1:
        return choices[0]
    dealer = Dealer(sight.position, sight.hand, sight.me)
    worlds = [dealer.deal(chance) for _ in range(knobs.LAST_WORLDS)]
    stakes = Stakes(view, sight.position.bids)
    values = dict.fromkeys(choices, 0.0)
    for choice in choices:
        suit, bit = choice
        for world in worlds:
            position, hands = sight.position.copy(), [held[:] for held in world]
            hands[sight.me][suit] ^= bit
            position.play(sight.me, suit, bit)
            values[choice] += stakes.value(play_out(position, hands))
    return max(choices, key=lambda choice: values[choice])
