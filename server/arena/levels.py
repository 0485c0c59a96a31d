"""The levels there are, and what a bot is."""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from spades_core.bots import medium
from spades_core.cards import Card
from spades_core.views import SeatView


class Bot(Protocol):
    def choose_bid(self, view: SeatView, chance: Random) -> int: ...

    def choose_pass(self, view: SeatView, chance: Random) -> tuple[Card, Card]: ...

    def choose_card(self, view: SeatView, chance: Random) -> Card: ...


LEVELS: Mapping[str, Bot] = {"medium": medium}
