"""Mutants of the random playouts: the checks of `test_playout` must kill each of them."""

from itertools import chain
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from spades_core.commands import CommandRefused
from spades_core.evolve import current_hand
from tests.spades_core import playout
from tests.spades_core.rule_sets import draw_rules
from tests.spades_core.test_playout import SITUATIONS, check, check_probabilities, new_hand, tables_to_play

BLIND = 2
"""The seed of a game in which blind nil is bid."""

MUTANTS = {
    "spades are never broken": ("barred = barred and card < first_spade", "pass"),
    "any discard breaks them": ("barred = barred and card < first_spade", "barred = False"),
    "spades count as broken": ("barred = not hand.broken if", "barred = False if"),
    "spades count as unbroken": ("barred = not hand.broken if", "barred = True if"),
    "nobody follows suit": ("follows = follow[own[led]]", "follows = ()"),
    "any high card wins": ("card > best and (follows or card >= first_spade)", "card > best"),
    "no ruff wins": ("card > best and (follows or card >= first_spade)", "card > best and follows"),
    "the lowest wins": ("card > best and", "card < best and"),
    "cards are played twice": ("own[suit_of[card]] ^= bit_of[card]", "pass"),
    "a card led stays in the hand": ("own[led] ^= bit_of[best]", "pass"),
    "the leader stays": (
        "leader, trick_size, club, lowest, no_ruff, barred = winner,",
        "trick_size, club, lowest, no_ruff, barred =",
    ),
    "the current trick is forgotten": ("hand.leader, len(hand.trick)", "hand.turn, 0"),
    "its last card wins": ("winning_index(DECKS[rules.deck], hand.trick)", "len(hand.trick) - 1"),
    "earlier tricks are forgotten": ("list(hand.taken)", "[0, 0, 0, 0]"),
    "every club is the lowest": ("0 if lowest else draw(30)", "draw(30)"),
    "the lowest card of every trick": ("winner, 0, False, False, False", "winner, 0, False, lowest, False"),
    "a ruff on the first trick": ('no_ruff = first and rules.first_trick_spades == "refused"', "no_ruff = False"),
    "the lowest club is always led": ("winner, 0, False, False, False", "winner, 0, club, False, False"),
    "no ruff on any trick": ("winner, 0, False, False, False", "winner, 0, False, False, no_ruff"),
    "no ruff even with only spades": ("if no_spades and side else", "if no_spades else"),
    "any club is led": ("own[0]][:1]", "own[0]]"),
    "any card is led first": ('club = first and rules.first_lead in ("two_of_clubs", "lowest_clubs")', "club = False"),
    "a spade may lead the first trick": ('else first and rules.lead_spades == "not_first_trick"', "else False"),
    "spades are always barred on the first trick": (
        'else first and rules.lead_spades == "not_first_trick"',
        "else first",
    ),
    "no blind nil": ("hand.blind\n", "[False] * 4\n"),
    "earlier bags are forgotten": ("bags[1],", "0,"),
    "spades are barred until a ruff under every rule": ("barred and until_broken", "barred"),
    "spades are barred on the first trick only": ("barred and until_broken", "False"),
    "low leads are likelier": (
        "options[draw(30) % len(options)], leader",
        "options[draw(30) % (draw(30) % len(options) + 1)], leader",
    ),
    "low cards are likelier": ("else draw(30) % len(follows)", "else draw(4) % len(follows)"),
    "low discards are likelier": ("card = options[draw(30) %", "card = options[draw(4) %"),
}


def mutant(old: str, new: str) -> ModuleType:
    """Return the module with a piece of its source replaced."""
    text = Path(playout.__file__).read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} must occur exactly once"
    module = ModuleType("mutant")
    exec(compile(text.replace(old, new), "mutant", "exec"), module.__dict__)
    return module


def is_killed(play: ModuleType) -> bool:
    """Return whether a check of the playouts fails."""
    try:
        for seed in range(20):
            rng = Random(seed)
            rules = draw_rules(rng)
            check(rules, playout.bid_out(rules, new_hand(rng), rng), rng, play)
        for table in chain(tables_to_play(1), tables_to_play(BLIND)):
            check(table.rules, current_hand(table), Random(1), play)
        for name in SITUATIONS:
            check_probabilities(name, play)
    except (AssertionError, CommandRefused, ZeroDivisionError):
        return True
    return False


def test_the_unchanged_module_survives() -> None:
    assert not is_killed(mutant("def play_out", "def play_out"))


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_is_killed(name) -> None:
    assert is_killed(mutant(*MUTANTS[name]))
