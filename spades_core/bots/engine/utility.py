"""The utility of a hand's outcome to a side: points, or near the end of a game the probability of winning it."""

from functools import lru_cache
from math import exp, sqrt

from spades_core.bots.weights import parameters, win_weights
from spades_core.ruleset import RuleSet
from spades_core.scoring import game_end, score_side
from spades_core.seats import SIDES, BySide, Side, seats_of, side_of
from spades_core.views import SeatView

WIN_UTILITY = 1000.0
"""Utility of a won game near its end."""
POINT_UTILITY_NEAR_END = 3.0
"""Approximate utility of a point near the end of a game."""
MAX_LOGIT = 20.0
"""Bound of the logit of a probability of winning."""

NO_SCORE = (0, 0)
Outcome = tuple[float, int, int]
"""Points of a side in the hand with bags at their long-term cost, then its score and bags after the hand."""
_CACHED_OUTCOMES = 1 << 12


class Utility:
    """Utility to the side of the view's seat, given the bids of the hand and the scores of the view."""

    def __init__(self, view: SeatView, bids: list[int]) -> None:
        assert view.you is not None
        self.rules, self.side, self.bids = view.rules, side_of(view.you), bids
        self.blind = [seat.blind for seat in view.seats]
        self.scores = view.sides[0].score, view.sides[1].score
        self.bags = view.sides[0].bags, view.sides[1].bags
        self.hand_number = view.hand_number
        self.near_end = near_game_end(view)
        self.point = POINT_UTILITY_NEAR_END if self.near_end else 1.0
        self.cache: dict[tuple[int, int], float] = {}

    def value(self, taken: list[int]) -> float:
        """Return the utility of the tricks taken, by seat."""
        key = taken[0] * 14 + taken[2], taken[1] * 14 + taken[3]
        value = self.cache.get(key)
        if value is None:
            value = self.cache[key] = self._value(taken)
        return value

    def _value(self, taken: list[int]) -> float:
        ours, theirs = self._outcome(SIDES[self.side], taken), self._outcome(SIDES[1 - self.side], taken)
        if not self.near_end:
            return ours[0] - theirs[0]
        scores, bags = (ours[1], theirs[1]), (ours[2], theirs[2])
        win = win_probability(self.rules, scores, bags, self.hand_number)
        return WIN_UTILITY * win + (ours[0] - theirs[0]) / 100

    def _outcome(self, side: Side, taken: list[int]) -> Outcome:
        first, second = seats_of(side)
        bids, blind = (self.bids[first], self.bids[second]), (self.blind[first], self.blind[second])
        before = (self.scores[side], self.bags[side]) if self.near_end else NO_SCORE
        return side_outcome(self.rules, bids, (taken[first], taken[second]), blind, before)


@lru_cache(_CACHED_OUTCOMES)
def side_outcome(
    rules: RuleSet, bids: BySide[int], taken: BySide[int], blind: BySide[bool], before: BySide[int]
) -> Outcome:
    """Return the outcome for a side by the bids and tricks of its two seats; `before` is its score and bags."""
    scored = score_side(rules, seats_of(SIDES[0]), bids, taken, score=before[0], bags=before[1], blind=blind)
    # Earlier bags affect only the lines of the bag penalty, which are excluded.
    lines = [line for line in scored.lines if not line.kind.startswith("bag")]
    new_bags = sum(line.count for line in lines if line.kind == "overtricks")
    return sum(line.points for line in lines) - bag_debt(rules) * new_bags, scored.score, scored.bags


def near_game_end(view: SeatView) -> bool:
    """Return whether this hand or the next may end the game."""
    rules, distance = view.rules, parameters.GAME_END_RANGE
    scores = view.sides[0].score, view.sides[1].score
    return (
        max(scores) >= rules.target - distance
        or (rules.floor is not None and min(scores) <= rules.floor + distance)
        or (rules.mercy is not None and abs(scores[0] - scores[1]) >= rules.mercy - distance)
        or view.hand_number + 2 > rules.hand_limit
    )


def bag_cost(rules: RuleSet) -> float:
    """Return the average cost of a bag in points; negative if a bag gains points."""
    point = 0.0 if rules.bag_points == "none" else 1.0
    if rules.bag_limit is None:
        return -point
    given_back = point if rules.bag_points == "given_back" else 0.0
    return rules.bag_penalty / rules.bag_limit + given_back - point


def bag_debt(rules: RuleSet) -> float:
    """Return the later cost of a bag in points, without the point that it scores at once."""
    return bag_cost(rules) + (0.0 if rules.bag_points == "none" else 1.0)


def win_probability(rules: RuleSet, scores: BySide[int], bags: BySide[int], hands_played: int) -> float:
    """Return the probability that the first side wins, fitted to self-play; exact if the game is over."""
    end = game_end(rules, scores, hands_played)
    if end is not None:
        return 0.5 if end.winner is None else float(end.winner == SIDES[0])
    lead = scores[0] - scores[1] - bag_debt(rules) * (bags[0] - bags[1])
    hands = max(1.0, (rules.target - max(scores)) / win_weights.POINTS_PER_HAND)
    hands = min(hands, rules.hand_limit - hands_played)
    return 1 / (1 + exp(-max(-MAX_LOGIT, min(MAX_LOGIT, lead / (win_weights.LEAD_SCALE * sqrt(hands))))))
