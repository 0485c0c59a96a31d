"""What is counted and measured while a server runs, each thing declared once; `text` is what a Prometheus reads."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_registry = CollectorRegistry()

TABLES = Gauge("spades_tables", "TableRegistry in the memory of this process.", registry=_registry)
CONNECTIONS = Gauge("spades_connections", "Connections of players.", registry=_registry)
DECISIONS = Counter("spades_bot_decisions", "Bids, cards and passes of bots.", ["level"], registry=_registry)
WAITING_THOUGHTS = Gauge("spades_expert_waiting", "Decisions of experts that wait for a thinker.", registry=_registry)
THINKING_SECONDS = Histogram(
    "spades_expert_thinking_seconds",
    "How long a thinker took for the decision of an expert.",
    buckets=(0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0),
    registry=_registry,
)
FALLBACKS = Counter(
    "spades_expert_fallbacks", "Decisions of experts that hard made, as no thought was ready.", registry=_registry
)
CANCELLED = Counter(
    "spades_expert_cancelled", "Thoughts of experts given up as the table moved on.", registry=_registry
)
THINKERS_DIED = Counter("spades_thinkers_died", "Processes that died, or hung, thinking.", registry=_registry)


class _Labelled:
    """Everything, with labels, and without the samples that only say since when something is counted."""

    def __init__(self, labels: dict[str, str]) -> None:
        self._labels = labels

    def collect(self) -> Iterator[Metric]:
        for metric in _registry.collect():
            kept = [each for each in metric.samples if not each.name.endswith("_created")]
            metric.samples = [each._replace(labels={**each.labels, **self._labels}) for each in kept]
            yield metric


def text(worker: int | None) -> bytes:
    """`worker` is the number of this process among several, any of which may be the one that is asked."""
    return generate_latest(_Labelled({} if worker is None else {"worker": str(worker)}))
