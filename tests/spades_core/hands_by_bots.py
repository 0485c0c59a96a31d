"""Hands that four bots play, in any Python that has `spades_core`; as a program it prints what the tests ask for."""

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
"""Seconds of processor time, so that it does not matter what else the machine does."""
BOTS: dict[str, Bot] = {**LEVELS, "expert": Expert(worlds=8)}
WARMING_UP = 3
"""Hands before one that is timed."""
BUDGET = 0.15
"""Seconds that an expert is given for a choice."""


@dataclass
class Played:
    """The bids and cards of a hand; the milliseconds of each, and of all with what is around them."""

    choices: list[int | str] = field(default_factory=list)
    each: list[float] = field(default_factory=list)
    whole: float = 0.0


@dataclass
class Deadline:
    """It passes a while after it was set."""

    clock: Clock
    at: float = 0.0

    def set(self) -> None:
        self.at = self.clock() + BUDGET

    def has_passed(self) -> bool:
        return self.clock() > self.at


def played(bot: Bot, seed: int, clock: Clock = process_time, begin: Callable[[], None] = lambda: None) -> Played:
    """A hand under classic rules; `begin` is called before every choice."""
    rng, hand = Random(seed), Played()
    north, east, south, west = (Occupant(name, None) for name in ("North", "East", "South", "West"))
    table = Table("HANDS", CLASSIC, (north, east, south, west), None, Game(rng.choice(SEATS)))
    table = evolve_all(table, decide(table, DealHand(shuffled(rng))))
    begun = clock()
    while (seat := table.turn) is not None:
        view = view_for(seat, table)
        begin()
        asked = clock()
        choice = bot.choose_bid(view, rng) if view.legal_bids else bot.choose_card(view, rng)
        hand.each.append(1000 * (clock() - asked))
        hand.choices.append(choice)
        command = PlaceBid(seat, choice) if isinstance(choice, int) else PlayCard(seat, choice)
        table = evolve_all(table, decide(table, command))
    hand.whole = 1000 * (clock() - begun)
    return hand


def in_time(seed: int, clock: Clock) -> Played:
    """A hand by experts that have as long as BUDGET."""
    deadline = Deadline(clock)
    return played(Expert(1_000_000, deadline.has_passed), seed, clock, deadline.set)


def asked_for(clock: Clock) -> dict[str, object]:
    """Where this Python runs, the choices of each bot in a hand, and timed hands of two."""
    choices = {name: played(bot, 1).choices for name, bot in BOTS.items()}
    for seed in range(WARMING_UP):
        played(BOTS["hard"], seed)
    hard = [asdict(played(BOTS["hard"], seed, clock)) for seed in range(10)]
    return {"platform": sys.platform, "choices": choices, "hard": hard, "expert": asdict(in_time(1, clock))}


if __name__ == "__main__":
    from node import processor_time

    print(json.dumps(asked_for(processor_time)))
