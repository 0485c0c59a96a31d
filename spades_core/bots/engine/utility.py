"""What an ending of the hand is worth to a side: points, or near the end of a game the chance to win it."""

from functools import lru_cache
from math import exp, sqrt

from spades_core.bots.engine.bid_policy import bag_cost
from spades_core.bots.weights import parameters, win_weights
from spades_core.ruleset import RuleSet
from spades_core.scoring import game_end, score_side
from spades_core.seats import SIDES, BySide, Side, seats_of, side_of
from spades_core.views import SeatView

GAME = 1000.0
"""What a won game counts when the chance to win is what is maximised."""


MOST = 20.0
"""A chance of e to this power against one is as good as sure."""
POINT_OF_GAME = 3.0
"""And what a point is worth then, about."""

REMEMBERED = 1 << 12
NO_SHEET = (0, 0)
Ending = tuple[float, int, int]
"""Points with bags at what they cost on average, and the score and the bags after the hand."""


class Stakes:
    """The table's own rules, scores and bags; `bids` are those of the hand."""

    def __init__(self, view: SeatView, bids: list[int]) -> None:
        assert view.you is not None
        self.rules, self.side, self.bids = view.rules, side_of(view.you), bids
        self.blind = [seat.blind for seat in view.seats]
        self.scores = view.sides[0].score, view.sides[1].score
        self.bags = view.sides[0].bags, view.sides[1].bags
        self.number = view.hand_number
        self.decisive = decisive(view)
        self.point = POINT_OF_GAME if self.decisive else 1.0
        self.endings: dict[tuple[int, int], float] = {}

    def value(self, taken: list[int]) -> float:
        """Of these tricks by seat, to the side that asks."""
        key = taken[0] * 14 + taken[2], taken[1] * 14 + taken[3]
        found = self.endings.get(key)
        if found is None:
            found = self.endings[key] = self._value(taken)
        return found

    def _value(self, taken: list[int]) -> float:
        ours, theirs = self._ending(SIDES[self.side], taken), self._ending(SIDES[1 - self.side], taken)
        if not self.decisive:
            return ours[0] - theirs[0]
        scores, after = (ours[1], theirs[1]), (ours[2], theirs[2])
        return GAME * winning_chance(self.rules, scores, after, self.number) + (ours[0] - theirs[0]) / 100

    def _ending(self, side: Side, taken: list[int]) -> Ending:
        one, other = seats_of(side)
        bids, blind = (self.bids[one], self.bids[other]), (self.blind[one], self.blind[other])
        sheet = (self.scores[side], self.bags[side]) if self.decisive else NO_SHEET
        return ending(self.rules, bids, (taken[one], taken[other]), blind, sheet)


@lru_cache(REMEMBERED)
def ending(rules: RuleSet, bids: BySide[int], taken: BySide[int], blind: BySide[bool], sheet: BySide[int]) -> Ending:
    """Of a hand for one side, whose two seats bid and took so much; `sheet` are its score and bags before."""
    scored = score_side(rules, seats_of(SIDES[0]), bids, taken, score=sheet[0], bags=sheet[1], blind=blind)
    # The bags from before show in the lines of the penalty only, and these are left out.
    lines = [line for line in scored.lines if not line.kind.startswith("bag")]
    new_bags = sum(line.count for line in lines if line.kind == "overtricks")
    return sum(line.points for line in lines) - debt(rules) * new_bags, scored.score, scored.bags


def decisive(view: SeatView) -> bool:
    """Whether this hand, or the next, may end the game."""
    rules, reach = view.rules, parameters.REACH
    scores = view.sides[0].score, view.sides[1].score
    return (
        max(scores) >= rules.target - reach
        or (rules.floor is not None and min(scores) <= rules.floor + reach)
        or (rules.mercy is not None and abs(scores[0] - scores[1]) >= rules.mercy - reach)
        or view.hand_number + 2 > rules.hand_limit
    )


def debt(rules: RuleSet) -> float:
    """What a bag on the counter will have cost in points, but for the point it brings at once."""
    return bag_cost(rules) + (0.0 if rules.bag_points == "none" else 1.0)


def winning_chance(rules: RuleSet, scores: BySide[int], bags: BySide[int], hands_played: int) -> float:
    """That the first of two sides wins the game; fitted to self-play, and exact where the game is over."""
    end = game_end(rules, scores, hands_played)
    if end is not None:
        return 0.5 if end.winner is None else float(end.winner == SIDES[0])
    owed = debt(rules)
    lead = scores[0] - scores[1] - owed * (bags[0] - bags[1])
    hands = max(1.0, (rules.target - max(scores)) / win_weights.POINTS_A_HAND)
    hands = min(hands, rules.hand_limit - hands_played)
    return 1 / (1 + exp(-max(-MOST, min(MOST, lead / (win_weights.SWING * sqrt(hands))))))
