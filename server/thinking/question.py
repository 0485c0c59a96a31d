"""What a view asks of the bot on its seat, and all that may be answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from spades_core.bots import Bot
from spades_core.cards import Card
from spades_core.views import SeatView

Choice = bool | int | Card | tuple[Card, ...]
"""Whether to bid blind nil, a bid, a card, or the cards to pass."""


@dataclass(frozen=True, slots=True)
class Question:
    """All that a thinker is told: a view, what its chance begins with, how many seconds it has to think, and until
    when at the latest, by the steady clock of this machine."""

    view: SeatView
    seed: int
    seconds: float
    until: float


def options(view: SeatView) -> Sequence[Choice]:
    """All that the seat may do, whose turn it is."""
    if view.may_look:
        return (False, True) if view.may_bid_blind else (False,)
    if view.phase == "bidding":
        return view.legal_bids
    if view.to_pass:
        return tuple(combinations(view.hand, view.to_pass))
    return view.legal_cards


def choose(bot: Bot, view: SeatView, chance: Random) -> Choice:
    """One of the options."""
    if view.may_look:
        return view.may_bid_blind and bot.choose_blind(view, chance)
    if view.phase == "bidding":
        return bot.choose_bid(view, chance)
    if view.to_pass:
        return tuple(sorted(bot.choose_pass(view, chance), key=view.hand.index))
    return bot.choose_card(view, chance)
