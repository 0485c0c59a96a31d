"""Hands played and timed by four bots. As a program, run in Pyodide, it prints a report for the tests."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from random import Random
from time import process_time

from spades_core.bots import LEVELS, Bot
from spades_core.bots.levels.expert import Expert
from spades_core.commands import DealHand, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.deck import shuffled
from spades_core.evolve import evolve_all
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Game, Occupant, Table
from spades_core.views import view_for

Clock = Callable[[], float]
"""A clock of processor time, in seconds, so that other processes do not matter."""
BOTS: dict[str, Bot] = {**LEVELS, "expert": Expert(worlds=8)}
WARM_UP_HANDS = 3
"""The number of hands played before the timed ones."""
TIME_LIMIT = 0.15
"""The time limit of an expert for a choice, in seconds."""


@dataclass
class PlayedHand:
    """The bids and cards of a hand, the time of each, and the total with everything around them."""

    choices: list[int | str] = field(default_factory=list)
    choice_ms: list[float] = field(default_factory=list)
    total_ms: float = 0.0


@dataclass
class Deadline:
    """A deadline TIME_LIMIT after the last call of `set`."""

    clock: Clock
    at: float = 0.0

    def set(self) -> None:
        self.at = self.clock() + TIME_LIMIT

    def has_passed(self) -> bool:
        return self.clock() > self.at


def play_hand(bot: Bot, seed: int, clock: Clock = process_time, begin: Callable[[], None] = lambda: None) -> PlayedHand:
    """Play a hand under classic rules; `begin` is called before every choice."""
    rng, hand = Random(seed), PlayedHand()
    north, east, south, west = (Occupant(name, None) for name in ("North", "East", "South", "West"))
    table = Table("HANDS", CLASSIC, (north, east, south, west), None, Game(rng.choice(SEATS)))
    table = evolve_all(table, decide(table, DealHand(shuffled(rng))))
    begun = clock()
    while (seat := table.turn) is not None:
        view = view_for(seat, table)
        begin()
        asked = clock()
        choice = bot.choose_bid(view, rng) if view.legal_bids else bot.choose_card(view, rng)
        hand.choice_ms.append(1000 * (clock() - asked))
        hand.choices.append(choice)
        command = PlaceBid(seat, choice) if isinstance(choice, int) else PlayCard(seat, choice)
        table = evolve_all(table, decide(table, command))
    hand.total_ms = 1000 * (clock() - begun)
    return hand


def play_hand_in_time(seed: int, clock: Clock) -> PlayedHand:
    """Play a hand by experts with TIME_LIMIT for each choice."""
    deadline = Deadline(clock)
    return play_hand(Expert(1_000_000, deadline.has_passed), seed, clock, deadline.set)


def report(clock: Clock) -> dict[str, object]:
    """Return the platform, the choices of each bot in a hand, and the timed hands of hard bots and experts."""
    choices = {name: play_hand(bot, 1).choices for name, bot in BOTS.items()}
    for seed in range(WARM_UP_HANDS):
        play_hand(BOTS["hard"], seed)
    hard = [asdict(play_hand(BOTS["hard"], seed, clock)) for seed in range(10)]
    return {"platform": sys.platform, "choices": choices, "hard": hard, "expert": asdict(play_hand_in_time(1, clock))}


if __name__ == "__main__":
    from node import processor_time

    print(json.dumps(report(processor_time)))
