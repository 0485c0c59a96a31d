"""Wrappers that change what a bot does, to stage hands in which it or others can blunder."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from arena.blunders.catalog import seat_of
from spades_core.bots import Bot
from spades_core.bots.decisions import Decision
from spades_core.cards import Card
from spades_core.seats import partner_of
from spades_core.views import SeatView

Answer = TypeVar("Answer", int, Card, tuple[Card, Card])
OVERBID = 1
"""Tricks added to the bid of each of two partners: enough for the last tricks to decide often."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    bot: Bot

    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return self.bot.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return self.bot.choose_bid(view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        return self.bot.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return self.bot.choose_card(view, rng)


class AlwaysNil(Wrapper):
    """Bids nil on any hand, unless its partner has bid nil."""

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = self.bot.choose_bid(view, rng)
        return 0 if view.seats[partner_of(seat_of(view))].bid != 0 else bid


class Overbidder(Wrapper):
    """Bids too high, unless it bids nil."""

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = self.bot.choose_bid(view, rng)
        highest = 13 - (view.seats[partner_of(seat_of(view))].bid or 0)
        return min(bid + OVERBID, max(highest, bid)) if bid else 0


@dataclass(frozen=True, slots=True)
class BagProbe(Wrapper):
    """Asks a second time with random bag counts and the same random stream, and reports both answers to `compare`."""

    rng: Random
    compare: Callable[[SeatView, Decision, Decision], None]

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return self._ask(self.bot.choose_bid, view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        return self._ask(self.bot.choose_pass, view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return self._ask(self.bot.choose_card, view, rng)

    def _ask(self, choose: Callable[[SeatView, Random], Answer], view: SeatView, rng: Random) -> Answer:
        same_rng = Random()
        same_rng.setstate(rng.getstate())
        answer = choose(view, rng)
        ours, theirs = (replace(side, bags=self.rng.randrange(30)) for side in view.sides)
        self.compare(view, answer, choose(replace(view, sides=(ours, theirs)), same_rng))
        return answer
