"""Every pair of values of two switches is either refused, as listed here, or can be played to the end."""

from random import Random
from typing import Any

import pytest

from spades_core.commands import DealHand
from spades_core.decide import decide
from spades_core.deck import DECKS, shuffled
from spades_core.evolve import evolve_all
from spades_core.ruleset import CONTRADICTIONS, RuleSet, RuleSetError
from spades_core.state import Table
from tests.scale import cases
from tests.spades_core.random_games import next_move
from tests.spades_core.rule_sets import VALUES, made, pairs, rules_with, single_changes
from tests.spades_core.scenarios import after_hands

CONTRADICT = [
    {"variant": ("mirror", "whiz", "suicide"), "nil_value": (None,)},
    {"double_nil": ("forbidden",), "variant": ("mirror", "whiz")},
    {"blind_nil": ("on", "swap"), "nil_value": (None,)},
    {"blind_nil": ("on", "swap"), "variant": ("mirror", "whiz", "suicide")},
    {"min_bid": ("side_four", "no_ones"), "variant": ("mirror",)},
    {"min_bid": ("side_four",), "variant": ("whiz",)},
    {"sum_not_13": (True,), "variant": ("mirror", "whiz", "suicide")},
    {"first_lead": ("two_of_clubs",), "deck": ("jokers", "jokers_and_deuces")},
    {"bag_points": ("given_back",), "bag_limit": (None,)},
    {"bag_carry": ("reset",), "bag_limit": (None,)},
]
"""The values of two switches that exclude each other; the error names the first switch."""


HANDS = cases(2, 3)
"""A game is this long, the hand before the first included."""


def contradiction_in(switches: dict[str, Any]) -> str | None:
    """Return the switch that the error must name, by the list above."""
    for both in CONTRADICT:
        if all(switches.get(name, VALUES[name][0]) in values for name, values in both.items()):
            return next(iter(both))
    return None


@pytest.mark.rule("R144")
def test_every_pair_of_values_is_accepted_or_refused_as_listed() -> None:
    accepted, refused = 0, 0
    for switches in pairs():
        blamed = contradiction_in(switches)
        try:
            rules_with(**switches)
        except RuleSetError as problem:
            refused += 1
            assert problem.switch == blamed, switches  # noqa: PT017
        else:
            accepted += 1
            assert blamed is None, switches
    assert len(CONTRADICTIONS) == len(CONTRADICT)
    assert refused == sum(len(one) * len(other) for one, other in (both.values() for both in CONTRADICT))
    assert accepted > 1500


def play_to_the_end(rules: RuleSet, rng: Random) -> Table:
    """Play a game in which one side is behind from the start."""
    table = after_hands((-120, 0), rules=rules).table
    while table.phase != "over":
        command = DealHand(shuffled(rng, DECKS[rules.deck])) if table.turn is None else next_move(table, rng)
        table = evolve_all(table, decide(table, command))
    return table


@pytest.mark.rule("R109", "R123", "R144")
@pytest.mark.parametrize("first", list(VALUES)[:-1])
def test_every_accepted_pair_of_values_can_be_played_to_the_end(first) -> None:
    rng = Random(first)
    games = [made(**{"hand_limit": HANDS, **switches}) for switches in pairs() if next(iter(switches)) == first]
    assert len(games) == len(VALUES[first]) * sum(len(VALUES[other]) for other in _after(first))
    for rules in filter(None, games):
        table = play_to_the_end(rules, rng)
        assert table.game.outcome is not None
        assert len(table.game.sheet) <= max(rules.hand_limit, 2)


def _after(first: str) -> list[str]:
    return list(VALUES)[list(VALUES).index(first) + 1 :]


def test_every_single_value_is_accepted() -> None:
    changes = single_changes()
    assert len(changes) == sum(len(values) - 1 for values in VALUES.values())
    for name, value in changes:
        assert getattr(rules_with(**{name: value}), name) == value
