"""What a deal may begin with when it is drawn: scores, bags and rules."""

from dataclasses import replace
from random import Random
from typing import Any

from spades_core.ruleset import PRESETS, SWITCHES, RuleSet, RuleSetError
from spades_core.scoring import game_end
from spades_core.seats import BySide

TARGETS, LIMITS = (100, 250, 500, 1000), (1, 7, 100, 200)
LOWEST = -300
"""The score of a side without a floor may be even lower, but seldom is."""
NEAR_THE_END = 150
"""In points: half of all scores are drawn this close to the target."""


def draw_rules(rng: Random) -> RuleSet:
    """Each switch as its preset has it or, as often, any way; what contradicts itself is drawn again."""
    values: dict[str, tuple[Any, ...]] = {**SWITCHES, "target": TARGETS, "hand_limit": LIMITS}
    while True:
        drawn = {name: rng.choice(values[name]) for name in values if rng.random() < 0.5}
        try:
            return replace(rng.choice(list(PRESETS.values())), **drawn)
        except RuleSetError:
            continue


def draw_scores(rules: RuleSet, rng: Random) -> tuple[BySide[int], BySide[int]]:
    """Scores and bags of both sides somewhere in a game that goes on; half of the scores are near the target."""
    while True:
        (ours, our_bags), (theirs, their_bags) = _standing(rules, rng), _standing(rules, rng)
        if game_end(rules, (ours, theirs), 0) is None:  # as by mercy
            return (ours, theirs), (our_bags, their_bags)


def _standing(rules: RuleSet, rng: Random) -> tuple[int, int]:
    """A score whose last digit is its bags, as on a sheet, and these."""
    bags = rng.randrange(rules.bag_limit or 10)
    lowest = (rules.floor or LOWEST) // 10 + 1
    least = (rules.target - NEAR_THE_END) // 10 if rng.random() < 0.5 else lowest
    return 10 * rng.randrange(max(least, lowest), rules.target // 10) + bags, bags
