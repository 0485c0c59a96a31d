"""What the trials of a bot come to: each never with its figure, its bound, and whether it was held."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from textwrap import wrap

from arena.measure import WIDTH, fault_figures, fault_named
from arena.nevers import BEYOND, MOST_SETS_MORE, NEVERS, Never
from arena.seeds import is_for_reporting
from arena.trials import Found

PAGE, INDENT = 110, " " * 7


@dataclass(frozen=True, slots=True)
class Verdict:
    """`value`, known to `range`, is None where there was no chance to see it; then nothing is said about it."""

    letter: str
    title: str
    sentence: str
    chances: int
    done: int
    value: float | None
    range: float
    least: float
    most: float
    examples: list[str]

    @property
    def held(self) -> bool | None:
        return None if self.value is None else self.least <= self.value <= self.most


def verdicts(found: Found) -> list[Verdict]:
    return [_verdict(never, found) for never in NEVERS]


def _verdict(never: Never, found: Found) -> Verdict:
    chances, done, value, spread, (least, most) = _measured(never, found)
    examples = found.examples.get(never.letter, [])
    spread = WIDTH * sqrt(spread)
    return Verdict(never.letter, never.title, never.sentence, chances, done, value, spread, least, most, examples)


def _measured(never: Never, found: Found) -> tuple[int, int, float | None, float, tuple[float, float]]:
    """Chances and how often they were used, the figure that is bounded and its variance, and the bounds."""
    sums = found.sums
    if never.letter == "a":
        (beside, sets), (without, usual) = (
            (sums[f"contracts with {nils} nils"], sums[f"set with {nils} nils"]) for nils in (1, 0)
        )
        more = sets / beside - usual / without if beside and without else None
        return beside, sets, more, _spread(sets, beside) + _spread(usual, without), (-1.0, MOST_SETS_MORE)
    if never.letter == "e":
        sides = sums["sides"]
        mean = sums["beyond"] / sides if sides else None
        spread = (sums["beyond, squared"] / sides - (mean or 0) ** 2) / sides if sides else 0.0
        return sides, 0, mean, spread, BEYOND
    chances, done = found.chances[never.letter], found.done[never.letter]
    assert never.most is not None
    return chances, done, done / chances if chances else None, _spread(done, chances), (0.0, never.most)


def _spread(part: int, whole: int) -> float:
    """The variance of a share."""
    return part / whole * (1 - part / whole) / whole if whole else 0.0


def all_held(found: Found) -> bool:
    return all(verdict.held is not False for verdict in verdicts(found)) and not found.tally.faults


def as_json(bot: str, seed: str, hands: int, found: Found, asked: int) -> str:
    return json.dumps(
        {
            "bot": bot,
            "seed": seed,
            "for_reporting": is_for_reporting(seed),
            "hands": hands,
            "asked": asked,
            "tried": found.trials,
            "held": all_held(found),
            "nevers": [{**asdict(verdict), "held": verdict.held} for verdict in verdicts(found)],
            "faults": fault_figures(found.tally.faults),
            "named_faults": [fault_named(fault) for fault in found.tally.named],
        },
        indent=2,
    )


def as_text(bot: str, seed: str, hands: int, found: Found, asked: int) -> str:
    """Of `asked` trials; those that were not held are told with what a bot never does, and where it did."""
    lines = [f"What {bot} never does, over {hands} hands with itself; seed {_use(seed)}", ""]
    lines.append(f"{'':<7}{'':<30}{'could':>8}{'did':>8}{'how often':>17}   allowed")
    for verdict in verdicts(found):
        lines += _told(verdict)
    return "\n".join([*lines, "", *_faults(found), *_ending(found, asked)]) + "\n"


def _use(seed: str) -> str:
    return seed if is_for_reporting(seed) else f"{seed} (for tuning, not for reporting)"


def _told(verdict: Verdict) -> Iterator[str]:
    held = {True: "held", False: "NOT HELD", None: "no chance"}[verdict.held]
    told = f"{verdict.letter:<7}{verdict.title:<30}{verdict.chances:>8}{verdict.done:>8}"
    yield f"{told}{_value(verdict):>17}   {bound(verdict):<13} {held}"
    if verdict.held is False:
        yield from wrap(verdict.sentence, PAGE, initial_indent=INDENT, subsequent_indent=INDENT)
        yield from (f"{INDENT}in trial {example}" for example in verdict.examples)


def _faults(found: Found) -> Iterator[str]:
    for fault in fault_figures(found.tally.faults):
        yield f"{fault['count']} times {'an illegal move' if fault['what'] == 'illegal' else 'an exception'}"
    for named in found.tally.named:
        yield f"  {named.kind} of seat {named.seat}, trial {named.number}: {named.text}"


def _ending(found: Found, asked: int) -> Iterator[str]:
    if found.trials < asked:
        yield f"It was stopped after {found.trials} of {asked} trials."
    unseen = [verdict.letter for verdict in verdicts(found) if verdict.held is None]
    if unseen:
        yield f"There was no chance to see {', '.join(unseen)}: more hands would bring one."
    if not all_held(found):
        yield "Not all of it was held."
    elif found.trials == asked:
        yield "All of it was held." if not unseen else "All else was held."
    yield "docs/bots.md tells what each of them means."


def _value(verdict: Verdict) -> str:
    if verdict.value is None:
        return "–"
    if verdict.letter == "e":
        text = f"{verdict.value:+.2f} ± {verdict.range:.2f}"
    elif verdict.value == 0:
        text = "0 %"
    else:
        text = f"{100 * verdict.value:.2f} % ± {100 * verdict.range:.1f}"
    return text.replace("-", "−")


def swaps_as_json(bot: str, seed: str, positions: int, found: Found) -> str:
    return json.dumps(
        {
            "bot": bot,
            "seed": seed,
            "for_reporting": is_for_reporting(seed),
            "asked": positions,
            "positions": found.chances["unseen"],
            "chose_otherwise": found.done["unseen"],
            "examples": found.examples.get("unseen", []),
            "faults": fault_figures(found.tally.faults),
            "named_faults": [fault_named(fault) for fault in found.tally.named],
        },
        indent=2,
    )


def swaps_as_text(bot: str, seed: str, positions: int, found: Found) -> str:
    """Of trials of the swap alone."""
    compared, stopped = found.chances["unseen"], found.trials < positions
    lines = [
        f"{bot} with itself, every hand played again with cards it could not see dealt otherwise; seed {_use(seed)}",
        f"It chose otherwise in {found.done['unseen']} of {compared} positions.",
        *(f"  in trial {example}" for example in found.examples.get("unseen", [])),
        *_faults(found),
        *([f"It was stopped after {found.trials} of {positions} positions."] if stopped else []),
    ]
    return "\n".join(lines) + "\n"


def bound(verdict: Verdict) -> str:
    match verdict.letter:
        case "a":
            return f"at most +{100 * verdict.most:.0f} %"
        case "e":
            return f"{verdict.least} to +{verdict.most}".replace("-", "−")
        case _:
            return "none" if verdict.most == 0 else f"at most {100 * verdict.most:g} %"
