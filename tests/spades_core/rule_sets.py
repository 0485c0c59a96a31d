"""Rule sets for tests: every value of every switch, every pair of them, and sets drawn at random."""

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations, product
from random import Random
from typing import Any

from hypothesis import strategies as st

from spades_core.ruleset import CASUAL, CLASSIC, RuleSet, RuleSetError

VALUES: dict[str, tuple[Any, ...]] = {
    "target": (500, 100, 250, 1000),
    "floor": (-200, None, -300, -500),
    "failed_nil_tricks": ("help", "bags", "nothing"),
    "nil_value": (100, None, 50, 150),
    "double_nil": ("two_nils", "one_unit", "forbidden"),
    "blind_nil": (None, "on", "swap"),
    "bag_limit": (10, None, 5),
    "bag_penalty": (100, 50, 150),
    "bag_points": ("one", "none", "given_back"),
    "bag_carry": ("remainder", "reset"),
    "ten_for_200": (None, "flat", "doubled"),
    "min_bid": (None, "side_four", "no_ones"),
    "sum_not_13": (False, True),
    "first_dealer": ("drawn", "before_host"),
    "first_lead": ("left_of_dealer", "highest_bidder", "two_of_clubs", "lowest_clubs"),
    "first_trick_spades": ("allowed", "refused"),
    "lead_spades": ("when_broken", "any_time", "not_first_trick"),
    "deck": ("standard", "jokers", "jokers_and_deuces"),
    "variant": ("partnership", "mirror", "whiz", "suicide"),
    "hand_limit": (100, 1, 7, 200),
    "mercy": (None, 300),
}
"""Every switch with its values, that of `classic` first; a few of the two numbers. Repeated here on purpose."""
SCORING = (
    "failed_nil_tricks",
    "nil_value",
    "double_nil",
    "bag_limit",
    "bag_penalty",
    "bag_points",
    "bag_carry",
    "ten_for_200",
)
PRESETS = {"classic": CLASSIC, "casual": CASUAL}


def rules_with(**switches: Any) -> RuleSet:
    return replace(CLASSIC, **switches)


def made(base: RuleSet = CLASSIC, **switches: Any) -> RuleSet | None:
    """Return the rule set, or None if it is refused."""
    try:
        return replace(base, **switches)
    except RuleSetError:
        return None


def single_changes() -> list[tuple[str, Any]]:
    """Return each switch with each of its values that `classic` does not have."""
    return [(name, value) for name, values in VALUES.items() for value in values[1:]]


def pairs() -> Iterator[dict[str, Any]]:
    """Yield every pair of values of any two switches."""
    for one, other in combinations(VALUES, 2):
        for first, second in product(VALUES[one], VALUES[other]):
            yield {one: first, other: second}


def switches_of(rules: RuleSet) -> dict[str, Any]:
    return {switch.name: getattr(rules, switch.name) for switch in fields(rules) if switch.name != "preset"}


def draw_rules(rng: Random, **fixed: Any) -> RuleSet:
    """Draw rules without contradictions: a preset in which each switch may have any other value."""
    while True:
        drawn = {name: rng.choice(values) for name, values in VALUES.items() if rng.random() < 0.5}
        rules = made(rng.choice((CLASSIC, CASUAL)), **{**drawn, **fixed})
        if rules is not None:
            return rules


def draw_short(rng: Random, **fixed: Any) -> RuleSet:
    """Draw the rules of a game that ends after a few hands, in any way in which a game can end."""
    return draw_rules(rng, target=100, hand_limit=4, **fixed)


rule_sets: st.SearchStrategy[RuleSet] = st.integers(0, 2**32).map(lambda seed: draw_rules(Random(seed)))
