"""What the trials of a bot come to: each never with its figure, its bound, and whether it was held."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from textwrap import wrap

from server.arena.measure import fault_figures, fault_named
from server.arena.nevers import BEYOND, MOST_SETS_MORE, NEVERS, Never
from server.arena.seeds import is_for_reporting
from server.arena.trials import Found

WIDTH = 110


@dataclass(frozen=True, slots=True)
class Verdict:
    """`value` is None where there was no chance to see it; then nothing is said about it."""

    letter: str
    sentence: str
    chances: int
    done: int
    value: float | None
    least: float
    most: float
    examples: list[str]

    @property
    def held(self) -> bool | None:
        return None if self.value is None else self.least <= self.value <= self.most


def verdicts(found: Found) -> list[Verdict]:
    return [_verdict(never, found) for never in NEVERS]


def _verdict(never: Never, found: Found) -> Verdict:
    examples = found.examples.get(never.letter, [])
    sums = found.sums
    if never.letter == "a":
        with_nil, without = (sums[f"contracts with {nils} nils"] for nils in (1, 0))
        sets = sums["set with 1 nils"]
        more = sets / with_nil - sums["set with 0 nils"] / without if with_nil and without else None
        return Verdict("a", never.sentence, with_nil, sets, more, -1.0, MOST_SETS_MORE, examples)
    if never.letter == "e":
        sides = sums["sides"]
        mean = sums["beyond"] / sides if sides else None
        return Verdict("e", never.sentence, sides, 0, mean, *BEYOND, examples)
    chances, done = found.chances[never.letter], found.done[never.letter]
    assert never.most is not None
    share = done / chances if chances else None
    return Verdict(never.letter, never.sentence, chances, done, share, 0.0, never.most, examples)


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
    lines.append(f"{'':<8}{'chances':>9}{'done':>8}{'measured':>11}   {'bound':<17}")
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
        f"{verdict.letter:<8}{verdict.chances:>9}{verdict.done:>8}{_value(verdict):>11}   {bound(verdict):<17}{held}"
    )
    yield from wrap(verdict.sentence, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    if verdict.held is False:
        yield from (f"        in trial {example}" for example in verdict.examples)


def _value(verdict: Verdict) -> str:
    if verdict.value is None:
        return "–"
    text = f"{verdict.value:+.2f}" if verdict.letter == "e" else f"{100 * verdict.value:.2f} %"
    return text.replace("-", "−")


def bound(verdict: Verdict) -> str:
    match verdict.letter:
        case "a":
            return f"at most +{100 * verdict.most:.0f} %"
        case "e":
            return f"{verdict.least} to +{verdict.most}".replace("-", "−")
        case _:
            return "none" if verdict.most == 0 else f"at most {100 * verdict.most:g} %"
