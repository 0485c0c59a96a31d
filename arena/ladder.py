"""The ladder: a match of every level against the one below it, down to the random bot."""

from itertools import pairwise
from typing import Any

from arena.match import Match, play_match
from arena.players import RANDOM
from arena.report import format_figure, match_figures, share_made
from spades_core.bots import LEVELS

RUNGS = (RANDOM, *LEVELS)
WIDTHS = (22, 18, 12, 8, 18, 18)


def play_ladder(seed: str, deals: int, processes: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the figures of each match, and whether all were played to the end."""
    rungs: list[dict[str, Any]] = []
    for below, above in pairwise(RUNGS):
        match = Match(above, below, seed)
        stats, complete = play_match(match, 0, deals, processes)
        if stats.pairs:
            rungs.append(match_figures(match, 0, deals, stats))
        if not complete:
            return rungs, False
    return rungs, True


def ladder_text(rungs: list[dict[str, Any]], seed: str, deals: int, *, complete: bool) -> str:
    """Format the figures of a ladder as a table."""
    lines = [_line("A - B", "lead per hand", "contracts", "bags", "nils (made)", "ms per card, p95")]
    lines += map(_rung, rungs)
    interrupted = "" if complete else ", interrupted"
    lines.append(
        f"{deals} deals each, played twice with sides swapped{interrupted}; seed {seed}; figures are those of A"
    )
    return "\n".join(lines) + "\n"


def _rung(figures: dict[str, Any]) -> str:
    team, bot = figures["teams"]["a"], figures["a"]
    contracts = team["contracts_made"]
    p95 = next(each["p95"] for each in figures["latencies"] if (each["bot"], each["kind"]) == (bot, "card"))
    return _line(
        f"{bot} - {figures['b']}",
        format_figure(figures["points_per_hand"]),
        "–" if contracts is None else f"{100 * contracts:.1f} %",
        f"{team['bags']:.2f}",
        f"{team['nils']['per_hand']:.2f}{share_made(team['nils'])}",
        f"{p95:.2f}",
    )


def _line(*cells: str) -> str:
    return "".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
