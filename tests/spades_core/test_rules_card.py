"""The rules card mentions every switch that is not as in `classic`, and nothing twice."""

from pathlib import Path

import pytest
from hypothesis import given

from spades_core.rules_card import rules_card
from spades_core.ruleset import CASUAL, CLASSIC, PRESETS
from tests.spades_core.rule_sets import VALUES, made, rule_sets, rules_with, single_changes

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.rule("R140", "R141", "R145")
@pytest.mark.parametrize("preset", PRESETS)
def test_the_card_of_a_preset_is_as_it_was_written(preset) -> None:
    golden = (GOLDEN / f"rules_card_{preset}.txt").read_text("utf-8")
    assert "".join(f"{sentence}\n" for sentence in rules_card(PRESETS[preset])) == golden


@pytest.mark.rule("R145")
@pytest.mark.parametrize(("name", "value"), single_changes())
def test_each_switch_by_itself_changes_the_card(name, value) -> None:
    card = rules_card(rules_with(**{name: value}))
    assert card != rules_card(CLASSIC)
    assert len({rules_card(rules_with(**{name: each})) for each in VALUES[name]}) == len(VALUES[name])


@pytest.mark.rule("R145")
@pytest.mark.parametrize("name", VALUES)
def test_from_casual_too_each_switch_changes_the_card(name) -> None:
    sets = [made(CASUAL, **{name: value}) for value in VALUES[name]]
    cards = [rules_card(rules) for rules in sets if rules is not None]
    assert len(cards) == len(set(cards)) >= 2


@pytest.mark.rule("R145")
@given(rule_sets)
def test_a_card_is_made_of_different_whole_sentences(rules) -> None:
    card = rules_card(rules)
    assert len(card) == len(set(card))
    for line in card:
        assert line[0].isupper()
        assert line.endswith(".")
        assert "None" not in line
        assert "_" not in line
    text = " ".join(card)
    sentences = text.split(". ")
    assert len(sentences) == len(set(sentences))


@pytest.mark.rule("R145")
@pytest.mark.parametrize(
    ("switches", "says"),
    [
        ({"target": 250}, "The first side at 250 points wins."),
        ({"floor": -300}, "A side at −300 points or less loses on the spot."),
        ({"mercy": 300}, "A lead of 300 points or more ends the game."),
        ({"hand_limit": 1}, "After 1 hand the side that is ahead wins."),
        ({"hand_limit": 200}, "After 200 hands the side that is ahead wins."),
        ({"nil_value": None}, "There is no nil: everybody bids at least 1."),
        ({"bag_limit": 5, "bag_penalty": 150}, "every five bags cost 150 points"),
        ({"bag_points": "given_back", "bag_limit": 5}, "the five points that those bags earned are given back"),
        ({"sum_not_13": True}, "The last bid may not make the sum of all bids 13."),
        ({"blind_nil": "on"}, "A side 100 or more behind may bid nil before looking at the hand"),
        ({"blind_nil": "swap"}, "After a blind nil the two partners exchange two cards."),
        ({"first_lead": "two_of_clubs"}, "Whoever holds the two of clubs leads it to the first trick."),
    ],
)
def test_what_the_card_says(switches, says) -> None:
    assert any(says in line for line in rules_card(rules_with(**switches)))


@pytest.mark.rule("R145")
def test_switches_that_are_off_are_not_on_the_card() -> None:
    text = " ".join(rules_card(rules_with(floor=None, nil_value=None, bag_limit=None)))
    for word in ("loses on the spot", "blind", "penalty", "cost ", "joker"):
        assert word not in text
