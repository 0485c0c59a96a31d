"""What was counted while bots played: sums that can be added, so that it does not matter who counted what.

Invariant: everything but times is the same however the deals were shared out.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from spades_core.events import HandScored, SideScore
from spades_core.ruleset import RuleSet
from spades_core.seats import SIDES, BySeat, Seat, seats_of

Kind = Literal["blind", "bid", "pass", "card"]
What = Literal["illegal", "exception"]
Team = Literal["a", "b"]
TEAMS: tuple[Team, Team] = ("a", "b")
BAG_LINES = ("overtricks", "bag_penalty", "bags_given_back")
MOST_NAMED = 20
"""So many faults are named, the rest is counted."""
FINENESS = 6
"""Bits of a time that are kept: it is known to one part in 32."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """A decision that could not be carried out; a legal one drawn by chance took its place."""

    number: int
    swapped: bool
    hand: int
    bot: str
    kind: Kind
    seat: Seat
    what: What
    text: str


class Times:
    """How long decisions took, in nanoseconds."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.total = 0
        self.longest = 0

    def add(self, time: int) -> None:
        shift = max(0, time.bit_length() - FINENESS)
        self.counts[time >> shift << shift] += 1
        self.total += time
        self.longest = max(self.longest, time)

    def merge(self, other: "Times") -> None:
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
    """One deal or game played twice: what A scored more than B, in `hands` together; games it won (a draw is half)."""

    number: int
    hands: int
    net: int
    raw: int
    games: int
    won: float


@dataclass(slots=True)
class Tally:
    pairs: list[Pair] = field(default_factory=list)
    sides: dict[Team, Counter[str]] = field(default_factory=lambda: {team: Counter() for team in TEAMS})
    times: dict[tuple[str, Kind], Times] = field(default_factory=dict)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    named: list[Fault] = field(default_factory=list)

    def merge(self, other: "Tally") -> None:
        self.pairs += other.pairs
        for team in TEAMS:
            self.sides[team].update(other.sides[team])
        for key, times in other.times.items():
            self.times.setdefault(key, Times()).merge(times)
        self.faults.update(other.faults)
        self.named = sorted(self.named + other.named)[:MOST_NAMED]

    def decided(self, bot: str, kind: Kind, time: int) -> None:
        self.times.setdefault((bot, kind), Times()).add(time)

    def went_wrong(self, fault: Fault) -> None:
        self.faults[fault.bot, fault.what] += 1
        self.named = sorted([*self.named, fault])[:MOST_NAMED]

    def hand_played(self, team: Team, scored: HandScored, side: int, blind: BySeat[bool]) -> None:
        """What happened to a team, on `side`, in a hand."""
        seen, score = self.sides[team], scored.sides[side]
        seen["hands"] += 1
        seen["bid tricks"] += score.contract
        seen["tricks"] += score.taken
        seen["bags"] += new_bags(score)
        if score.contract:
            made = any(line.kind in ("contract_made", "ten_made") for line in score.lines)
            seen["contracts made" if made else "contracts set"] += 1
        for seat in seats_of(SIDES[side]):
            seen[f"bid {scored.bids[seat]}"] += 1
            if scored.bids[seat] == 0:
                seen[("blind nils " if blind[seat] else "nils ") + ("set" if scored.taken[seat] else "made")] += 1


def new_bags(score: SideScore) -> int:
    return sum(line.count for line in score.lines if line.kind == "overtricks")


def bag_worth(rules: RuleSet) -> int:
    """What a bag is worth in the long run: its point and its part of the penalty; -9 under classic rules."""
    point = 1 if rules.bag_points == "one" else 0
    return point if rules.bag_limit is None else point - rules.bag_penalty // rules.bag_limit


def net_points(rules: RuleSet, score: SideScore) -> int:
    """Points of a hand, each bag counted at its worth and not when the penalty falls."""
    plain = sum(line.points for line in score.lines if line.kind not in BAG_LINES)
    return plain + bag_worth(rules) * new_bags(score)
