"""The presets, the text form of rule sets, and the refusal of invalid ones."""

from dataclasses import FrozenInstanceError, fields, replace
from random import Random

import msgpack
import pytest
from hypothesis import given

from spades_core.protocol.codec import ValidationError, from_builtins, to_builtins
from spades_core.ruleset import (
    CASUAL,
    CLASSIC,
    PRESETS,
    SWITCHES,
    RuleSet,
    RuleSetError,
    format_value,
    parse_rules,
)
from tests.spades_core.random_games import play_game
from tests.spades_core.rule_sets import VALUES, made, rule_sets, rules_with, switches_of


@pytest.mark.rule("R140", "R141")
def test_the_two_presets() -> None:
    assert PRESETS == {"classic": CLASSIC, "casual": CASUAL}
    assert RuleSet() == CLASSIC
    assert switches_of(CLASSIC) == {name: values[0] for name, values in VALUES.items()}
    changed = {name: value for name, value in switches_of(CASUAL).items() if value != getattr(CLASSIC, name)}
    assert changed == {
        "failed_nil_tricks": "nothing",
        "bag_points": "given_back",
        "floor": None,
        "first_dealer": "before_host",
    }


def test_the_values_listed_in_the_tests_are_complete() -> None:
    assert set(SWITCHES) == set(VALUES) == {field.name for field in fields(RuleSet)} - {"preset"}
    for name, values in SWITCHES.items():
        assert set(values) == (set() if name in ("target", "hand_limit") else set(VALUES[name]))


# As text


@pytest.mark.rule("R142")
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("classic", CLASSIC),
        ("casual", CASUAL),
        ("classic,target=300,blind_nil=swap", rules_with(target=300, blind_nil="swap")),
        ("classic,floor=off,sum_not_13=on", rules_with(floor=None, sum_not_13=True)),
        ("classic,nil_value=off,bag_limit=off", rules_with(nil_value=None, bag_limit=None)),
        ("casual,floor=-300,deck=jokers_and_deuces", replace(CASUAL, floor=-300, deck="jokers_and_deuces")),
        ("casual,floor=-200,mercy=300", replace(CASUAL, floor=-200, mercy=300)),
    ],
)
def test_the_text_form_of_a_rule_set(text, rules) -> None:
    assert parse_rules(text) == rules
    assert str(rules) == text


@pytest.mark.rule("R142")
@given(rule_sets)
def test_a_rule_set_round_trips_through_its_text(rules) -> None:
    assert parse_rules(str(rules)) == rules
    assert str(parse_rules(str(rules))) == str(rules)


@pytest.mark.rule("R142")
def test_every_value_of_every_switch_round_trips_through_its_text() -> None:
    for base in PRESETS:
        for name, values in VALUES.items():
            for value in values:
                rules = made(PRESETS[base], **{name: value})
                if rules is not None:
                    assert parse_rules(f"{base},{name}={format_value(value)}") == rules


@pytest.mark.rule("R142")
def test_the_text_may_repeat_a_value_of_the_preset() -> None:
    assert parse_rules("classic,target=500,floor=-200") == CLASSIC


@given(rule_sets)
def test_a_rule_set_round_trips_through_the_codec(rules) -> None:
    plain = msgpack.unpackb(msgpack.packb(to_builtins(rules)))
    assert from_builtins(RuleSet, plain) == rules
    del plain["target"]
    assert from_builtins(RuleSet, plain) == replace(rules, target=500), "what an old record lacks is as in classic"


@pytest.mark.rule("R143", "R144")
@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"target": 99}, "target"),
        ({"bag_limit": 7}, "bag_limit"),
        ({"floor": 0}, "floor"),
        ({"variant": "mirror", "nil_value": None}, "variant"),
        ({"shuffle": "never"}, "shuffle"),
    ],
)
def test_an_invalid_rule_set_raises_a_validation_error(changed, field) -> None:
    with pytest.raises(ValidationError) as problem:
        from_builtins(RuleSet, {**to_builtins(CLASSIC), **changed})
    assert problem.value.field == field


# Refused


@pytest.mark.rule("R143")
@pytest.mark.parametrize(
    ("text", "switch", "says"),
    [
        ("", "preset", "there is no rule set ''; there is: classic, casual"),
        ("klassik", "preset", "there is no rule set 'klassik'"),
        ("target=300", "preset", "there is no rule set 'target=300'"),
        ("Classic", "preset", "there is no rule set"),
        ("classic,", "rules", "a switch is missing between the commas"),
        ("classic,traget=300", "traget", "there is no such switch"),
        ("classic,preset=casual", "preset", "there is no such switch"),
        ("classic,target", "target", "a whole number from 100 to 1000, not ''"),
        ("classic,target=99", "target", "a whole number from 100 to 1000, not '99'"),
        ("classic,target=1001", "target", "a whole number from 100 to 1000"),
        ("classic,target=5e2", "target", "a whole number"),
        ("classic,target=-500", "target", "a whole number"),
        ("classic,target=٥٠٠", "target", "a whole number"),
        ("classic,target=" + "9" * 5000, "target", "a whole number"),
        ("classic,target=off", "target", "a whole number"),
        ("classic,hand_limit=0", "hand_limit", "a whole number from 1 to 200"),
        ("classic,hand_limit=201", "hand_limit", "a whole number from 1 to 200"),
        ("classic,floor=-250", "floor", "one of off, -200, -300, -500, not '-250'"),
        ("classic,floor=None", "floor", "one of off"),
        ("classic,sum_not_13=True", "sum_not_13", "one of off, on, not 'True'"),
        ("classic,deck=joker", "deck", "one of standard, jokers, jokers_and_deuces, not 'joker'"),
        ("classic,deck=jokers,deck=jokers", "deck", "it is given twice"),
        ("classic,target=300,deck=jokers,target=300", "target", "it is given twice"),
        ("classic," + "x" * 5000 + "=1", "x" * 24, "there is no such switch"),
    ],
)
def test_an_unknown_preset_switch_or_value_is_refused_by_name(text, switch, says) -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_rules(text)
    assert refused.value.switch == switch
    assert says in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.rule("R143")
@pytest.mark.parametrize("name", VALUES)
def test_a_switch_refuses_other_values(name) -> None:
    for wrong in ("x", "", 3, -1, 1.0, True, False, None, b"on", (), "casual"):
        if any(wrong is known or (wrong == known and type(wrong) is type(known)) for known in VALUES[name]):
            continue
        if name == "hand_limit" and wrong == 3 and type(wrong) is int:
            continue
        with pytest.raises(RuleSetError) as refused:
            rules_with(**{name: wrong})
        assert refused.value.switch == name


@pytest.mark.rule("R143")
def test_a_preset_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RuleSetError, match="preset"):
        RuleSet(preset="house")


@pytest.mark.rule("R144")
def test_a_contradiction_in_the_text_is_refused_by_name_and_with_a_reason() -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_rules("classic,deck=jokers,first_lead=two_of_clubs")
    assert str(refused.value) == "first_lead: this deck has no two of clubs"
    with pytest.raises(RuleSetError) as refused:
        parse_rules("casual,bag_limit=off")
    assert refused.value.switch == "bag_points"


@pytest.mark.rule("R146")
def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        CLASSIC.target = 100  # type: ignore[misc]
    for step in play_game(Random(5)):
        assert step.before.code == "" or step.after.rules == step.before.rules
