"""What who runs a server may choose: read once from the command line and the environment, then frozen."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs


class BadSetting(ValueError):
    """A setting that makes no sense; the text names it."""


MOST_WORKERS = 256
"""Beyond any machine's cores; each takes some 50 MB."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`redis` None means the embedded store in `data`. `pace` multiplies how long bots think and tricks rest.

    `workers` is the number of processes; one serves alone, more have a parent. `thinkers` is how many
    processes think for experts, all workers' together; None means as many as there are cores.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    redis: str | None = None
    data: Path = Path(platformdirs.user_data_dir("fourth-seat"))
    workers: int = 1
    thinkers: int | None = None
    log_level: str = "info"
    pace: float = 1.0
    away_seconds: float = 30.0
    requests_per_second: float = 5.0

    def __post_init__(self) -> None:
        _check_text("the host", self.host, "idna")
        _check_text("the data folder", str(self.data), "utf-8")
        if not 0 <= self.port <= 65535:
            raise BadSetting(f"the port is a number from 0 to 65535, not {self.port}")
        if not 1 <= self.workers <= MOST_WORKERS:
            raise BadSetting(f"the number of workers is from 1 to {MOST_WORKERS}, not {self.workers}")
        if self.thinkers is not None and not 1 <= self.thinkers <= MOST_WORKERS:
            raise BadSetting(f"the number of thinkers is from 1 to {MOST_WORKERS}, not {self.thinkers}")
        for name in ("pace", "away_seconds"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise BadSetting(f"SPADES_{name.upper()} is zero or more, not {getattr(self, name)}")
        if not self.requests_per_second > 0:
            raise BadSetting(f"SPADES_REQUESTS_PER_SECOND is above zero, not {self.requests_per_second}")

    @property
    def thinkers_each(self) -> int:
        """How many of the thinkers a worker may begin: its share, and one at least."""
        return max(1, (self.thinkers or _cores()) // self.workers)


def _cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_text(name: str, text: str, encoding: str) -> None:
    try:
        text.encode(encoding)
    except UnicodeError:
        raise BadSetting(f"{name} cannot be {ascii(text)[:80]}") from None


def number_from(environment: Mapping[str, str], name: str, default: float) -> float:
    """A number from the environment; raises BadSetting naming the variable."""
    text = environment.get(name, "")
    try:
        return float(text) if text else default
    except ValueError:
        raise BadSetting(f"{name} is a number, not {text[:24]!r}") from None
