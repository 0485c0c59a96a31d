"""What the trials of a bot come to: each never with its figure, its bound, and whether it was held."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from textwrap import wrap

from server.arena.measure import WIDTH, fault_figures, fault_named
from server.arena.nevers import BEYOND, MOST_SETS_MORE, NEVERS, Never
from server.arena.seeds import is_for_reporting
from server.arena.trials import Found

PAGE = 110


@dataclass(frozen=True, slots=True)
class Verdict:
    """`value`, known to `range`, is None where there was no chance to see it; then nothing is said about it."""

    letter: str
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
    letter, sentence, sums, examples = never.letter, never.sentence, found.sums, found.examples.get(never.letter, [])
    if letter == "a":
        (beside, sets), (without, usual) = (
            (sums[f"contracts with {nils} nils"], sums[f"set with {nils} nils"]) for nils in (1, 0)
        )
        more = sets / beside - usual / without if beside and without else None
        spread = _spread(sets, beside) + _spread(usual, without)
        return Verdict("a", sentence, beside, sets, more, WIDTH * sqrt(spread), -1.0, MOST_SETS_MORE, examples)
    if letter == "e":
        sides = sums["sides"]
        mean = sums["beyond"] / sides if sides else None
        spread = (sums["beyond, squared"] / sides - (mean or 0) ** 2) / sides if sides else 0.0
        return Verdict("e", sentence, sides, 0, mean, WIDTH * sqrt(spread), *BEYOND, examples)
    chances, done = found.chances[letter], found.done[letter]
    assert never.most is not None
    share = done / chances if chances else None
    return Verdict(
        letter, sentence, chances, done, share, WIDTH * sqrt(_spread(done, chances)), 0.0, never.most, examples
    )


def _spread(part: int, whole: int) -> float:
    """The variance of a share."""
    return part / whole * (1 - part / whole) / whole if whole else 0.0


def all_held(found: Found) -> bool:
    return all(verdict.held is not False for verdict in verdicts(found)) and not found.tally.faults


def as_json(bot: str, seed: str, hands: int, found: Found) -> str:
    return json.dumps(
        {
            "bot": bot,
            "seed": seed,
            "for_reporting": is_for_reporting(seed),
            "hands": hands,
            "held": all_held(found),
            "nevers": [{**asdict(verdict), "held": verdict.held} for verdict in verdicts(found)],
            "faults": fault_figures(found.tally.faults),
            "named_faults": [fault_named(fault) for fault in found.tally.named],
        },
        indent=2,
    )


def as_text(bot: str, seed: str, hands: int, found: Found) -> str:
    use = "" if is_for_reporting(seed) else " (for tuning, not for reporting)"
    lines = [f"What {bot} never does, over {hands} hands with itself; seed {seed}{use}", ""]
    lines.append(f"{'':<8}{'chances':>9}{'done':>8}{'measured':>17}   {'bound':<17}")
    for verdict in verdicts(found):
        lines += _told(verdict)
    for fault in fault_figures(found.tally.faults):
        lines.append(f"{fault['count']} times {'an illegal move' if fault['what'] == 'illegal' else 'an exception'}")
    lines += [f"  {fault.kind} of seat {fault.seat}, trial {fault.number}: {fault.text}" for fault in found.tally.named]
    lines.append("All of it was held." if all_held(found) else "Not all of it was held.")
    return "\n".join(lines) + "\n"


def _told(verdict: Verdict) -> Iterator[str]:
    held = {True: "held", False: "NOT HELD", None: "no chance"}[verdict.held]
    yield (
        f"{verdict.letter:<8}{verdict.chances:>9}{verdict.done:>8}{_value(verdict):>17}   {bound(verdict):<17}{held}"
    )
    yield from wrap(verdict.sentence, PAGE, initial_indent=" " * 8, subsequent_indent=" " * 8)
    if verdict.held is False:
        yield from (f"        in trial {example}" for example in verdict.examples)


def _value(verdict: Verdict) -> str:
    if verdict.value is None:
        return "–"
    if verdict.letter == "e":
        text = f"{verdict.value:+.2f} ± {verdict.range:.2f}"
    else:
        text = f"{100 * verdict.value:.2f} % ± {100 * verdict.range:.1f}"
    return text.replace("-", "−")


def bound(verdict: Verdict) -> str:
    match verdict.letter:
        case "a":
            return f"at most +{100 * verdict.most:.0f} %"
        case "e":
            return f"{verdict.least} to +{verdict.most}".replace("-", "−")
        case _:
            return "none" if verdict.most == 0 else f"at most {100 * verdict.most:g} %"
