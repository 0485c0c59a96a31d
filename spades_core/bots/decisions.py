"""All kinds of decisions in one function: the legal decisions of a view, and a bot's choice."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from spades_core.bots import Bot
from spades_core.cards import Card
from spades_core.views import SeatView

Decision = bool | int | Card | tuple[Card, ...]
"""Whether to bid blind nil, a bid, a card to play, or the cards to pass."""


def legal_decisions(view: SeatView) -> Sequence[Decision]:
    """Return every decision open to the seat of `view`, whose turn it is."""
    if view.may_look:
        return (False, True) if view.may_bid_blind else (False,)
    if view.phase == "bidding":
        return view.legal_bids
    if view.to_pass:
        return tuple(combinations(view.hand, view.to_pass))
    return view.legal_cards


def choose(bot: Bot, view: SeatView, rng: Random) -> Decision:
    """Return the decision of `bot`: one of `legal_decisions(view)`."""
    if view.may_look:
        return view.may_bid_blind and bot.choose_blind(view, rng)
    if view.phase == "bidding":
        return bot.choose_bid(view, rng)
    if view.to_pass:
        return tuple(sorted(bot.choose_pass(view, rng), key=view.hand.index))
    return bot.choose_card(view, rng)
