"""What an arena has to say about a match: a table for people, JSON for programs."""

import json
from collections.abc import Iterator
from typing import Any

from arena.match import Match
from arena.measure import (
    Estimate,
    fault_figures,
    fault_named,
    games_won,
    points_a_hand,
    raw_points_a_hand,
    side_figures,
    time_figures,
)
from arena.seeds import is_for_reporting
from arena.tally import TEAMS, Tally

LABEL, CELL = 34, 24


def as_json(match: Match, first: int, asked: int, tally: Tally) -> str:
    return json.dumps(figures(match, first, asked, tally), indent=2)


def figures(match: Match, first: int, asked: int, tally: Tally) -> dict[str, Any]:
    """Everything that was measured. A range is half of the 95 % interval; null stands for what cannot be said."""
    return {
        "a": match.a,
        "b": match.b,
        "seed": match.seed,
        "for_reporting": is_for_reporting(match.seed),
        "rules": "drawn" if match.rules is None else str(match.rules),
        "scores": "drawn" if match.drawn_scores else "zero",
        "unit": match.unit,
        "first": first,
        "asked": asked,
        "played": len(tally.pairs),
        "points_a_hand": _both(points_a_hand(tally.pairs)),
        "raw_points_a_hand": _both(raw_points_a_hand(tally.pairs)),
        "games_won": _both(games_won(tally.pairs)),
        "sides": {team: side_figures(tally, team) for team in TEAMS},
        "times": time_figures(tally),
        "faults": fault_figures(tally.faults),
        "named_faults": [fault_named(fault) for fault in tally.named],
    }


def _both(found: Estimate | None) -> dict[str, float | None] | None:
    return None if found is None else {"mean": found.mean, "range": found.range}


def as_text(match: Match, first: int, asked: int, tally: Tally) -> str:
    if not tally.pairs:
        return "Nothing was played to its end.\n"
    found = figures(match, first, asked, tally)
    lines = [*_heading(found), "", *_result(found), "", *_sides(found), "", *_times(found), "", *_faults(match, found)]
    return "\n".join(lines) + "\n"


def so_far(match: Match, tally: Tally) -> str:
    """In a few words, while it goes on."""
    if match.games:
        return f"A won {spoken(games_won(tally.pairs), share=True)} of the games"
    return f"A {spoken(points_a_hand(tally.pairs))} points a hand"


def spoken(found: Estimate | None, *, share: bool = False) -> str:
    """As in "+4.2 ± 2.0" or "57.6 % ± 3.0"."""
    if found is None:
        return "–"
    mean = f"{100 * found.mean:.1f} %" if share else f"{found.mean:+.1f}".replace("-", "−")
    if found.range is None:
        return mean
    return f"{mean} ± {(100 if share else 1) * found.range:.1f}"


def _heading(found: dict[str, Any]) -> Iterator[str]:
    how_far = "" if found["played"] == found["asked"] else f" of {found['asked']}"
    yield f"A: {found['a']}    B: {found['b']}"
    use = "" if found["for_reporting"] else " (for tuning, not for reporting)"
    yield (
        f"{found['played']}{how_far} {found['unit']}s, each played twice with sides swapped; "
        f"seed {found['seed']}{use} from {found['first']} on"
    )
    begun = "scores drawn" if found["scores"] == "drawn" else "from 0 : 0"
    yield f"rules {found['rules']}, {begun}"


def _result(found: dict[str, Any]) -> Iterator[str]:
    yield _row("A ahead, points a hand", spoken(_estimate(found["points_a_hand"])), "each bag at what it costs")
    yield _row("", spoken(_estimate(found["raw_points_a_hand"])), "as the rules write them down")
    if found["games_won"] is not None:
        yield _row("Games that A won", spoken(_estimate(found["games_won"]), share=True), "of those that ended")


def _estimate(found: dict[str, Any] | None) -> Estimate | None:
    return None if found is None else Estimate(found["mean"], found["range"])


def _sides(found: dict[str, Any]) -> Iterator[str]:
    a, b = found["sides"]["a"], found["sides"]["b"]
    yield _row("", "A", "B")
    yield _row("Bid of a side", *(_decimals(side["bid"]) for side in (a, b)))
    yield _row("Tricks beyond the bid", *(_decimals(side["tricks_beyond_bid"], "+.2f") for side in (a, b)))
    yield _row("Contracts made", *(_percent(side["contracts_made"]) for side in (a, b)))
    yield _row("Contracts set", *(_percent(_rest(side["contracts_made"])) for side in (a, b)))
    yield _row("Bags a hand", *(_decimals(side["bags"]) for side in (a, b)))
    for which, label in (("nils", "Nils"), ("blind_nils", "Blind nils")):
        if which == "blind_nils" and not a[which]["tried"] + b[which]["tried"]:
            continue
        yield _row(f"{label} a side-hand", *(_decimals(side[which]["a_side_hand"], ".3f") for side in (a, b)))
        yield _row(f"{label} tried, made, set", *(_tried(side[which]) for side in (a, b)))


def _tried(nils: dict[str, Any]) -> str:
    made = "" if nils["share_made"] is None else f" ({100 * nils['share_made']:.0f} %)"
    return f"{nils['tried']}, {nils['made']}{made}, {nils['set']}"


def _times(found: dict[str, Any]) -> Iterator[str]:
    yield f"{'Milliseconds a decision':<{LABEL}}{'mean':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>10}"
    for times in found["times"]:
        label = f"{times['bot']}, {times['kind']} ({times['decisions']})"
        cells = "".join(f"{times[which]:>9.3f}" for which in ("mean", "p50", "p95", "p99"))
        yield f"{label:<{LABEL}}{cells}{times['max']:>10.2f}"


def _faults(match: Match, found: dict[str, Any]) -> Iterator[str]:
    decisions = sum(times["decisions"] for times in found["times"])
    if not found["faults"]:
        yield f"Illegal moves: 0, exceptions: 0, in {decisions} decisions"
    for fault in found["faults"]:
        yield f"{fault['bot']}: {fault['count']} times {_WHAT[fault['what']]}, in {decisions} decisions of all"
    for fault in found["named_faults"]:
        again = " (sides swapped)" if fault["swapped"] else ""
        where = f"{match.unit} {fault['number']}{again}, hand {fault['hand']}, seat {fault['seat']}"
        yield f"  {where}, {fault['kind']}: {fault['text']}"
    if found["named_faults"]:
        yield f"One of these again: the same words with --first NUMBER --{match.unit}s 1"


_WHAT = {"illegal": "an illegal move", "exception": "an exception"}


def _row(label: str, *cells: str) -> str:
    return (f"{label:<{LABEL}}" + "".join(f"{cell:<{CELL}}" for cell in cells)).rstrip()


def _decimals(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else format(value, form).replace("-", "−")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share
