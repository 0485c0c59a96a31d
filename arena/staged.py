"""Bots that bid as they should not and then play as the bot within, so that others come where they can go wrong."""

from dataclasses import dataclass
from random import Random

from arena.nevers import seat_of
from spades_core.bots import Bot
from spades_core.cards import Card
from spades_core.seats import partner_of
from spades_core.views import SeatView

TOO_MUCH = 1
"""Tricks bid too high by each of two partners: then it is often the last tricks that decide."""


@dataclass(frozen=True, slots=True)
class AlwaysNil:
    """Bids nil whatever it holds, unless its partner has."""

    bot: Bot

    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return self.bot.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = self.bot.choose_bid(view, rng)
        return 0 if view.seats[partner_of(seat_of(view))].bid != 0 else bid

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        return self.bot.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return self.bot.choose_card(view, rng)


class TooHigh(AlwaysNil):
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = self.bot.choose_bid(view, rng)
        most = 13 - (view.seats[partner_of(seat_of(view))].bid or 0)
        return min(bid + TOO_MUCH, max(most, bid)) if bid else 0
