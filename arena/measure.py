"""From sums to figures: means with their ranges, shares, percentiles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from arena.tally import Fault, Pair, Tally, Team

SURE = 0.95
WIDTH = NormalDist().inv_cdf((1 + SURE) / 2)
PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over pairs and how far from the truth it is at most, 95 times in a hundred; None when one pair is all."""

    mean: float
    range: float | None


def estimate(values: Sequence[float]) -> Estimate | None:
    """None of no values at all."""
    if not values:
        return None
    mean = sum(values) / len(values)
    if len(values) == 1:
        return Estimate(mean, None)
    spread = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, WIDTH * sqrt(spread / len(values)))


def points_a_hand(pairs: Sequence[Pair]) -> Estimate | None:
    """How many points a hand A is ahead, each bag at its worth."""
    return estimate([pair.net / pair.hands for pair in pairs])


def raw_points_a_hand(pairs: Sequence[Pair]) -> Estimate | None:
    """The same as the rules write them down."""
    return estimate([pair.raw / pair.hands for pair in pairs])


def games_won(pairs: Sequence[Pair]) -> Estimate | None:
    """The share of games that A won, of those that were decided; a draw is half a game."""
    return estimate([pair.won / pair.games for pair in pairs if pair.games])


def side_figures(tally: Tally, team: Team) -> dict[str, Any]:
    """What one side did, each a share or a mean over its hands."""
    seen: Counter[str] = tally.sides[team]
    hands = seen["hands"]
    contracts = seen["contracts made"] + seen["contracts set"]
    return {
        "hands": hands,
        "bid": _share(seen["bid tricks"], hands),
        "tricks_beyond_bid": _share(seen["tricks"] - seen["bid tricks"], hands),
        "bids": [seen[f"bid {bid}"] for bid in range(14)],
        "contracts": contracts,
        "contracts_made": _share(seen["contracts made"], contracts),
        "bags": _share(seen["bags"], hands),
        "nils": _nils(seen, "nils", hands),
        "blind_nils": _nils(seen, "blind nils", hands),
    }


def _nils(seen: Counter[str], which: str, hands: int) -> dict[str, Any]:
    made, failed = seen[f"{which} made"], seen[f"{which} set"]
    return {
        "tried": made + failed,
        "a_side_hand": _share(made + failed, hands),
        "made": made,
        "set": failed,
        "share_made": _share(made, made + failed),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def time_figures(tally: Tally) -> list[dict[str, Any]]:
    """Milliseconds a decision, for each bot and kind."""
    return [
        {
            "bot": bot,
            "kind": kind,
            "decisions": times.counts.total(),
            "mean": times.mean() / 1e6,
            **{name: times.percentile(share) / 1e6 for name, share in PERCENTILES.items()},
            "max": times.longest / 1e6,
        }
        for (bot, kind), times in sorted(tally.times.items())
    ]


def fault_figures(faults: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"bot": bot, "what": what, "count": count} for (bot, what), count in sorted(faults.items())]


def fault_named(fault: Fault) -> dict[str, Any]:
    return {
        "number": fault.number,
        "swapped": fault.swapped,
        "hand": fault.hand,
        "bot": fault.bot,
        "kind": fault.kind,
        "seat": fault.seat,
        "what": fault.what,
        "text": fault.text,
    }
