"""The tricks that count for a contract and the bags, as a view shows them during a hand."""

from dataclasses import replace
from random import Random

import pytest

from spades_core.ruleset import CLASSIC
from spades_core.scoring import score_side, tricks_and_bags
from spades_core.seats import SIDES, seats_of
from spades_core.views import view_for
from tests.spades_core.random_games import play_game
from tests.spades_core.rule_sets import draw_short


@pytest.mark.rule("R45")
@pytest.mark.parametrize(
    ("failed", "counted"), [("help", (5, 1)), ("bags", (4, 1)), ("nothing", (4, 0))], ids=["help", "bags", "nothing"]
)
def test_the_trick_of_a_failed_nil_counts_as_its_switch_says(failed: str, counted: tuple[int, int]) -> None:
    rules = replace(CLASSIC, failed_nil_tricks=failed)
    assert tricks_and_bags(rules, (0, 4), (1, 4)) == counted


def test_two_nils_in_one_unit_have_no_bags() -> None:
    assert tricks_and_bags(replace(CLASSIC, double_nil="one_unit"), (0, 0), (1, 2)) == (3, 0)


def test_the_counts_after_the_last_trick_are_those_of_the_score() -> None:
    rules = CLASSIC
    for bid, other, won, more in ((3, 4, 5, 4), (0, 5, 0, 6), (0, 5, 2, 3), (2, 2, 1, 1)):
        scored = score_side(rules, seats_of(SIDES[0]), (bid, other), (won, more), score=0, bags=0)
        helping, bags = tricks_and_bags(rules, (bid, other), (won, more))
        assert scored.helping == helping
        assert sum(line.count for line in scored.lines if line.kind == "overtricks") == bags


def test_the_view_before_the_last_trick_agrees_with_the_score() -> None:
    rng, hands = Random(8), 0
    for _ in range(40):
        shown = (0, 0), (0, 0)
        for step in play_game(rng, draw_short(rng)):
            view = view_for(None, step.after)
            if view.phase == "playing":
                shown = tuple((side.helping, side.new_bags) for side in view.sides)
            for event in step.events:
                if event.t == "hand_scored":
                    hands += 1
                    for side in SIDES:
                        assert event.sides[side].helping - shown[side][0] in (0, 1)
                        assert view.sides[side].new_bags == 0
    assert hands > 40
