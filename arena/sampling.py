"""Random tables: the random stream of each seed, and the deals, rules and scores drawn from it.

A stream is derived from a seed and a path: everything about deal 12 of seed 7 comes from
the SHA-256 of "arena/7/deal/12/…". Seeds therefore share no deal, and a deal depends neither
on the players nor on the order of play. Whole numbers are seeds for reporting; bots are
tuned with others.
"""

from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

from spades_core.commands import DealHand
from spades_core.decide import decide
from spades_core.deck import DECKS, shuffled
from spades_core.evolve import evolve_all
from spades_core.ruleset import PRESETS, SWITCHES, RuleSet, RuleSetError
from spades_core.scoring import game_end
from spades_core.seats import SEATS, BySeat, BySide
from spades_core.state import Game, Occupant, Table

TARGETS, HAND_LIMITS = (100, 250, 500, 1000), (1, 7, 100, 200)
LOWEST_SCORE = -300
"""The lowest score drawn under rules without a floor."""
NEAR_TARGET = 150
"""Half of all scores are drawn within this many points of the target."""


def rng_for(seed: str, *path: object) -> Random:
    """Return the random stream at `path` of a seed."""
    text = "/".join(("arena", seed, *map(str, path)))
    return Random(int.from_bytes(sha256(text.encode()).digest(), "big"))


def seat_rngs(seed: str, *path: object) -> BySeat[Random]:
    """Return a random stream for each seat."""
    first, second, third, fourth = (rng_for(seed, *path, "seat", seat) for seat in SEATS)
    return first, second, third, fourth


def is_for_reporting(seed: str) -> bool:
    return seed.isascii() and seed.isdecimal()


def new_table(rules: RuleSet, game: Game) -> Table:
    """Return a table of four bots at which `game` is under way and no hand is dealt."""
    north, east, south, west = (Occupant(name, None) for name in ("North", "East", "South", "West"))
    return Table("ARENA", rules, (north, east, south, west), None, game)


def deal(table: Table, rng: Random) -> Table:
    return evolve_all(table, decide(table, DealHand(shuffled(rng, DECKS[table.rules.deck]))))


def draw_rules(rng: Random) -> RuleSet:
    """Return random rules: a preset in which half of the switches are set at random."""
    values: dict[str, tuple[Any, ...]] = {**SWITCHES, "target": TARGETS, "hand_limit": HAND_LIMITS}
    while True:
        drawn = {name: rng.choice(values[name]) for name in values if rng.random() < 0.5}
        try:
            return replace(rng.choice(list(PRESETS.values())), **drawn)
        except RuleSetError:  # a contradictory combination: draw again
            continue


def draw_scores(rules: RuleSet, rng: Random) -> tuple[BySide[int], BySide[int]]:
    """Return random scores and bags of both sides, of an unfinished game; half of the scores are near the target."""
    while True:
        (score, bags), (other_score, other_bags) = _draw_side(rules, rng), _draw_side(rules, rng)
        if game_end(rules, (score, other_score), 0) is None:  # the mercy rule can end the game below the target
            return (score, other_score), (bags, other_bags)


def _draw_side(rules: RuleSet, rng: Random) -> tuple[int, int]:
    """Return a score and the number of bags, which is the last digit of the score as on a score sheet."""
    bags = rng.randrange(rules.bag_limit or 10)
    floor = (rules.floor or LOWEST_SCORE) // 10 + 1
    least = (rules.target - NEAR_TARGET) // 10 if rng.random() < 0.5 else floor
    return 10 * rng.randrange(max(least, floor), rules.target // 10) + bags, bags
