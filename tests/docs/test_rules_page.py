"""The examples of docs/rules.md are computed, and its numbers are those of the classic preset."""

from pathlib import Path

import pytest

from spades_core.ruleset import CLASSIC
from spades_core.scoring import game_end, score_side
from spades_core.seats import SIDES, seats_of

TEXT = " ".join((Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").split())
EXAMPLES = [
    ("bid 7, took 7: **70**", (4, 3), (4, 3), 0, (70, 0)),
    ("bid 7, took 9: **72**, and 2 bags", (4, 3), (5, 4), 0, (72, 2)),
    ("bid 7, took 6: **−70**", (4, 3), (4, 2), 0, (-70, 0)),
    ("9 bags, then bid 6 and took 9: 63 − 100 = **−37**, and 2 bags left", (3, 3), (5, 4), 9, (-37, 2)),
    ("Your partner bid 5 and took 4, you bid nil and took 1:", (0, 5), (1, 4), 0, (-50, 0)),
    ("One nil kept and one missed by a trick: 100 − 100 + 1 = **1**", (0, 0), (0, 1), 0, (1, 1)),
]


@pytest.mark.parametrize(("text", "bids", "taken", "bags", "points_and_bags"), EXAMPLES)
def test_an_example_is_on_the_page_and_correct(
    text: str, bids: tuple[int, int], taken: tuple[int, int], bags: int, points_and_bags: tuple[int, int]
) -> None:
    result = score_side(CLASSIC, seats_of(SIDES[0]), bids, taken, score=0, bags=bags)
    assert text in TEXT
    assert (result.points, result.bags) == points_and_bags


@pytest.mark.parametrize(("text", "taken"), [("bid 0, took 0: **100**", 0), ("bid 0, took 1: **−100**", 1)])
def test_a_nil_counts_besides_the_bid_of_the_partner(text: str, taken: int) -> None:
    result = score_side(CLASSIC, seats_of(SIDES[0]), (0, 5), (taken, 5 - taken), score=0, bags=0)
    [nil] = [line for line in result.lines if line.seat is not None]
    assert text in TEXT
    assert nil.points == (100 if taken == 0 else -100)
    assert result.points == nil.points + 50


def test_ten_bags_lose_ninety() -> None:
    result = score_side(CLASSIC, seats_of(SIDES[0]), (2, 1), (7, 6), score=0, bags=0)
    assert "loses you 90" in TEXT
    assert result.points - 30 == -90


def test_a_penalty_comes_before_the_end_of_the_game() -> None:
    result = score_side(CLASSIC, seats_of(SIDES[0]), (2, 1), (3, 1), score=474, bags=9)
    assert "a hand that would have brought you to 505 does not win" in TEXT
    assert result.score + CLASSIC.bag_penalty == 505
    assert game_end(CLASSIC, (result.score, 0), 12) is None


def test_the_ends_of_a_game_are_those_of_the_preset() -> None:
    assert f"with **{CLASSIC.target} points** wins" in TEXT
    assert f"falls to **−{-CLASSIC.floor}** loses on the spot" in TEXT
    assert f"after {CLASSIC.hand_limit} hands" in TEXT
