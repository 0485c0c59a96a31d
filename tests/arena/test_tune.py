"""`make tune`: what it fits is found again, and what it writes can be read."""

from random import Random

import pytest

from arena import tune
from arena.regression import Dataset, least_squares, logistic_regression
from spades_core.bots.engine import hand_value


def test_least_squares_finds_what_features_are_worth() -> None:
    rows, rng = Dataset(), Random(1)
    worth = {("a",): 2.0, ("b",): -1.0, ("c",): 0.5}
    for _ in range(600):
        features = [feature for feature in worth if rng.random() < 0.5]
        rows.add(features, sum(worth[feature] for feature in features) + rng.gauss(0, 0.1))
    assert least_squares(rows) == pytest.approx(worth, abs=0.05)


def test_logistic_finds_what_features_add_to_the_chance() -> None:
    rows, rng = Dataset(), Random(2)
    for _ in range(4000):
        likely = rng.random() < 0.5
        rows.add([("base",), ("likely",)] if likely else [("base",)], rng.random() < (0.8 if likely else 0.3))
    found = logistic_regression(rows)
    assert found[("base",)] == pytest.approx(-0.85, abs=0.3)
    assert found[("base",)] + found[("likely",)] == pytest.approx(1.39, abs=0.3)


TABLES = {"SIDE", "SPADES", "RUFFS", "NIL_SIDE", "NIL_SPADES", "NIL_PARTNER", "NIL_BASE"}


@pytest.mark.parametrize(
    ("text", "count", "names"),
    [(tune.trick_weights_source, 60, TABLES), (tune.win_weights_source, 3, {"POINTS_A_HAND", "SWING"})],
)
def test_the_same_seed_writes_the_same_module_and_it_is_python(text, count, names) -> None:
    first, second = text(count), text(count)
    assert first == second
    written: dict[str, object] = {}
    exec(compile(first, "written.py", "exec"), written)
    assert names <= set(written)


def test_tables_are_fitted_without_the_tables_there_are(monkeypatch) -> None:
    first = tune.trick_weights_source(60)
    monkeypatch.setattr(hand_value, "side_worth", lambda *_: 9.0)
    assert tune.trick_weights_source(60) == first


def test_a_knob_as_it_is_gains_nothing() -> None:
    assert tune.parameter_gain("BOLDNESS", tune.parameters.BOLDNESS, 20) == (0, 0)
    assert tune.parameter_gain("BOLDNESS", -5.0, 60)[0] < 0


def test_a_lead_foretells_the_winner() -> None:
    states = tune.game_states(3)
    assert len(states) > 10
    assert tune.log_loss([(100.0, 50, True)], 60, 60) < tune.log_loss([(100.0, 400, True)], 60, 60)
