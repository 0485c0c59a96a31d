"""The ladder: every level against the one below it, down to random."""

import json
from itertools import pairwise
from typing import Any

from arena.match import Match
from arena.measure import points_a_hand
from arena.players import RANDOM
from arena.report import figures, spoken
from arena.run import Asked, measured
from server.cli.output import put_out
from spades_core.bots import LEVELS

RUNGS = (RANDOM, *LEVELS)
WIDTHS = (22, 18, 12, 8, 18, 16)


def climb(seed: str, asked: Asked) -> bool:
    """Plays and prints; whether to the end. Raises CannotPrint."""
    rungs: list[dict[str, Any]] = []
    lines = [_line("A - B", "A ahead, a hand", "contracts", "bags", "nils (made)", "ms a card, p95")]
    for below, above in pairwise(RUNGS):
        match = Match(above, below, seed)
        tally, complete = measured(match, asked)
        found = figures(match, asked.first, asked.pairs, tally)
        if tally.pairs:
            rungs.append(found)
            lines.append(_rung(found, spoken(points_a_hand(tally.pairs))))
        if not complete:
            break
    stopped = "" if complete else ", stopped before the end"
    lines.append(f"{asked.pairs} deals each, played twice with sides swapped{stopped}; seed {seed}; what A did")
    put_out(json.dumps(rungs, indent=2) + "\n" if asked.as_json else "\n".join(lines) + "\n", "the ladder")
    return complete


def _rung(found: dict[str, Any], ahead: str) -> str:
    side = found["sides"]["a"]
    nils, contracts = side["nils"], side["contracts_made"]
    slowest = next(each["p95"] for each in found["times"] if (each["bot"], each["kind"]) == (found["a"], "card"))
    made = "" if nils["share_made"] is None else f" ({100 * nils['share_made']:.0f} %)"
    return _line(
        f"{found['a']} - {found['b']}",
        ahead,
        "–" if contracts is None else f"{100 * contracts:.1f} %",
        f"{side['bags']:.2f}",
        f"{nils['a_side_hand']:.2f}{made}",
        f"{slowest:.2f}",
    )


def _line(*cells: str) -> str:
    return "".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
