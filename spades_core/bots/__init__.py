"""Bots: programs that play a seat.

A bot gets only the view of its seat and a random number generator, so it cannot cheat; the same view
and generator state give the same decision. It is asked only for decisions of its seat that are due in the
view; before it has looked at its hand, only whether to bid blind nil.

    levels/      a module or package for each level: easy, medium, hard, expert
    engine/      shared by the levels: positions, policies, hand evaluation, search
    weights/     numbers: parameters set by hand, weights fitted by `make tune`
    decisions    all kinds of decisions in one function

docs/bots.md describes the levels and how to add one.
"""

from random import Random
from typing import Protocol

from spades_core.bots.levels import easy, hard, medium
from spades_core.bots.levels.expert import Expert
from spades_core.cards import Card
from spades_core.seats import Level
from spades_core.views import SeatView


class Bot(Protocol):
    """A module or an object with these four functions."""

    def choose_blind(self, view: SeatView, rng: Random, /) -> bool:
        """Return whether to bid nil before looking at the hand; called only if `view.may_bid_blind`."""

    def choose_bid(self, view: SeatView, rng: Random, /) -> int:
        """Return one of `view.legal_bids`."""

    def choose_pass(self, view: SeatView, rng: Random, /) -> tuple[Card, Card]:
        """Return two cards of `view.hand` for the partner."""

    def choose_card(self, view: SeatView, rng: Random, /) -> Card:
        """Return one of `view.legal_cards`."""


LEVELS: dict[Level, Bot] = {"easy": easy, "medium": medium, "hard": hard, "expert": Expert()}
"""From the weakest to the strongest. This expert is limited by a number of worlds, not by time."""
