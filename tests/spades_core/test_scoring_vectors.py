"""Hands worked out on paper: those of tests/vectors/scoring.json, and the examples of the house rules."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from spades_core.scoring import score_side
from spades_core.seats import SIDES, seats_of
from tests.spades_core.rule_sets import PRESETS, made

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "scoring.json").read_text("utf-8"))["vectors"]
SWITCHES = {
    ("failed_nil_tricks", "bags"): ("failed_nil_tricks", "bags"),
    ("failed_nil_tricks", "nothing"): ("failed_nil_tricks", "nothing"),
    ("double_nil", "one unit"): ("double_nil", "one_unit"),
}
"""Switches and values as named in the file, and as named in the core."""


class Worked(NamedTuple):
    """A hand; bids and tricks are by seat, `bags` and `score` those of the side before it."""

    preset: str
    switches: dict[str, Any]
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    bags: int = 0
    score: int = 0
    side: int = 0

    def result(self) -> tuple[int, int]:
        """Return the points of the side and its bags after the hand."""
        assert sum(self.tricks) == 13
        rules, seats = made(PRESETS[self.preset], **self.switches), seats_of(SIDES[self.side])
        assert rules is not None
        bids, tricks = ((values[seats[0]], values[seats[1]]) for values in (self.bids, self.tricks))
        side = score_side(rules, seats, bids, tricks, score=self.score, bags=self.bags)
        assert side.score == self.score + side.points
        return side.points, side.bags


def test_the_vector_file_is_complete_and_its_switches_are_known() -> None:
    assert len(VECTORS) == 16
    used = {item for vector in VECTORS for item in vector["switches"].items()}
    assert used == set(SWITCHES)
    assert {vector["preset"] for vector in VECTORS} == set(PRESETS)


@pytest.mark.rule("R40", "R41", "R42", "R45", "R47", "R48", "R49", "R81", "R82", "R83", "R88")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['preset']}-{vector['bids']}")
def test_a_vector_of_the_file(vector) -> None:
    switches = dict(SWITCHES[item] for item in vector["switches"].items())
    hand = Worked(vector["preset"], switches, vector["bids"], vector["tricks"], **vector["before"])
    assert hand.result() == (vector["points"], vector["after_bags"])


WORKED = {
    "the other side of a missed contract": (Worked("classic", {}, (4, 4, 5, 0), (5, 5, 3, 0), side=1), (141, 1)),
    "the made nil of a double one": (Worked("classic", {}, (0, 6, 0, 7), (0, 6, 1, 6)), (1, 1)),
    "ten bags": (Worked("classic", {}, (1, 1, 1, 1), (6, 1, 6, 0)), (20 - 90, 0)),
    "twelve bags leave two": (Worked("classic", {}, (1, 1, 1, 1), (4, 1, 8, 0), bags=2), (20 + 10 - 100, 2)),
    "casual, made with a bag": (Worked("casual", {}, (2, 3, 3, 2), (3, 4, 3, 3)), (51, 1)),
    "casual, one short": (Worked("casual", {}, (2, 4, 2, 4), (2, 5, 1, 5)), (-40, 0)),
    "casual, two and three need five": (Worked("casual", {}, (2, 4, 3, 4), (2, 4, 2, 5)), (-50, 0)),
    "casual, two and three and five": (Worked("casual", {}, (2, 4, 3, 4), (0, 4, 5, 4)), (50, 0)),
    "casual, fifteen bags": (Worked("casual", {}, (1, 1, 1, 1), (6, 1, 6, 0), bags=5), (20 + 10 - 110, 5)),
    "casual, a missed nil": (Worked("casual", {}, (0, 3, 5, 4), (1, 4, 4, 4)), (-150, 0)),
    "remainder, 337 and 7 bags, won 8": (
        Worked("classic", {}, (2, 3, 3, 3), (4, 2, 4, 3), bags=7, score=337),
        (290 - 337, 0),
    ),
    "remainder, 337 and 7 bags, won 9": (
        Worked("classic", {}, (2, 3, 3, 3), (4, 2, 5, 2), bags=7, score=337),
        (291 - 337, 1),
    ),
    "reset, won 8": (
        Worked("classic", {"bag_carry": "reset"}, (2, 3, 3, 3), (4, 2, 4, 3), bags=7, score=337),
        (290 - 337, 0),
    ),
    "reset, won 9": (
        Worked("classic", {"bag_carry": "reset"}, (2, 3, 3, 3), (4, 2, 5, 2), bags=7, score=337),
        (291 - 337, 0),
    ),
    "doubled, eleven": (Worked("classic", {"ten_for_200": "doubled"}, (5, 1, 6, 1), (6, 1, 5, 1)), (220, 0)),
    "doubled, eleven missed": (Worked("classic", {"ten_for_200": "doubled"}, (5, 1, 6, 1), (6, 2, 4, 1)), (-220, 0)),
    "flat, ten and two more": (Worked("classic", {"ten_for_200": "flat"}, (4, 1, 6, 1), (6, 1, 6, 0)), (202, 2)),
    "flat, ten missed": (Worked("classic", {"ten_for_200": "flat"}, (4, 1, 6, 1), (3, 4, 6, 0)), (-200, 0)),
    "one unit, both clean": (
        Worked("classic", {"double_nil": "one_unit"}, (0, 6, 0, 7), (0, 6, 0, 7), bags=4),
        (200, 4),
    ),
}


@pytest.mark.rule("R40", "R42", "R43", "R45", "R46", "R48", "R82", "R83", "R88", "R89", "R90", "R91")
@pytest.mark.parametrize(("hand", "result"), WORKED.values(), ids=WORKED)
def test_a_worked_example(hand, result) -> None:
    assert hand.result() == result


@pytest.mark.rule("R88")
def test_fifteen_bags_of_the_casual_rules_are_worth_minus_95() -> None:
    """The points of 5 and then 10 bags, without those of the two contracts of 2."""
    points, bags = Worked("casual", {}, (1, 1, 1, 1), (3, 6, 4, 0)).result()
    more, left = Worked("casual", {}, (1, 1, 1, 1), (6, 1, 6, 0), bags=bags).result()
    assert left == 5
    assert points - 20 + more - 20 == -95
