"""Bots: who plays a seat when no person does.

A bot is given what a player on its seat would know and a source of chance, and
nothing else, so it cannot cheat; the same view and the same stream of chance
give the same choice. It is asked only what `view` says is its turn to do, and
with its hand face down nothing but whether to bid on it. How each level thinks:
docs/bots.md. Where it does:

    easy     easy
    medium   medium: reading (what it sees), bidding, leading, following
    hard     hard: sight and position (what it sees), bids and worth (its bids, by the fitted
             tables), policy and leads (its cards), endgame (the last tricks)
    expert   expert: worlds (hands imagined), rollout and double_dummy (played to the end),
             race (of the choices), stakes and margins (what an ending is worth), foresight
             (before a bid)
    several  passing, blind, nevers (what hard and expert never play), knobs (their numbers)
"""

from random import Random
from typing import Protocol

from spades_core.bots import easy, hard, medium
from spades_core.bots.expert import Expert
from spades_core.cards import Card
from spades_core.seats import Level
from spades_core.views import SeatView


class Bot(Protocol):
    """A module or an object with these four functions."""

    def choose_blind(self, view: SeatView, rng: Random, /) -> bool:
        """Whether to bid nil on the hand that lies face down; asked when `view.may_bid_blind`. Else it looks."""

    def choose_bid(self, view: SeatView, rng: Random, /) -> int:
        """One of `view.legal_bids`."""

    def choose_pass(self, view: SeatView, rng: Random, /) -> tuple[Card, Card]:
        """Two cards of `view.hand` for the partner."""

    def choose_card(self, view: SeatView, rng: Random, /) -> Card:
        """One of `view.legal_cards`."""


LEVELS: dict[Level, Bot] = {"easy": easy, "medium": medium, "hard": hard, "expert": Expert()}
"""From the weakest to the strongest. This expert counts its worlds and reads no clock: make another to give it time."""
