"""Bots: programs that play a seat.

A bot gets the view of its seat and a random number generator, and nothing else, so it
cannot cheat; the same view and the same state of the generator give the same decision. It is
asked only for what `view` says is its turn to decide, and while its hand lies face down only
whether to bid blind nil.

    levels/      a module or package for each level: easy, medium, hard, expert
    engine/      what levels are built from: positions, policies, hand evaluation, search
    weights/     numbers: parameters set by hand, weights fitted by `make tune`
    decisions    every kind of decision as one function

A new level is a module of `levels/`, an entry in `LEVELS` and a name in `spades_core.seats.Level`;
docs/bots.md says what else knows the levels, and how each of them thinks.
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
        """Return whether to bid nil before looking at the hand; asked only if `view.may_bid_blind`."""

    def choose_bid(self, view: SeatView, rng: Random, /) -> int:
        """Return one of `view.legal_bids`."""

    def choose_pass(self, view: SeatView, rng: Random, /) -> tuple[Card, Card]:
        """Return two cards of `view.hand` for the partner."""

    def choose_card(self, view: SeatView, rng: Random, /) -> Card:
        """Return one of `view.legal_cards`."""


LEVELS: dict[Level, Bot] = {"easy": easy, "medium": medium, "hard": hard, "expert": Expert()}
"""From the weakest to the strongest. This expert counts worlds and reads no clock; make another to limit its time."""
