"""The metrics of a server, and their exposition in the text format of Prometheus."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_registry = CollectorRegistry()

TABLES = Gauge("spades_tables", "Tables in the memory of this process.", registry=_registry)
CONNECTIONS = Gauge("spades_connections", "Connections of players.", registry=_registry)
BOT_DECISIONS = Counter("spades_bot_decisions", "Bids, cards and passes of bots.", ["level"], registry=_registry)
EXPERT_QUEUE = Gauge(
    "spades_expert_queue_length", "Decisions of experts that wait for an expert worker.", registry=_registry
)
EXPERT_DECISION_SECONDS = Histogram(
    "spades_expert_decision_seconds",
    "Time an expert worker took for a decision.",
    buckets=(0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0),
    registry=_registry,
)
EXPERT_FALLBACKS = Counter(
    "spades_expert_fallbacks", "Decisions of experts made by hard, as none was ready in time.", registry=_registry
)
EXPERT_CANCELLED = Counter(
    "spades_expert_cancelled", "Decisions of experts cancelled as the table changed.", registry=_registry
)
EXPERT_WORKER_DEATHS = Counter(
    "spades_expert_worker_deaths", "Expert workers that died or were killed as they hung.", registry=_registry
)


class _Labelled:
    """All metrics with labels added, without the samples that give the creation time."""

    def __init__(self, labels: dict[str, str]) -> None:
        self._labels = labels

    def collect(self) -> Iterator[Metric]:
        for metric in _registry.collect():
            kept = [each for each in metric.samples if not each.name.endswith("_created")]
            metric.samples = [each._replace(labels={**each.labels, **self._labels}) for each in kept]
            yield metric


def text(worker: int | None) -> bytes:
    """Return all metrics of this process; `worker`, its number among several, labels every sample."""
    return generate_latest(_Labelled({} if worker is None else {"worker": str(worker)}))
