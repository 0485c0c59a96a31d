"""Counts of what happened while bots played, and the figures computed from them.

Counts can be added in any order: everything but latencies is the same however the
deals were divided among processes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any, Literal

from spades_core.events import HandScored, SideScore
from spades_core.ruleset import RuleSet
from spades_core.seats import SIDES, BySeat, Seat, seats_of

DecisionKind = Literal["blind", "bid", "pass", "card"]
FaultKind = Literal["illegal", "exception"]
Team = Literal["a", "b"]
TEAMS: tuple[Team, Team] = ("a", "b")
BAG_LINES = ("overtricks", "bag_penalty", "bags_given_back")
MAX_FAULT_EXAMPLES = 20
"""Faults that are reported one by one; all are counted."""
LATENCY_BITS = 6
"""Significant bits of a latency that are kept: a precision of one part in 32."""
CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""The margin of error in standard errors."""
PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """A bot's exception or illegal decision, for which a random legal one was substituted."""

    number: int
    swapped: bool
    hand: int
    bot: str
    kind: DecisionKind
    seat: Seat
    what: FaultKind
    text: str


class Latencies:
    """A histogram of decision times in nanoseconds."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.total = 0
        self.longest = 0

    def add(self, time: int) -> None:
        shift = max(0, time.bit_length() - LATENCY_BITS)
        self.counts[time >> shift << shift] += 1
        self.total += time
        self.longest = max(self.longest, time)

    def merge(self, other: "Latencies") -> None:
        self.counts.update(other.counts)
        self.total += other.total
        self.longest = max(self.longest, other.longest)

    def mean(self) -> float:
        return self.total / max(1, self.counts.total())

    def percentile(self, share: float) -> int:
        left = share * self.counts.total()
        for time in sorted(self.counts):
            left -= self.counts[time]
            if left <= 0:
                return time
        return 0


@dataclass(frozen=True, slots=True)
class Pair:
    """A deal or game played twice with sides swapped: A's lead in points, summed over `hands`, and the games A won.

    `net_points` counts each bag at its long-run value; a drawn game counts one half.
    """

    number: int
    hands: int
    net_points: int
    raw_points: int
    games: int
    games_won: float


@dataclass(slots=True)
class Stats:
    pairs: list[Pair] = field(default_factory=list)
    teams: dict[Team, Counter[str]] = field(default_factory=lambda: {team: Counter() for team in TEAMS})
    latencies: dict[tuple[str, DecisionKind], Latencies] = field(default_factory=dict)
    faults: Counter[tuple[str, FaultKind]] = field(default_factory=Counter)
    fault_examples: list[Fault] = field(default_factory=list)

    def merge(self, other: "Stats") -> None:
        self.pairs += other.pairs
        for team in TEAMS:
            self.teams[team].update(other.teams[team])
        for key, latencies in other.latencies.items():
            self.latencies.setdefault(key, Latencies()).merge(latencies)
        self.faults.update(other.faults)
        self.fault_examples = sorted(self.fault_examples + other.fault_examples)[:MAX_FAULT_EXAMPLES]

    def record_latency(self, bot: str, kind: DecisionKind, time: int) -> None:
        self.latencies.setdefault((bot, kind), Latencies()).add(time)

    def record_fault(self, fault: Fault) -> None:
        self.faults[fault.bot, fault.what] += 1
        self.fault_examples = sorted([*self.fault_examples, fault])[:MAX_FAULT_EXAMPLES]

    def record_hand(self, team: Team, scored: HandScored, side: int, blind: BySeat[bool]) -> None:
        """Count a hand that the team played as `side`."""
        counts, score = self.teams[team], scored.sides[side]
        counts["hands"] += 1
        counts["bid tricks"] += score.contract
        counts["tricks"] += score.taken
        counts["bags"] += new_bags(score)
        if score.contract:
            made = any(line.kind in ("contract_made", "ten_made") for line in score.lines)
            counts["contracts made" if made else "contracts set"] += 1
        for seat in seats_of(SIDES[side]):
            counts[f"bid {scored.bids[seat]}"] += 1
            if scored.bids[seat] == 0:
                counts[("blind nils " if blind[seat] else "nils ") + ("set" if scored.taken[seat] else "made")] += 1


def new_bags(score: SideScore) -> int:
    return sum(line.count for line in score.lines if line.kind == "overtricks")


def bag_value(rules: RuleSet) -> int:
    """Return what a bag is worth in the long run: its point less its share of the penalty; -9 under classic rules."""
    point = 1 if rules.bag_points == "one" else 0
    return point if rules.bag_limit is None else point - rules.bag_penalty // rules.bag_limit


def net_points(rules: RuleSet, score: SideScore) -> int:
    """Return the points of a hand with each bag at its long-run value, whenever the penalty falls."""
    plain = sum(line.points for line in score.lines if line.kind not in BAG_LINES)
    return plain + bag_value(rules) * new_bags(score)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its margin of error, half of the 95 % confidence interval; None for a single value."""

    mean: float
    margin: float | None


def estimate(values: Sequence[float]) -> Estimate | None:
    """Return None if there are no values."""
    if not values:
        return None
    mean = sum(values) / len(values)
    if len(values) == 1:
        return Estimate(mean, None)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, Z * sqrt(variance / len(values)))


def format_estimate(value: Estimate | None, *, share: bool = False, digits: int = 1) -> str:
    """Format as in "+4.2 ± 2.0", or as a percentage."""
    if value is None:
        return "–"
    scale = 100 if share else 1
    mean = f"{scale * value.mean:.{digits}f} %" if share else f"{value.mean:+.{digits}f}".replace("-", "−")
    return mean if value.margin is None else f"{mean} ± {scale * value.margin:.{digits}f}"


def points_per_hand(pairs: Sequence[Pair]) -> Estimate | None:
    """Estimate A's lead with each bag at its long-run value."""
    return estimate([pair.net_points / pair.hands for pair in pairs])


def raw_points_per_hand(pairs: Sequence[Pair]) -> Estimate | None:
    """Estimate A's lead in points as scored."""
    return estimate([pair.raw_points / pair.hands for pair in pairs])


def games_won(pairs: Sequence[Pair]) -> Estimate | None:
    """Estimate the share of finished games that A won; a drawn game counts one half."""
    return estimate([pair.games_won / pair.games for pair in pairs if pair.games])


def team_figures(stats: Stats, team: Team) -> dict[str, Any]:
    """Return the team's shares and its means per hand."""
    counts = stats.teams[team]
    hands = counts["hands"]
    contracts = counts["contracts made"] + counts["contracts set"]
    return {
        "hands": hands,
        "bid": _ratio(counts["bid tricks"], hands),
        "tricks_beyond_bid": _ratio(counts["tricks"] - counts["bid tricks"], hands),
        "bids": [counts[f"bid {bid}"] for bid in range(14)],
        "contracts": contracts,
        "contracts_made": _ratio(counts["contracts made"], contracts),
        "bags": _ratio(counts["bags"], hands),
        "nils": _nil_figures(counts, "nils", hands),
        "blind_nils": _nil_figures(counts, "blind nils", hands),
    }


def _nil_figures(counts: Counter[str], which: str, hands: int) -> dict[str, Any]:
    made, failed = counts[f"{which} made"], counts[f"{which} set"]
    return {
        "bid": made + failed,
        "per_hand": _ratio(made + failed, hands),
        "made": made,
        "set": failed,
        "share_made": _ratio(made, made + failed),
    }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def latency_figures(stats: Stats) -> list[dict[str, Any]]:
    """Return milliseconds per decision for each bot and kind of decision."""
    return [
        {
            "bot": bot,
            "kind": kind,
            "decisions": latencies.counts.total(),
            "mean": latencies.mean() / 1e6,
            **{name: latencies.percentile(share) / 1e6 for name, share in PERCENTILES.items()},
            "max": latencies.longest / 1e6,
        }
        for (bot, kind), latencies in sorted(stats.latencies.items())
    ]


def fault_figures(stats: Stats) -> dict[str, Any]:
    """Return the number of faults by bot and kind, and the first of them in detail."""
    return {
        "faults": [{"bot": bot, "what": what, "count": count} for (bot, what), count in sorted(stats.faults.items())],
        "fault_examples": [asdict(fault) for fault in stats.fault_examples],
    }
