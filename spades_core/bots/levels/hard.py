"""The hard bot: bids and plays by the policy; in the last tricks it evaluates its cards by rollouts."""

from operator import gt
from random import Random

from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.bid_policy import policy_bid
from spades_core.bots.engine.blind_nil import only_blind_nil_wins
from spades_core.bots.engine.blunder_filter import without_blunders
from spades_core.bots.engine.determinization import Sampler
from spades_core.bots.engine.observation import Observation
from spades_core.bots.engine.passing import pass_cards
from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import CardBit, deck_bits
from spades_core.bots.engine.rollout import after_card, play_out
from spades_core.bots.engine.utility import Utility
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.views import SeatView

MIN_WORLDS = 4
"""Worlds after which a card that was never better than the best one is eliminated."""


def choose_blind(view: SeatView, _rng: Random) -> bool:
    """Bid blind nil only if it may win a game that is lost otherwise."""
    return only_blind_nil_wins(view)


def choose_bid(view: SeatView, _rng: Random) -> int:
    """Return the policy's bid."""
    deck = deck_bits(view.rules)
    return policy_bid(Auction.from_view(view), view.legal_bids, deck.masks_of(view.hand), deck.suit_sizes)


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Return the cards most dangerous to the own nil, else the safest for the partner's."""
    return pass_cards(view)


def choose_card(view: SeatView, rng: Random) -> Card:
    """Return the policy's card; in an endgame, the best card by rollouts."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    seen = Observation.from_view(view)
    if 1 < seen.position.tricks_left <= parameters.ENDGAME_TRICKS:
        return seen.card(_endgame_card(view, seen, rng))
    return seen.card(policy_card(seen.position, seen.hand, seen.own_seat))


def _endgame_card(view: SeatView, seen: Observation, rng: Random) -> CardBit:
    """Return the card with the highest mean utility over the same worlds; on a tie, prefer the policy's."""
    cards = without_blunders(seen.position, seen.hand, seen.own_seat, seen.distinct_cards())
    if len(cards) == 1:
        return cards[0]
    policy = policy_card(seen.position, seen.hand, seen.own_seat)
    values: dict[CardBit, list[float]] = {card: [] for card in sorted(cards, key=lambda card: card != policy)}
    sampler = Sampler(seen.position, seen.hand, seen.own_seat, seen.deck.masks_of(view.passed))
    utility = Utility(view, seen.position.bids)
    for worlds in range(1, parameters.ENDGAME_WORLDS + 1):
        world = sampler.sample(rng)
        for card, results in values.items():
            results.append(utility.value(play_out(*after_card(seen.position, world, seen.own_seat, card))))
        if worlds >= MIN_WORLDS:
            best = max(values.values(), key=sum)
            values = {card: each for card, each in values.items() if each is best or any(map(gt, each, best))}
            if len(values) == 1:
                break
    return max(values, key=lambda card: sum(values[card]))
