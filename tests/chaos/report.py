"""The figures of a run, and what was wrong, for people."""

from collections import Counter
from collections.abc import Iterator

from spades_core.events import GameEnded
from tests.chaos.run import Report

COUNTED = ("lost", "doubled", "out of order")
SAID = (
    "another server was first",
    "could not do what was due",
    "saving paused",
    "wake-ups interrupted",
    "store failed",
)


def lines(report: Report) -> Iterator[str]:
    plan, facts = report.plan, report.facts
    commits = [entry.commit for entries in facts.journal.values() for entry in entries]
    kinds = Counter(violation.kind for violation in report.violations)
    yield f"{plan.seconds:g} s, {plan.tables} tables, {plan.servers} servers, seed {plan.seed}"
    yield _counted(dict(sorted(report.faults.items())))
    yield _counted(
        {
            "commands sent": len(facts.asked),
            "acknowledged": sum(one.acknowledged for one in facts.asked),
            "refused": sum(one.refused is not None for one in facts.asked),
            "commits": len(commits),
            "updates seen": sum(len(stream.seen) for stream in facts.streams),
            "fresh": sum(seen.fresh for stream in facts.streams for seen in stream.seen),
            "snapshots": sum(entry.snapshot is not None for entries in facts.journal.values() for entry in entries),
            "games finished": sum(isinstance(event, GameEnded) for commit in commits for event in commit.events),
        }
    )
    yield "the servers said: " + _counted({what: report.said[what] for what in SAID})
    yield _counted({kind: kinds.pop(kind, 0) for kind in COUNTED} | kinds)
    if report.violations:
        yield f"First of {len(report.violations)}: {report.violations[0]}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in counts.items())
