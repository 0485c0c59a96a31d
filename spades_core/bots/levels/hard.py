"""The hard bot: bids by fitted chances, plays the policy of rollouts, and plays out what the last tricks may bring."""

from random import Random

from spades_core.bots.engine import bid_policy
from spades_core.bots.engine.auction import auction_of
from spades_core.bots.engine.blind_nil import saves_the_game
from spades_core.bots.engine.endgame import last_card
from spades_core.bots.engine.observation import see
from spades_core.bots.engine.passing import pass_two
from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import places_of
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.views import SeatView


def choose_blind(view: SeatView, _rng: Random) -> bool:
    """Whether it bids nil on the hand that lies face down: only where that may win a game that is lost otherwise."""
    return saves_the_game(view)


def choose_bid(view: SeatView, _rng: Random) -> int:
    """One of `view.legal_bids`."""
    assert view.you is not None
    places = places_of(view.rules)
    return bid_policy.bid(auction_of(view, view.you), view.legal_bids, places.by_suit(view.hand), places.full)


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Two cards of `view.hand`: what endangers the own nil, else what shelters the partner's."""
    return pass_two(view)


def choose_card(view: SeatView, rng: Random) -> Card:
    """One of `view.legal_cards`."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    sight = see(view)
    if 1 < sight.position.left <= parameters.LAST_TRICKS:
        return sight.card(last_card(view, sight, rng))
    return sight.card(choice(sight.position, sight.hand, sight.me))
