"""Estimates, net points, latencies, and the division of work."""

from concurrent.futures import ALL_COMPLETED

import pytest

from arena import parallel
from arena.parallel import chunk_size, results
from arena.stats import Estimate, Latencies, bag_value, estimate, format_estimate, net_points, new_bags
from spades_core.ruleset import parse_rules
from spades_core.scoring import score_side
from spades_core.seats import SIDES, seats_of


def test_mean_and_margin_of_error() -> None:
    result = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert result is not None
    assert result.mean == 3
    assert result.margin == pytest.approx(1.95996 * (2.5 / 5) ** 0.5, abs=1e-4)
    assert format_estimate(result) == "+3.0 ± 1.4"


def test_one_value_has_no_margin_and_no_value_has_no_estimate() -> None:
    assert estimate([7.0]) == Estimate(7.0, None)
    assert format_estimate(Estimate(-7.0, None)) == "−7.0"
    assert estimate([]) is None
    assert format_estimate(None) == "–"
    assert format_estimate(Estimate(0.5, 0.1), share=True) == "50.0 % ± 10.0"


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ("classic", -9),
        ("casual", -10),
        ("classic,bag_limit=5", -19),
        ("classic,bag_penalty=50", -4),
        ("classic,bag_limit=off", 1),
        ("classic,bag_limit=off,bag_points=none", 0),
    ],
)
def test_bag_value(rules: str, value: int) -> None:
    assert bag_value(parse_rules(rules)) == value


def test_net_points_do_not_depend_on_when_the_bag_penalty_falls() -> None:
    rules = parse_rules("classic")
    for bags in (0, 8):
        score = score_side(rules, seats_of(SIDES[0]), (3, 2), (5, 3), score=100, bags=bags)
        assert new_bags(score) == 3
        assert net_points(rules, score) == 50 - 27


def test_latencies_are_precise_to_one_part_in_32() -> None:
    latencies, other = Latencies(), Latencies()
    for nanoseconds in range(1000, 101_000, 1000):
        (latencies if nanoseconds % 2000 else other).add(nanoseconds)
    latencies.merge(other)
    for share in (0.5, 0.95, 0.99):
        assert latencies.percentile(share) == pytest.approx(share * 100_000, rel=1 / 30)
    assert latencies.longest == 100_000
    assert latencies.mean() == 50_500
    assert Latencies().percentile(0.5) == Latencies().mean() == 0


@pytest.mark.parametrize(("amount", "processes", "size"), [(1, 2, 1), (40, 2, 1), (100, 2, 3), (10_000, 2, 4)])
def test_chunk_size(amount: int, processes: int, size: int) -> None:
    assert chunk_size(amount, processes) == size


def test_no_chunk_is_lost_when_all_running_chunks_finish_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "FIRST_COMPLETED", ALL_COMPLETED)
    assert sorted(results(abs, range(20), 2)) == list(range(20))
