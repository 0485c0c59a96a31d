"""Mistakes planted in the text of the playout: each must be found, or its checks are worth nothing."""

from itertools import chain
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from spades_core.commands import CommandRefused
from spades_core.evolve import current_hand
from tests.spades_core import playout
from tests.spades_core.rule_sets import draw_rules
from tests.spades_core.test_playout import PLACES, check, check_odds, new_hand, positions

BLIND = 2
"""The seed of a game in which blind nil is bid."""

MISTAKES = {
    "spades are never broken": ("barred = barred and card < first_spade", "pass"),
    "any discard breaks them": ("barred = barred and card < first_spade", "barred = False"),
    "spades count as broken": ("barred = not hand.broken if", "barred = False if"),
    "how it stood before is forgotten": ("barred = not hand.broken if", "barred = True if"),
    "nobody follows suit": ("follows = follow[own[led]]", "follows = ()"),
    "any high card wins": ("card > best and (follows or card >= first_spade)", "card > best"),
    "no ruff wins": ("card > best and (follows or card >= first_spade)", "card > best and follows"),
    "the lowest wins": ("card > best and", "card < best and"),
    "cards are played twice": ("own[suit_of[card]] ^= bit_of[card]", "pass"),
    "a lead is kept": ("own[led] ^= bit_of[best]", "pass"),
    "the leader stays": (
        "leader, trick_size, club, lowest, no_ruff, barred = winner,",
        "trick_size, club, lowest, no_ruff, barred =",
    ),
    "a trick on the table is forgotten": ("hand.leader, len(hand.trick)", "hand.turn, 0"),
    "its last card wins": ("winning_index(DECKS[rules.deck], hand.trick)", "len(hand.trick) - 1"),
    "tricks before are forgotten": ("list(hand.taken)", "[0, 0, 0, 0]"),
    "every club is the lowest": ("0 if lowest else draw(30)", "draw(30)"),
    "the lowest of every trick": ("winner, 0, False, False, False", "winner, 0, False, lowest, False"),
    "spades on the first trick": ('no_ruff = first and rules.first_trick_spades == "refused"', "no_ruff = False"),
    "the lowest club is always led": ("winner, 0, False, False, False", "winner, 0, club, False, False"),
    "spades spared all along": ("winner, 0, False, False, False", "winner, 0, False, False, no_ruff"),
    "spared without anything else": ("if no_spades and side else", "if no_spades else"),
    "any club is led": ("own[0]][:1]", "own[0]]"),
    "any card is led first": ('club = first and rules.first_lead in ("two_of_clubs", "lowest_clubs")', "club = False"),
    "a spade may lead the first trick": ('else first and rules.lead_spades == "not_first_trick"', "else False"),
    "a spade waits for the second": ('else first and rules.lead_spades == "not_first_trick"', "else first"),
    "no blind nil": ("hand.blind\n", "[False] * 4\n"),
    "no bags from before": ("bags[1],", "0,"),
    "a spade waits for a ruff": ("barred and until_broken", "barred"),
    "the first trick opens spades": ("barred and until_broken", "False"),
    "low leads are likelier": (
        "options[draw(30) % len(options)], leader",
        "options[draw(30) % (draw(30) % len(options) + 1)], leader",
    ),
    "low cards are likelier": ("else draw(30) % len(follows)", "else draw(4) % len(follows)"),
    "low discards are likelier": ("card = options[draw(30) %", "card = options[draw(4) %"),
}


def planted(old: str, new: str) -> ModuleType:
    """The module with a mistake in it."""
    text = Path(playout.__file__).read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} is not there, or not once"
    module = ModuleType("planted")
    exec(compile(text.replace(old, new), "planted", "exec"), module.__dict__)
    return module


def found(play: ModuleType) -> bool:
    """Whether one of the checks of playouts finds a mistake."""
    try:
        for seed in range(20):
            rng = Random(seed)
            rules = draw_rules(rng)
            check(rules, playout.bid_out(rules, new_hand(rng), rng), rng, play)
        for table in chain(positions(1), positions(BLIND)):
            check(table.rules, current_hand(table), Random(1), play)
        for name in PLACES:
            check_odds(name, play)
    except (AssertionError, CommandRefused, ZeroDivisionError):
        return True
    return False


def test_nothing_is_found_where_nothing_is_planted() -> None:
    assert not found(planted("def play_out", "def play_out"))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found(mistake) -> None:
    assert found(planted(*MISTAKES[mistake]))
