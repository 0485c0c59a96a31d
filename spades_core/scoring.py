"""Points and bags of one hand for one side, line by line, and when a game ends (RULES.md, R40 to R69)."""

from spades_core.events import GameEnded, ScoreLine, SideScore
from spades_core.ruleset import RuleSet
from spades_core.seats import BySide, Seat, Side


def score_side(  # noqa: PLR0917 (the columns of a score sheet)
    rules: RuleSet, seats: tuple[Seat, Seat], bids: BySide[int], taken: BySide[int], score: int, bags: int
) -> SideScore:
    """One side's result. `bids` and `taken` are those of `seats`, in order; `score` and `bags` are before the hand."""
    contract, tricks = sum(bids), sum(taken)
    lines = [_nil_line(rules, seat, won) for seat, bid, won in zip(seats, bids, taken, strict=True) if bid == 0]
    made = tricks >= contract
    if contract:
        points = 10 * contract if made else -10 * contract
        lines.append(ScoreLine("contract_made" if made else "contract_set", points, contract))
    over = tricks - contract if made else 0
    if over:
        lines.append(ScoreLine("overtricks", over, over))
    penalties, bags_left = divmod(bags + over, rules.bag_limit)
    if penalties:
        lines.append(ScoreLine("bag_penalty", -penalties * rules.bag_penalty, penalties))
    total = sum(line.points for line in lines)
    return SideScore(contract, tricks, tuple(lines), total, score + total, bags_left)


def _nil_line(rules: RuleSet, seat: Seat, won: int) -> ScoreLine:
    if won == 0:
        return ScoreLine("nil_made", rules.nil_value, 0, seat)
    return ScoreLine("nil_failed", -rules.nil_value, won, seat)


def game_end(rules: RuleSet, scores: BySide[int], hands_played: int) -> GameEnded | None:
    """Whether the game is over after a hand, and why."""
    ours, theirs = scores
    leading = None if ours == theirs else Side(0 if ours > theirs else 1)
    if leading is not None and max(scores) >= rules.target:
        return GameEnded(leading, "target")
    if leading is not None and min(scores) <= rules.floor:
        return GameEnded(leading, "floor")
    if hands_played >= rules.hand_limit:
        return GameEnded(leading, "hand_limit")
    return None
