"""The points and bags of one side for a hand, line by line, and the end of a game.

RULES.md: R40 to R69, R80 to R93, R120 to R124.
"""

from spades_core.events import GameEnded, ScoreLine, SideScore
from spades_core.ruleset import RuleSet
from spades_core.seats import BySide, Seat, Side

BLIND_NIL_POINTS = 200
TEN_FOR_200_MIN = 10
"""The smallest contract to which `ten_for_200` applies."""


def score_side(
    rules: RuleSet,
    seats: tuple[Seat, Seat],
    bids: BySide[int],
    taken: BySide[int],
    *,
    score: int,
    bags: int,
    blind: BySide[bool] = (False, False),
) -> SideScore:
    """Score a hand for one side. `bids`, `taken` and `blind` are in the order of `seats`.

    `score` and `bags` are those before the hand.
    """
    contract, tricks = sum(bids), sum(taken)
    helping, over = tricks_and_bags(rules, bids, taken)
    if contract == 0 and rules.double_nil == "one_unit":
        lines = [_double_nil_line(rules, tricks, blind)]
    else:
        lines = [
            _nil_line(rules, seat, won, dark)
            for seat, bid, won, dark in zip(seats, bids, taken, blind, strict=True)
            if bid == 0
        ]
        if contract:
            lines.append(_contract_line(rules, contract, made=helping >= contract))
        bag_lines, bags = _bags(rules, bags, over)
        lines += bag_lines
    total = sum(line.points for line in lines)
    return SideScore(contract, tricks, helping, tuple(lines), total, score + total, bags)


def tricks_and_bags(rules: RuleSet, bids: BySide[int], taken: BySide[int]) -> BySide[int]:
    """Return how many of a side's tricks count for its contract and how many are bags (R45, R81 to R83)."""
    contract = sum(bids)
    helping = sum(won for bid, won in zip(bids, taken, strict=True) if bid or rules.failed_nil_tricks == "help")
    if contract == 0 and rules.double_nil == "one_unit":
        return helping, 0
    loose = sum(taken) - helping if rules.failed_nil_tricks == "bags" else 0
    return helping, max(0, helping - contract) + loose


def nil_value(rules: RuleSet, blind: bool) -> int:
    """Return the points that a nil earns if it is made and costs if it fails."""
    return BLIND_NIL_POINTS if blind else rules.nil_value or 0


def _nil_line(rules: RuleSet, seat: Seat, won: int, blind: bool) -> ScoreLine:
    value = nil_value(rules, blind)
    if won == 0:
        return ScoreLine("blind_nil_made" if blind else "nil_made", value, 0, seat)
    return ScoreLine("blind_nil_failed" if blind else "nil_failed", -value, won, seat)


def _double_nil_line(rules: RuleSet, won: int, blind: BySide[bool]) -> ScoreLine:
    value = nil_value(rules, blind[0]) + nil_value(rules, blind[1])
    return ScoreLine("double_nil_failed", -value, won) if won else ScoreLine("double_nil_made", value, 0)


def contract_points(rules: RuleSet, contract: int) -> int:
    """Return the points that a contract earns if it is made and costs if it is set."""
    if rules.ten_for_200 is None or contract < TEN_FOR_200_MIN:
        return 10 * contract
    return 200 if rules.ten_for_200 == "flat" else 20 * contract


def _contract_line(rules: RuleSet, contract: int, *, made: bool) -> ScoreLine:
    points = contract_points(rules, contract)
    if rules.ten_for_200 is None or contract < TEN_FOR_200_MIN:
        return ScoreLine("contract_made", points, contract) if made else ScoreLine("contract_set", -points, contract)
    return ScoreLine("ten_made", points, contract) if made else ScoreLine("ten_set", -points, contract)


def _bags(rules: RuleSet, bags: int, over: int) -> tuple[list[ScoreLine], int]:
    """Return the lines for `over` new bags, and the bag count after them."""
    lines = [ScoreLine("overtricks", 0 if rules.bag_points == "none" else over, over)] if over else []
    if rules.bag_limit is None:
        return lines, bags + over
    penalties, left = divmod(bags + over, rules.bag_limit)
    if penalties == 0:
        return lines, left
    lines.append(ScoreLine("bag_penalty", -penalties * rules.bag_penalty, penalties))
    if rules.bag_points == "given_back":
        given_back = penalties * rules.bag_limit
        lines.append(ScoreLine("bags_given_back", -given_back, given_back))
    return lines, 0 if rules.bag_carry == "reset" else left


def game_end(rules: RuleSet, scores: BySide[int], hands_played: int) -> GameEnded | None:
    """Return how the game ends with the hand just scored, or None if it goes on."""
    ours, theirs = scores
    leading = None if ours == theirs else Side(0 if ours > theirs else 1)
    if leading is not None and max(scores) >= rules.target:
        return GameEnded(leading, "target")
    if leading is not None and rules.floor is not None and min(scores) <= rules.floor:
        return GameEnded(leading, "floor")
    if rules.mercy is not None and abs(ours - theirs) >= rules.mercy:
        return GameEnded(leading, "mercy")
    if hands_played >= rules.hand_limit:
        return GameEnded(leading, "hand_limit")
    return None
