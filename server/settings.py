"""Operator settings, read once from the command line and the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs


class InvalidSetting(ValueError):
    """An invalid setting; the text names it."""


MAX_WORKERS = 256
"""More than any machine has cores; each takes some 50 MB."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server. Raises InvalidSetting.

    `redis` is the URL of the store; None means the embedded store in `data`. `workers` is the number of
    processes; more than one are supervised by a parent. `expert_workers` limits the processes for expert
    bots, all workers together; None means one per core. `pace` multiplies the pauses of bots and after tricks.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    redis: str | None = None
    data: Path = Path(platformdirs.user_data_dir("fourth-seat"))
    workers: int = 1
    expert_workers: int | None = None
    log_level: str = "info"
    pace: float = 1.0
    away_seconds: float = 30.0
    requests_per_second: float = 5.0

    def __post_init__(self) -> None:
        _check_text("the host", self.host, "idna")
        _check_text("the data folder", str(self.data), "utf-8")
        if not 0 <= self.port <= 65535:
            raise InvalidSetting(f"the port is a number from 0 to 65535, not {self.port}")
        if not 1 <= self.workers <= MAX_WORKERS:
            raise InvalidSetting(f"the number of workers is from 1 to {MAX_WORKERS}, not {self.workers}")
        if self.expert_workers is not None and not 1 <= self.expert_workers <= MAX_WORKERS:
            raise InvalidSetting(f"the number of expert workers is from 1 to {MAX_WORKERS}, not {self.expert_workers}")
        for name in ("pace", "away_seconds"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise InvalidSetting(f"SPADES_{name.upper()} is zero or more, not {getattr(self, name)}")
        if not self.requests_per_second > 0:
            raise InvalidSetting(f"SPADES_REQUESTS_PER_SECOND is above zero, not {self.requests_per_second}")

    @property
    def expert_workers_per_process(self) -> int:
        """The share of one worker: at least one expert worker."""
        return max(1, (self.expert_workers or usable_cores()) // self.workers)


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_text(name: str, text: str, encoding: str) -> None:
    try:
        text.encode(encoding)
    except UnicodeError:
        raise InvalidSetting(f"{name} cannot be {ascii(text)[:80]}") from None


def number_from(environment: Mapping[str, str], name: str, default: float) -> float:
    """Read a number from the environment. Raises InvalidSetting, naming the variable."""
    text = environment.get(name, "")
    try:
        return float(text) if text else default
    except ValueError:
        raise InvalidSetting(f"{name} is a number, not {text[:24]!r}") from None
