from itertools import product

import pytest

from spades_core.events import ScoreLine, SideScore
from spades_core.ruleset import CLASSIC
from spades_core.scoring import score_side
from spades_core.seats import SEATS
from tests.spades_core.scenarios import after_hands, play_sweep, started

SPLITS = [(first, second) for first in range(14) for second in range(14 - first)]


def scored(bids: tuple[int, int], tricks: tuple[int, int], score: int = 0, bags: int = 0) -> SideScore:
    return score_side(CLASSIC, (SEATS[0], SEATS[2]), bids, tricks, score=score, bags=bags)


def kinds(side: SideScore) -> list[tuple[str, int]]:
    return [(line.kind, line.points) for line in side.lines]


@pytest.mark.rule("R40")
def test_a_contract_made_exactly() -> None:
    side = scored((3, 4), (4, 3))
    assert side == SideScore(7, 7, 7, (ScoreLine("contract_made", 70, 7),), 70, 70, 0)


@pytest.mark.rule("R41")
def test_each_overtrick_is_a_point_and_a_bag() -> None:
    side = scored((3, 4), (4, 5))
    assert side.lines == (ScoreLine("contract_made", 70, 7), ScoreLine("overtricks", 2, 2))
    assert (side.points, side.bags) == (72, 2)


@pytest.mark.rule("R42")
def test_a_contract_missed_costs_its_worth_and_brings_no_bags() -> None:
    side = scored((3, 4), (6, 0), bags=4)
    assert side.lines == (ScoreLine("contract_set", -70, 7),)
    assert (side.points, side.bags) == (-70, 4)


@pytest.mark.rule("R43", "R46")
def test_a_nil_kept_beside_the_partners_contract() -> None:
    side = scored((4, 0), (5, 0))
    assert side.lines == (
        ScoreLine("nil_made", 100, 0, SEATS[2]),
        ScoreLine("contract_made", 40, 4),
        ScoreLine("overtricks", 1, 1),
    )
    assert (side.points, side.bags) == (141, 1)


@pytest.mark.rule("R44")
@pytest.mark.parametrize("won", [1, 2, 5])
def test_a_nil_missed_costs_the_same_by_one_trick_or_more(won) -> None:
    side = scored((0, 5), (won, 5 - won))
    assert side.lines == (ScoreLine("nil_failed", -100, won, SEATS[0]), ScoreLine("contract_made", 50, 5))


@pytest.mark.rule("R45", "R46")
def test_the_tricks_of_a_missed_nil_help_the_contract_and_make_bags() -> None:
    assert scored((0, 5), (1, 4)).points == -50
    side = scored((0, 5), (2, 5))
    assert (side.points, side.bags) == (-48, 2)
    assert scored((0, 5), (1, 3)).points == -150


@pytest.mark.rule("R47")
@pytest.mark.parametrize(
    ("tricks", "points", "bags"), [((0, 0), 200, 0), ((0, 1), 1, 1), ((3, 0), 3, 3), ((1, 1), -198, 2)]
)
def test_two_nils_are_scored_each_for_itself(tricks, points, bags) -> None:
    side = scored((0, 0), tricks)
    assert (side.contract, side.points, side.bags) == (0, points, bags)
    assert "contract_made" not in dict(kinds(side))


@pytest.mark.rule("R48")
@pytest.mark.parametrize(
    ("before", "over", "penalty", "after"),
    [(0, 9, 0, 9), (8, 1, 0, 9), (9, 1, -100, 0), (9, 3, -100, 2), (0, 10, -100, 0), (5, 7, -100, 2)],
)
def test_the_tenth_bag_costs_a_hundred_and_takes_ten_off_the_counter(before, over, penalty, after) -> None:
    side = scored((1, 1), (1, 1 + over), bags=before)
    assert (side.points, side.bags) == (20 + over + penalty, after)
    assert dict(kinds(side)).get("bag_penalty", 0) == penalty


@pytest.mark.rule("R48")
def test_ten_bags_earn_ten_and_cost_a_hundred() -> None:
    side = scored((1, 1), (6, 6))
    assert side.points - 20 == -90


@pytest.mark.rule("R48")
def test_bags_are_kept_from_hand_to_hand_of_a_game() -> None:
    scenario = started()
    for bags in (7, 4):
        play_sweep(scenario, 3, 1, 3, 1)
        assert scenario.view(0).sides[0].bags == bags


@pytest.mark.rule("R49")
@pytest.mark.parametrize("score", [99, -51, 7, 0, 495, -199])
def test_the_bag_counter_does_not_come_from_the_score(score) -> None:
    side = scored((3, 3), (4, 4), score=score, bags=9)
    assert (side.points, side.score, side.bags) == (62 - 100, score - 38, 1)


@pytest.mark.rule("R50")
def test_a_hand_may_pay_two_penalties() -> None:
    side = scored((0, 1), (6, 7), bags=9)
    assert side.lines[-1] == ScoreLine("bag_penalty", -200, 2)
    assert (side.points, side.bags) == (-100 + 10 + 12 - 200, 1)


@pytest.mark.rule("R51")
def test_both_sides_are_scored_and_the_points_added_up() -> None:
    scenario = after_hands((120, 80), bags=(2, 3), hands=4)
    events = play_sweep(scenario, 5, 3, 0, 0)
    score = next(event for event in events if event.t == "hand_scored")
    assert score.number == 5
    assert score.sides[0].points == 100 + 50 + 8 - 100
    assert (score.sides[0].score, score.sides[0].bags) == (178, 0)
    assert score.sides[1].lines == (ScoreLine("nil_made", 100, 0, SEATS[3]), ScoreLine("contract_set", -30, 3))
    assert (score.sides[1].score, score.sides[1].bags) == (150, 3)
    seen = scenario.view(None).sides
    assert [(side.score, side.bags) for side in seen] == [(178, 0), (150, 3)]


@pytest.mark.rule("R51")
def test_the_lines_add_up_to_the_points_whatever_happens() -> None:
    for bids, tricks in product(product(range(14), repeat=2), SPLITS):
        side = scored(bids, tricks, score=11, bags=8)
        assert sum(line.points for line in side.lines) == side.points
        assert side.score == 11 + side.points
