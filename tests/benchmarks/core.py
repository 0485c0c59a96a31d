"""`make bench`: the speed of the core on one CPU core, compared with open_spiel driven from Python.

First, random hands (tests/spades_core/playout.py): dealt, bid, played and
scored, with random legal bids and cards. open_spiel does the same from its own
legal moves. Both alternate within one run and are measured in CPU time, so that
a busy machine slows both alike. A playout caches the points of bids and tricks.

Then the commands of a table through decide and evolve, timed one by one.
"""

import argparse
import sys
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from statistics import median
from time import perf_counter, process_time

from spades_core.commands import Command, DealHand, OpenTable, PlaceBid, PlayCard, StartGame
from spades_core.decide import decide
from spades_core.deck import STANDARD, shuffled
from spades_core.events import LoggedEvent
from spades_core.evolve import current_hand, evolve
from spades_core.legal import legal_bids, legal_cards
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS, BySide
from spades_core.state import Hand, Table
from tests.benchmarks.processes import machine
from tests.spades_core.playout import bid_out, deal, deck_tables, play_out, points

GOAL_US = 20.0
"""Goal for the average time of a decide and its evolves."""

CarryOut = Callable[[Table, Command], Table]


def carry_out(table: Table, command: Command) -> Table:
    for event in decide(table, command):
        table = evolve(table, event)
    return table


class Stopwatch:
    """Executes commands and keeps the times of each kind, in µs."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def carry_out(self, table: Table, command: Command) -> Table:
        started = perf_counter()
        events: tuple[LoggedEvent, ...] = decide(table, command)
        for event in events:
            table = evolve(table, event)
        took = perf_counter() - started
        kind = " ".join([type(command).__name__, *(type(event).__name__ for event in events[1:])])
        self.times.setdefault(kind, []).append(took * 1e6)
        return table

    def report(self) -> float:
        """Print a line for each kind; return the average of all."""
        everything = [took for took in self.times.values() for took in took]
        for kind, took in sorted(self.times.items(), key=lambda item: -len(item[1])):
            average = sum(took) / len(took)
            print(f"  {kind:<46} {len(took):>8} times {average:>7.1f} µs on average {median(took):>7.1f} median")
        return sum(everything) / len(everything)


def new_table() -> Table:
    return carry_out(Table(), OpenTable("HRTJK", CLASSIC, "secret", "Mara"))


def core_hand(table: Table, rng: Random, carry_out: CarryOut) -> Table:
    """Play a random hand through decide and evolve, in a new game if one is over."""
    if table.phase in ("lobby", "over"):
        table = carry_out(table, StartGame(SEATS[0], SEATS[rng.randrange(4)]))
    table = carry_out(table, DealHand(shuffled(rng)))
    for _ in range(4):
        hand = current_hand(table)
        table = carry_out(table, PlaceBid(hand.turn, rng.choice(legal_bids(table.rules, hand, hand.turn))))
    for _ in range(52):
        hand = current_hand(table)
        playable = STANDARD.cards_in(legal_cards(table.rules, hand, hand.turn))
        table = carry_out(table, PlayCard(hand.turn, rng.choice(playable)))
    return table


def playout_hand(rules: RuleSet, rng: Random) -> BySide[int]:
    """Play out a random hand; return the points of both sides."""
    hand = bid_out(rules, Hand(1, SEATS[3], deal(rng), SEATS[0], SEATS[0]), rng)
    return points(rules, hand, play_out(rules, hand, rng))


def open_spiel_hand(game, rng: Random) -> list[float]:
    """Play a random hand with open_spiel. Sorting the deck by random keys takes half as long as shuffling it."""
    state, random, draw = game.new_initial_state(), rng.random, rng.getrandbits
    for card in sorted(range(52), key=lambda _: random()):
        state.apply_action(card)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[draw(30) % len(legal)])
    return state.returns()


def hands_per_second(play: Callable[[], object], seconds: float) -> float:
    started, hands = process_time(), 0
    while (passed := process_time() - started) < seconds:
        play()
        hands += 1
    return hands / passed


def compare(seconds: float, rounds: int) -> None:
    """Measure both in turn; print the medians of their speeds and of the ratios."""
    import pyspiel

    game, rng = pyspiel.load_game("spades"), Random(1)
    ours, theirs = [], []
    deck_tables(STANDARD)
    for _ in range(rounds):
        ours.append(hands_per_second(lambda: playout_hand(CLASSIC, rng), seconds))
        theirs.append(hands_per_second(lambda: open_spiel_hand(game, rng), seconds))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    print(f"random hands a second, medians of {rounds} rounds of {seconds:g} s of CPU time, in turn:")
    for name, rates in (("playout", ours), (f"open_spiel {version('open_spiel')}", theirs)):
        print(f"  {name:<24} {median(rates):>8.0f}  (from {min(rates):.0f} to {max(rates):.0f})")
    print(f"  {'ratio':<24} {median(ratios):>8.2f}  (from {min(ratios):.2f} to {max(ratios):.2f}; goal: 1 at least)")


def per_command(hands: int) -> None:
    rng, table, watch = Random(2), new_table(), Stopwatch()
    for _ in range(hands):
        table = core_hand(table, rng, watch.carry_out)
    print(f"decide and its evolves, {hands} random hands:")
    print(f"  average {watch.report():.1f} µs (goal: under {GOAL_US:g})")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "--seconds", type=float, default=0.2, help="of CPU time in each round (default: %(default)s)"
    )
    arguments.add_argument("--rounds", type=int, default=41, help="(default: %(default)s)")
    arguments.add_argument("--hands", type=int, default=2000, help="timed command by command (default: %(default)s)")
    chosen = arguments.parse_args()
    print(f"$ python -m tests.benchmarks.core {' '.join(sys.argv[1:])}".rstrip())
    print(machine())
    compare(chosen.seconds, chosen.rounds)
    per_command(chosen.hands)


if __name__ == "__main__":
    main()
