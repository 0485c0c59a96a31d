"""The report of a match: figures for programs, a table for people."""

from collections.abc import Iterator
from typing import Any

from arena.match import Match
from arena.sampling import is_for_reporting
from arena.stats import (
    TEAMS,
    Estimate,
    Stats,
    fault_figures,
    format_estimate,
    games_won,
    latency_figures,
    points_per_hand,
    raw_points_per_hand,
    team_figures,
)

LABEL, CELL = 34, 24
FAULTS = {"illegal": "Illegal moves", "exception": "Exceptions"}


def match_figures(match: Match, first: int, requested: int, stats: Stats) -> dict[str, Any]:
    """Return everything that was measured, ready for JSON; None is a figure without data."""
    return {
        "a": match.a,
        "b": match.b,
        "seed": match.seed,
        "for_reporting": is_for_reporting(match.seed),
        "rules": "drawn" if match.rules is None else str(match.rules),
        "scores": "drawn" if match.drawn_scores else "zero",
        "sampling_unit": match.sampling_unit,
        "first": first,
        "requested": requested,
        "played": len(stats.pairs),
        "points_per_hand": _as_dict(points_per_hand(stats.pairs)),
        "raw_points_per_hand": _as_dict(raw_points_per_hand(stats.pairs)),
        "games_won": _as_dict(games_won(stats.pairs)),
        "teams": {team: team_figures(stats, team) for team in TEAMS},
        "latencies": latency_figures(stats),
        **fault_figures(stats),
    }


def _as_dict(estimate: Estimate | None) -> dict[str, float | None] | None:
    return None if estimate is None else {"mean": estimate.mean, "margin": estimate.margin}


def format_figure(figure: dict[str, Any] | None, *, share: bool = False) -> str:
    return format_estimate(None if figure is None else Estimate(**figure), share=share)


def match_text(figures: dict[str, Any]) -> str:
    """Format the figures of a match as a table."""
    if not figures["played"]:
        return f"No {figures['sampling_unit']} was finished.\n"
    parts = (_heading, _result, _teams, _latencies, _faults)
    return "\n\n".join("\n".join(part(figures)) for part in parts) + "\n"


def _heading(figures: dict[str, Any]) -> Iterator[str]:
    of_all = "" if figures["played"] == figures["requested"] else f" of {figures['requested']}"
    yield f"A: {figures['a']}    B: {figures['b']}"
    yield (
        f"{figures['played']}{of_all} {figures['sampling_unit']}s from number {figures['first']}, "
        f"each played twice with sides swapped; seed {describe_seed(figures['seed'])}"
    )
    yield f"rules {figures['rules']}, {'drawn scores' if figures['scores'] == 'drawn' else 'from 0 : 0'}"


def describe_seed(seed: str) -> str:
    return seed if is_for_reporting(seed) else f"{seed} (for tuning, not for reporting)"


def _result(figures: dict[str, Any]) -> Iterator[str]:
    yield _row("Lead of A, points per hand", format_figure(figures["points_per_hand"]), "bags at their long-run value")
    yield _row("", format_figure(figures["raw_points_per_hand"]), "as scored")
    if figures["games_won"] is not None:
        yield _row("Games won by A", format_figure(figures["games_won"], share=True), "of finished games")


def _teams(figures: dict[str, Any]) -> Iterator[str]:
    a, b = figures["teams"]["a"], figures["teams"]["b"]
    yield _row("", "A", "B")
    yield _row("Bid per side", *(_decimals(team["bid"]) for team in (a, b)))
    yield _row("Tricks beyond the bid", *(_decimals(team["tricks_beyond_bid"], "+.2f") for team in (a, b)))
    yield _row("Contracts made", *(_percent(team["contracts_made"]) for team in (a, b)))
    yield _row("Contracts set", *(_percent(_complement(team["contracts_made"])) for team in (a, b)))
    yield _row("Bags per hand", *(_decimals(team["bags"]) for team in (a, b)))
    for which, label in (("nils", "Nils"), ("blind_nils", "Blind nils")):
        if which == "blind_nils" and not a[which]["bid"] + b[which]["bid"]:
            continue
        yield _row(f"{label} per hand of a side", *(_decimals(team[which]["per_hand"], ".3f") for team in (a, b)))
        yield _row(f"{label} bid, made, set", *(_nils(team[which]) for team in (a, b)))


def _nils(nils: dict[str, Any]) -> str:
    return f"{nils['bid']}, {nils['made']}{share_made(nils)}, {nils['set']}"


def share_made(nils: dict[str, Any]) -> str:
    return "" if nils["share_made"] is None else f" ({100 * nils['share_made']:.0f} %)"


def _latencies(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{'Milliseconds per decision':<{LABEL}}{'mean':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>10}"
    for times in figures["latencies"]:
        label = f"{times['bot']}, {times['kind']} ({times['decisions']})"
        cells = "".join(f"{times[which]:>9.3f}" for which in ("mean", "p50", "p95", "p99"))
        yield f"{label:<{LABEL}}{cells}{times['max']:>10.2f}"


def _faults(figures: dict[str, Any]) -> Iterator[str]:
    decisions, unit = sum(times["decisions"] for times in figures["latencies"]), figures["sampling_unit"]
    if not figures["faults"]:
        yield f"Illegal moves: 0, exceptions: 0, in {decisions} decisions"
    for fault in figures["faults"]:
        yield f"{FAULTS[fault['what']]} of {fault['bot']}: {fault['count']}, in {decisions} decisions of all bots"
    for fault in figures["fault_examples"]:
        again = " (sides swapped)" if fault["swapped"] else ""
        where = f"{unit} {fault['number']}{again}, hand {fault['hand']}, seat {fault['seat']}"
        yield f"  {where}, {fault['kind']}: {fault['text']}"
    if figures["fault_examples"]:
        yield f"To reproduce one, repeat the command with --first NUMBER --{unit}s 1."


def _row(label: str, *cells: str) -> str:
    return (f"{label:<{LABEL}}" + "".join(f"{cell:<{CELL}}" for cell in cells)).rstrip()


def _decimals(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else format(value, form).replace("-", "−")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _complement(share: float | None) -> float | None:
    return None if share is None else 1 - share
