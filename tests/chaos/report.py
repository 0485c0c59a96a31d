"""The report of a run as text."""

from collections import Counter
from collections.abc import Iterator

from spades_core.events import GameEnded
from tests.chaos.run import Report

COUNTED = ("lost", "doubled", "out of order")
LOG_EVENTS = (
    "another server was first",
    "could not do what was due",
    "saving paused",
    "wake-ups interrupted",
    "store failed",
)


def lines(report: Report) -> Iterator[str]:
    plan, history = report.plan, report.history
    commits = [entry.commit for entries in history.logs.values() for entry in entries]
    kinds = Counter(violation.kind for violation in report.violations)
    yield f"{plan.seconds:g} s, {plan.tables} tables, {plan.servers} servers, seed {plan.seed}"
    yield _counted(dict(sorted(report.faults.items())))
    yield _counted(
        {
            "requests sent": len(history.requests),
            "acknowledged": sum(record.acknowledged for record in history.requests),
            "refused": sum(record.refusal is not None for record in history.requests),
            "commits": len(commits),
            "updates received": sum(len(stream.updates) for stream in history.streams),
            "fresh": sum(update.fresh for stream in history.streams for update in stream.updates),
            "snapshots": sum(entry.snapshot is not None for entries in history.logs.values() for entry in entries),
            "games finished": sum(isinstance(event, GameEnded) for commit in commits for event in commit.events),
        }
    )
    yield "logged by servers: " + _counted({event: report.log_events[event] for event in LOG_EVENTS})
    yield _counted({kind: kinds.pop(kind, 0) for kind in COUNTED} | kinds)
    if report.violations:
        yield f"First of {len(report.violations)}: {report.violations[0]}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
