"""The score lines under each scoring switch."""

import pytest

from spades_core.commands import DealHand, PlaceBid
from spades_core.events import ScoreLine, SideScore
from spades_core.scoring import score_side
from spades_core.seats import SEATS
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import SUIT_EACH, after_hands, play_sweep


def scored(bids, tricks, *, bags: int = 0, blind=(False, False), **switches) -> SideScore:
    return score_side(rules_with(**switches), (SEATS[0], SEATS[2]), bids, tricks, score=0, bags=bags, blind=blind)


def line(side: SideScore, kind: str) -> ScoreLine | None:
    return next((line for line in side.lines if line.kind == kind), None)


@pytest.mark.rule("R80")
@pytest.mark.parametrize("worth", [50, 100, 150])
def test_what_a_nil_is_worth(worth) -> None:
    assert scored((0, 4), (0, 4), nil_value=worth).points == worth + 40
    assert scored((0, 4), (2, 2), nil_value=worth).points == -worth + 40
    assert scored((0, 0), (0, 0), nil_value=worth).points == 2 * worth


@pytest.mark.rule("R81")
@pytest.mark.parametrize(
    ("tricks", "points", "bags"), [((1, 4), -149, 1), ((2, 5), -48, 2), ((2, 6), -47, 3), ((0, 5), 150, 0)]
)
def test_failed_nil_tricks_that_are_bags(tricks, points, bags) -> None:
    side = scored((0, 5), tricks, failed_nil_tricks="bags")
    assert (side.points, side.bags) == (points, bags)


@pytest.mark.rule("R81")
def test_bags_of_a_failed_nil_may_bring_the_penalty_on_a_missed_contract() -> None:
    side = scored((0, 5), (3, 4), bags=8, failed_nil_tricks="bags")
    assert [(line.kind, line.points) for line in side.lines] == [
        ("nil_failed", -100),
        ("contract_set", -50),
        ("overtricks", 3),
        ("bag_penalty", -100),
    ]
    assert side.bags == 1


@pytest.mark.rule("R82")
@pytest.mark.parametrize(
    ("tricks", "points", "bags"), [((1, 4), -150, 0), ((2, 5), -50, 0), ((2, 6), -49, 1), ((0, 5), 150, 0)]
)
def test_failed_nil_tricks_that_are_nothing(tricks, points, bags) -> None:
    side = scored((0, 5), tricks, failed_nil_tricks="nothing")
    assert (side.points, side.bags) == (points, bags)


@pytest.mark.rule("R81", "R82")
@pytest.mark.parametrize(("failed", "bags"), [("help", 3), ("bags", 3), ("nothing", 0)])
def test_two_nils_and_the_tricks_they_took(failed, bags) -> None:
    """The contract is 0, so each trick is a bag or counts for nothing."""
    side = scored((0, 0), (3, 0), failed_nil_tricks=failed)
    assert (side.points, side.bags) == (bags, bags)


@pytest.mark.rule("R83")
@pytest.mark.parametrize(
    ("tricks", "line_of_it"),
    [
        ((0, 0), ScoreLine("double_nil_made", 200, 0)),
        ((0, 1), ScoreLine("double_nil_failed", -200, 1)),
        ((3, 4), ScoreLine("double_nil_failed", -200, 7)),
    ],
)
def test_a_double_nil_that_is_one_unit(tricks, line_of_it) -> None:
    side = scored((0, 0), tricks, bags=9, double_nil="one_unit")
    assert side.lines == (line_of_it,)
    assert side.bags == 9


@pytest.mark.rule("R83")
def test_one_unit_is_worth_its_two_nils_and_says_nothing_of_a_single_one() -> None:
    assert scored((0, 0), (0, 0), double_nil="one_unit", nil_value=150).points == 300
    assert scored((0, 0), (0, 1), double_nil="one_unit", nil_value=50).points == -100
    assert scored((0, 4), (1, 4), double_nil="one_unit") == scored((0, 4), (1, 4))


@pytest.mark.rule("R84")
@pytest.mark.parametrize(
    ("before", "over", "penalties", "after"), [(4, 1, 1, 0), (0, 4, 0, 4), (3, 9, 2, 2), (4, 12, 3, 1)]
)
def test_five_bags_are_the_limit(before, over, penalties, after) -> None:
    side = scored((0, 1), (0, 1 + over), bags=before, bag_limit=5)
    assert (side.points, side.bags) == (100 + 10 + over - 100 * penalties, after)
    told = line(side, "bag_penalty")
    assert (told.count if told else 0) == penalties


@pytest.mark.rule("R85")
def test_without_a_limit_bags_are_counted_and_cost_nothing() -> None:
    side = scored((1, 1), (6, 7), bags=37, bag_limit=None)
    assert (side.points, side.bags) == (20 + 11, 48)


@pytest.mark.rule("R86")
@pytest.mark.parametrize("penalty", [50, 100, 150])
def test_what_the_bags_cost(penalty) -> None:
    assert scored((1, 1), (2, 2), bags=9, bag_penalty=penalty).points == 22 - penalty
    assert scored((1, 1), (6, 7), bags=9, bag_penalty=penalty).points == 31 - 2 * penalty


@pytest.mark.rule("R87")
def test_bags_that_earn_nothing_are_counted_all_the_same() -> None:
    side = scored((1, 1), (2, 2), bags=3, bag_points="none")
    assert side.lines == (ScoreLine("contract_made", 20, 2), ScoreLine("overtricks", 0, 2))
    assert (side.points, side.bags) == (20, 5)
    assert scored((1, 1), (2, 2), bags=9, bag_points="none").points == 20 - 100


@pytest.mark.rule("R88")
@pytest.mark.parametrize(("limit", "given"), [(10, 10), (5, 10)])
def test_points_given_back_with_the_penalty(limit, given) -> None:
    side = scored((1, 1), (6, 6), bag_points="given_back", bag_limit=limit)
    penalties = 10 // limit
    assert side.lines[2:] == (
        ScoreLine("bag_penalty", -100 * penalties, penalties),
        ScoreLine("bags_given_back", -given, given),
    )
    assert side.points == 20 + 10 - 100 * penalties - given
    assert line(scored((1, 1), (6, 5), bag_points="given_back"), "bags_given_back") is None


@pytest.mark.rule("R89")
@pytest.mark.parametrize(("over", "carried", "reset"), [(2, 9, 9), (3, 0, 0), (4, 1, 0), (9, 6, 0)])
def test_bags_beyond_the_limit_are_kept_or_forgotten(over, carried, reset) -> None:
    for carry, bags in (("remainder", carried), ("reset", reset)):
        side = scored((2, 2), (2, 2 + over), bags=7, bag_carry=carry)
        assert side.bags == bags
        assert side.points == 40 + over - (100 if over >= 3 else 0)


@pytest.mark.rule("R90", "R91")
@pytest.mark.parametrize(("bid", "flat", "doubled"), [(9, 90, 90), (10, 200, 200), (11, 200, 220), (13, 200, 260)])
def test_a_contract_of_ten_and_more(bid, flat, doubled) -> None:
    for switch, points in (("flat", flat), ("doubled", doubled)):
        bids = (bid - 5, 5)
        assert scored(bids, bids, ten_for_200=switch).points == points
        assert scored(bids, (bid - 5, 4), ten_for_200=switch).points == -points
    assert scored((bid, 0), (bid, 0), ten_for_200="flat").points == 100 + flat


@pytest.mark.rule("R90", "R91")
@pytest.mark.parametrize("switch", ["flat", "doubled"])
def test_overtricks_of_a_big_contract_are_bags_as_ever(switch) -> None:
    side = scored((5, 5), (6, 6), ten_for_200=switch)
    assert side.lines == (ScoreLine("ten_made", 200, 10), ScoreLine("overtricks", 2, 2))
    assert scored((5, 5), (9, 0), ten_for_200=switch).lines == (ScoreLine("ten_set", -200, 10),)


@pytest.mark.rule("R92")
@pytest.mark.parametrize("worth", [50, 100, 150])
def test_a_blind_nil_is_worth_200_whatever_a_nil_is(worth) -> None:
    made = scored((0, 4), (0, 4), blind=(True, False), blind_nil="on", nil_value=worth)
    assert made.lines[0] == ScoreLine("blind_nil_made", 200, 0, SEATS[0])
    missed = scored((4, 0), (4, 2), blind=(False, True), blind_nil="on", nil_value=worth)
    assert missed.lines[0] == ScoreLine("blind_nil_failed", -200, 2, SEATS[2])
    assert (made.points, missed.points) == (240, -200 + 40 + 2)


@pytest.mark.rule("R92", "R83")
@pytest.mark.parametrize(("blind", "worth"), [((True, False), 300), ((False, True), 300), ((True, True), 400)])
def test_a_double_nil_with_blind_ones(blind, worth) -> None:
    for double_nil in ("one_unit", "two_nils"):
        assert scored((0, 0), (0, 0), blind=blind, blind_nil="on", double_nil=double_nil).points == worth
    assert scored((0, 0), (1, 0), blind=blind, blind_nil="on", double_nil="one_unit").points == -worth


@pytest.mark.rule("R93")
@pytest.mark.parametrize(("failed", "points", "bags"), [("help", -148, 2), ("bags", -148, 2), ("nothing", -150, 0)])
def test_the_tricks_of_a_missed_blind_nil_are_those_of_any_missed_nil(failed, points, bags) -> None:
    side = scored((0, 5), (2, 5), blind=(True, False), blind_nil="on", failed_nil_tricks=failed)
    assert (side.points, side.bags) == (points, bags)


@pytest.mark.rule("R92", "R51")
def test_the_table_scores_by_its_switches() -> None:
    """Each side is scored by itself, with the switches of the table, the blind bid and the bags before."""
    rules = rules_with(blind_nil="on", bag_limit=5, bag_penalty=50, ten_for_200="flat", floor=None)
    scenario = after_hands((0, 120), bags=(4, 4), rules=rules)
    scenario.do(DealHand(SUIT_EACH))
    scenario.look()
    scenario.bid(11, 1)
    scenario.do(PlaceBid(SEATS[2], 0, blind=True))
    scenario.bid(0)
    (scored_hand,) = [event for event in scenario.play_out() if event.t == "hand_scored"]
    ours, theirs = scored_hand.sides
    assert [(line.kind, line.points) for line in ours.lines] == [
        ("blind_nil_made", 200),
        ("ten_made", 200),
        ("overtricks", 2),
        ("bag_penalty", -50),
    ]
    assert (ours.score, ours.bags) == (352, 1)
    assert (theirs.score, theirs.bags) == (120 + 100 - 10, 4)
    assert scenario.view(None).sides[0].score == 352


@pytest.mark.rule("R85")
def test_bags_without_a_limit_go_on_from_hand_to_hand() -> None:
    scenario = after_hands((0, 0), bags=(9, 0), rules=rules_with(bag_limit=None))
    play_sweep(scenario, 5, 1, 1, 1)
    assert scenario.view(0).sides[0].bags == 16
