"""`make tune`: regressions recover known weights, and the written modules are valid Python."""

from random import Random

import pytest

from arena import tune
from arena.regression import Dataset, least_squares, logistic_regression
from arena.stats import Estimate
from spades_core.bots.engine import hand_value
from spades_core.bots.weights import trick_weights


def test_least_squares_recovers_the_weights() -> None:
    data, rng = Dataset(), Random(1)
    weights = {("a",): 2.0, ("b",): -1.0, ("c",): 0.5}
    for _ in range(600):
        features = [feature for feature in weights if rng.random() < 0.5]
        data.add(features, sum(weights[feature] for feature in features) + rng.gauss(0, 0.1))
    assert least_squares(data) == pytest.approx(weights, abs=0.05)


def test_logistic_regression_recovers_the_logits() -> None:
    data, rng = Dataset(), Random(2)
    for _ in range(4000):
        likely = rng.random() < 0.5
        data.add([("base",), ("likely",)] if likely else [("base",)], rng.random() < (0.8 if likely else 0.3))
    weights = logistic_regression(data)
    assert weights[("base",)] == pytest.approx(-0.85, abs=0.3)
    assert weights[("base",)] + weights[("likely",)] == pytest.approx(1.39, abs=0.3)


TRICK_WEIGHTS = {name for name in vars(trick_weights) if name.isupper()}


@pytest.mark.parametrize(
    ("source", "count", "names"),
    [(tune.trick_weights_source, 60, TRICK_WEIGHTS), (tune.win_weights_source, 3, {"POINTS_PER_HAND", "LEAD_SCALE"})],
)
def test_source_is_reproducible_and_valid(source, count, names) -> None:
    first, second = source(count), source(count)
    assert first == second
    module: dict[str, object] = {}
    exec(compile(first, "module.py", "exec"), module)
    assert names <= set(module)


def test_trick_weights_do_not_depend_on_the_current_ones(monkeypatch) -> None:
    first = tune.trick_weights_source(60)
    monkeypatch.setattr(hand_value, "side_suit_tricks", lambda *_: 9.0)
    assert tune.trick_weights_source(60) == first


def test_unchanged_parameter_gains_nothing() -> None:
    assert tune.parameter_gain("BOLDNESS", tune.parameters.BOLDNESS, 20) == Estimate(0, 0)
    worse = tune.parameter_gain("BOLDNESS", -5.0, 60)
    assert worse is not None
    assert worse.mean < 0


def test_lead_predicts_the_winner_better_near_the_end() -> None:
    states = tune.game_states(3)
    assert len(states) > 10
    assert tune.log_loss([(100.0, 50, True)], 60, 60) < tune.log_loss([(100.0, 400, True)], 60, 60)
