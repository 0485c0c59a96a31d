"""`make bench`: how fast the core plays, on one processor core, beside open_spiel driven from Python.

First hands played out at random (tests/spades_core/playout.py): dealt, bid, played and
scored, each bid and card any that is legal. open_spiel does the same and is
asked for what is legal; both draw from it in the same way, turn about in the
same run, and processor time is what counts, so that a busy machine slows both
alike. A playout remembers the points of bids and tricks that it has scored.

Then what a table costs: commands through decide and evolve, timed one by one.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
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
from tests.spades_core.playout import bid_out, deal, deck_tables, play_out, points

SLOWEST = 20.0
"""In µs: the goal for a decide and its evolves, on average."""

Carry = Callable[[Table, Command], Table]


def carry_out(table: Table, command: Command) -> Table:
    for event in decide(table, command):
        table = evolve(table, event)
    return table


class Stopwatch:
    """Carries out commands, each kind timed by itself."""

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
        """Prints a line for every kind; the average of all, in µs."""
        everything = [took for took in self.times.values() for took in took]
        for kind, took in sorted(self.times.items(), key=lambda item: -len(item[1])):
            average = sum(took) / len(took)
            print(f"  {kind:<46} {len(took):>8} times {average:>7.1f} µs on average {median(took):>7.1f} median")
        return sum(everything) / len(everything)


def new_table() -> Table:
    return carry_out(Table(), OpenTable("HRTJK", CLASSIC, "secret", "Mara"))


def core_hand(table: Table, rng: Random, carry: Carry) -> Table:
    """One hand through decide and evolve; a new game when one is over."""
    if table.phase in ("lobby", "over"):
        table = carry(table, StartGame(SEATS[0], SEATS[rng.randrange(4)]))
    table = carry(table, DealHand(shuffled(rng)))
    for _ in range(4):
        hand = current_hand(table)
        table = carry(table, PlaceBid(hand.turn, rng.choice(legal_bids(table.rules, hand, hand.turn))))
    for _ in range(52):
        hand = current_hand(table)
        playable = STANDARD.cards_in(legal_cards(table.rules, hand, hand.turn))
        table = carry(table, PlayCard(hand.turn, rng.choice(playable)))
    return table


def playout_hand(rules: RuleSet, rng: Random) -> BySide[int]:
    """The points of one hand played out."""
    hand = bid_out(rules, Hand(1, SEATS[3], deal(rng), SEATS[0], SEATS[0]), rng)
    return points(rules, hand, play_out(rules, hand, rng))


def peer_hand(game, rng: Random) -> list[float]:
    """One hand of open_spiel, which wants the deck in order; sorting by chance takes half as long as shuffling."""
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
    """Both in turn; the medians of each and of their ratios."""
    import pyspiel

    game, rng = pyspiel.load_game("spades"), Random(1)
    ours, theirs = [], []
    deck_tables(STANDARD)
    for _ in range(rounds):
        ours.append(hands_per_second(lambda: playout_hand(CLASSIC, rng), seconds))
        theirs.append(hands_per_second(lambda: peer_hand(game, rng), seconds))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    print(f"random hands a second, medians of {rounds} rounds of {seconds:g} s of processor time, in turn:")
    for name, rates in (("playout", ours), (f"open_spiel {version('open_spiel')}", theirs)):
        print(f"  {name:<24} {median(rates):>8.0f}  (from {min(rates):.0f} to {max(rates):.0f})")
    print(f"  {'ratio':<24} {median(ratios):>8.2f}  (from {min(ratios):.2f} to {max(ratios):.2f}; goal: 1 at least)")


def per_command(hands: int) -> None:
    rng, table, watch = Random(2), new_table(), Stopwatch()
    for _ in range(hands):
        table = core_hand(table, rng, watch.carry_out)
    print(f"decide and its evolves, {hands} random hands:")
    print(f"  average {watch.report():.1f} µs (goal: under {SLOWEST:g})")


def machine() -> str:
    """The processor, as the system names it, and the Python."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores, one used; {python} on {platform.system()}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=0.2, help="of processor time, each round")
    arguments.add_argument("--rounds", type=int, default=41)
    arguments.add_argument("--hands", type=int, default=2000, help="timed command by command")
    chosen = arguments.parse_args()
    print(f"$ python -m tests.benchmarks.core {' '.join(sys.argv[1:])}".rstrip())
    print(machine())
    compare(chosen.seconds, chosen.rounds)
    per_command(chosen.hands)


if __name__ == "__main__":
    main()
