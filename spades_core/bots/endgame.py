"""The last tricks of a hand, played out in a few of the worlds that are still possible."""

from random import Random

from spades_core.bots import knobs
from spades_core.bots.nevers import sensible
from spades_core.bots.policy import choice
from spades_core.bots.position import Place
from spades_core.bots.rollout import play_out
from spades_core.bots.sight import Sight
from spades_core.bots.stakes import Stakes
from spades_core.bots.worlds import Dealer
from spades_core.views import SeatView

ENOUGH = 3
"""If after so many worlds it makes no difference what is played, it makes none."""


def last_card(view: SeatView, sight: Sight, chance: Random) -> Place:
    """The card that does best on average, all tried in the same worlds; of equals the one that the policy plays."""
    choices = sensible(sight.position, sight.hand, sight.me, sight.different())
    if len(choices) == 1:
        return choices[0]
    usual = choice(sight.position, sight.hand, sight.me)
    values = dict.fromkeys(sorted(choices, key=lambda place: place != usual), 0.0)
    passed = sight.places.by_suit(view.passed)
    dealer, stakes = Dealer(sight.position, sight.hand, sight.me, passed), Stakes(view, sight.position.bids)
    for number in range(knobs.LAST_WORLDS):
        if number == ENOUGH and len(set(values.values())) == 1:
            break
        world = dealer.deal(chance)
        for place in values:
            position, hands = sight.position.copy(), [held[:] for held in world]
            suit, bit = place
            hands[sight.me][suit] ^= bit
            position.play(sight.me, suit, bit)
            values[place] += stakes.value(play_out(position, hands))
    return max(values, key=lambda place: values[place])
