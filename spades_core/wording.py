"""The wording of scores and bids that the notation, the transcript and the rules card share."""

from collections.abc import Callable, Sequence
from typing import assert_never

from spades_core.events import ScoreLine, SideScore


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def bid_text(bid: int, *, blind: bool = False) -> str:
    return "blind nil" if blind else str(bid or "nil")


def score_breakdown(
    side: str, score: SideScore, names: Sequence[str], number: Callable[[int], str] = str
) -> tuple[str, list[tuple[int, str]]]:
    """Return the title of a side's score for a hand, and each reason for points, ending with the total.

    `side` is the name of the side, `names` are those of the seats, and `number` formats a score.
    """
    reasons = [(line.points, score_reason(line, names)) for line in score.lines]
    total = (score.points, f"now {number(score.score)}, {plural(score.bags, 'bag')}")
    return f"{side} bid {score.contract}, took {score.taken}", [*reasons, total]


def score_reason(line: ScoreLine, names: Sequence[str]) -> str:
    """Return the reason for the points of a line; `names` are those of the seats."""
    by = "" if line.seat is None else f" by {names[line.seat]}"
    match line.kind:
        case "contract_made" | "ten_made":
            return f"contract of {line.count} made"
        case "contract_set" | "ten_set":
            return f"contract of {line.count} missed"
        case "overtricks":
            return plural(line.count, "overtrick")
        case "nil_made":
            return f"nil{by} made"
        case "nil_failed":
            return f"nil{by} missed by {plural(line.count, 'trick')}"
        case "blind_nil_made":
            return f"blind nil{by} made"
        case "blind_nil_failed":
            return f"blind nil{by} missed by {plural(line.count, 'trick')}"
        case "double_nil_made":
            return "both nils made"
        case "double_nil_failed":
            return f"both nils missed by {plural(line.count, 'trick')}"
        case "bag_penalty":
            return "bag penalty" if line.count == 1 else f"{line.count} bag penalties"
        case "bags_given_back":
            return f"points of {line.count} bags given back"
        case _:
            assert_never(line.kind)
