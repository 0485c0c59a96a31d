"""Results of the scenarios: the figure of each blunder against its bound, as text and for JSON."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from textwrap import wrap
from typing import Any

from arena.blunders.catalog import BLUNDERS, MAX_EXTRA_SETS, TRICKS_BEYOND_BID, Blunder
from arena.blunders.scenarios import BlunderCounts
from arena.report import FAULTS, describe_seed
from arena.sampling import is_for_reporting
from arena.stats import Z, fault_figures

WIDTH, INDENT = 110, " " * 7


@dataclass(frozen=True, slots=True)
class BlunderResult:
    """A figure with its margin of error and its bounds; `value` is None without an opportunity."""

    key: str
    title: str
    rule: str
    opportunities: int
    occurrences: int
    value: float | None
    margin: float
    low: float
    high: float
    examples: list[str]

    @property
    def passed(self) -> bool | None:
        return None if self.value is None else self.low <= self.value <= self.high


def blunder_results(counts: BlunderCounts) -> list[BlunderResult]:
    return [_result(blunder, counts) for blunder in BLUNDERS]


def _result(blunder: Blunder, counts: BlunderCounts) -> BlunderResult:
    opportunities, occurrences, value, variance, (low, high) = _measure(blunder, counts)
    examples = counts.examples.get(blunder.key, [])
    margin = Z * sqrt(variance)
    return BlunderResult(
        blunder.key, blunder.title, blunder.rule, opportunities, occurrences, value, margin, low, high, examples
    )


def _measure(blunder: Blunder, counts: BlunderCounts) -> tuple[int, int, float | None, float, tuple[float, float]]:
    """Return opportunities, occurrences, the bounded figure, its sampling variance, and its bounds."""
    sums = counts.sums
    if blunder.key == "a":
        (beside, beside_set), (without, without_set) = (
            (sums[f"contracts with {nils} nils"], sums[f"set with {nils} nils"]) for nils in (1, 0)
        )
        extra = beside_set / beside - without_set / without if beside and without else None
        variance = _variance(beside_set, beside) + _variance(without_set, without)
        return beside, beside_set, extra, variance, (-1.0, MAX_EXTRA_SETS)
    if blunder.key == "e":
        sides = sums["sides"]
        mean = sums["beyond"] / sides if sides else None
        variance = (sums["beyond, squared"] / sides - (mean or 0) ** 2) / sides if sides else 0.0
        return sides, 0, mean, variance, TRICKS_BEYOND_BID
    opportunities, occurrences = counts.opportunities[blunder.key], counts.occurrences[blunder.key]
    assert blunder.max_rate is not None
    rate = occurrences / opportunities if opportunities else None
    return opportunities, occurrences, rate, _variance(occurrences, opportunities), (0.0, blunder.max_rate)


def _variance(part: int, whole: int) -> float:
    """Return the sampling variance of a proportion."""
    return part / whole * (1 - part / whole) / whole if whole else 0.0


def all_passed(counts: BlunderCounts) -> bool:
    return all(result.passed is not False for result in blunder_results(counts)) and not counts.stats.faults


def blunder_figures(bot: str, seed: str, hands: int, requested: int, counts: BlunderCounts) -> dict[str, Any]:
    """Return the results of all scenarios, ready for JSON."""
    return {
        "bot": bot,
        "seed": seed,
        "for_reporting": is_for_reporting(seed),
        "hands": hands,
        "requested": requested,
        "trials": counts.trials,
        "passed": all_passed(counts),
        "blunders": [{**asdict(result), "passed": result.passed} for result in blunder_results(counts)],
        **fault_figures(counts.stats),
    }


def blunder_text(bot: str, seed: str, hands: int, requested: int, counts: BlunderCounts) -> str:
    """Format the results as a table; a failed blunder is followed by its rule and by examples."""
    lines = [f"Blunders of {bot} in {hands} hands with itself and in staged ones; seed {describe_seed(seed)}", ""]
    lines.append(f"{'':<7}{'':<30}{'chances':>8}{'made':>8}{'rate':>17}   bound")
    for result in blunder_results(counts):
        lines += _rows(result)
    return "\n".join([*lines, "", *_faults(counts), *_conclusion(counts, requested)]) + "\n"


def _rows(result: BlunderResult) -> Iterator[str]:
    passed = {True: "passed", False: "FAILED", None: "no data"}[result.passed]
    row = f"{result.key:<7}{result.title:<30}{result.opportunities:>8}{result.occurrences:>8}"
    yield f"{row}{_value(result):>17}   {bound(result):<13} {passed}"
    if result.passed is False:
        yield from wrap(result.rule, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
        yield from (f"{INDENT}in trial {example}" for example in result.examples)


def _faults(counts: BlunderCounts) -> Iterator[str]:
    for (_, what), count in sorted(counts.stats.faults.items()):
        yield f"{FAULTS[what]}: {count}"
    for fault in counts.stats.fault_examples:
        yield f"  trial {fault.number}, seat {fault.seat}, {fault.kind}: {fault.text}"


def _conclusion(counts: BlunderCounts, requested: int) -> Iterator[str]:
    if counts.trials < requested:
        yield f"Interrupted after {counts.trials} of {requested} trials."
    no_data = [result.key for result in blunder_results(counts) if result.passed is None]
    if no_data:
        yield f"No opportunity for {', '.join(no_data)}: run more hands."
    if not all_passed(counts):
        yield "Not all passed."
    elif counts.trials == requested:
        yield "All others passed." if no_data else "All passed."
    yield "docs/bots.md explains each of them."


def _value(result: BlunderResult) -> str:
    if result.value is None:
        return "–"
    if result.key == "e":
        text = f"{result.value:+.2f} ± {result.margin:.2f}"
    elif result.value == 0:
        text = "0 %"
    else:
        text = f"{100 * result.value:.2f} % ± {100 * result.margin:.1f}"
    return text.replace("-", "−")


def bound(result: BlunderResult) -> str:
    match result.key:
        case "a":
            return f"at most +{100 * result.high:.0f} %"
        case "e":
            return f"{result.low} to +{result.high}".replace("-", "−")
        case _:
            return "none" if result.high == 0 else f"at most {100 * result.high:g} %"


def hidden_card_figures(bot: str, seed: str, requested: int, counts: BlunderCounts) -> dict[str, Any]:
    """Return the results of the hidden card test alone, ready for JSON."""
    return {
        "bot": bot,
        "seed": seed,
        "for_reporting": is_for_reporting(seed),
        "requested": requested,
        "positions": counts.opportunities["hidden"],
        "different": counts.occurrences["hidden"],
        "examples": counts.examples.get("hidden", []),
        **fault_figures(counts.stats),
    }


def hidden_card_text(bot: str, seed: str, requested: int, counts: BlunderCounts) -> str:
    lines = [
        f"Decisions of {bot} compared after redealing cards that it could not see; seed {describe_seed(seed)}",
        f"Different in {counts.occurrences['hidden']} of {counts.opportunities['hidden']} positions.",
        *(f"  in trial {example}" for example in counts.examples.get("hidden", [])),
        *_faults(counts),
        *([f"Interrupted after {counts.trials} of {requested} positions."] if counts.trials < requested else []),
    ]
    return "\n".join(lines) + "\n"
