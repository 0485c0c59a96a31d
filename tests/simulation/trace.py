"""The events of a run, in order: printed when a check fails, and hashed to compare two runs."""

from collections import Counter
from hashlib import sha256
from typing import Any

from tests.simulation.virtual_time import VirtualClock


class Trace:
    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._entries: list[tuple[Any, ...]] = []
        self.faults: Counter[str] = Counter()

    def add(self, *entry: Any) -> None:
        self._entries.append((self._clock.now, *entry))

    def fault(self, kind: str, *entry: Any) -> None:
        self.faults[kind] += 1
        self.add("FAULT", kind, *entry)

    def lines(self) -> list[str]:
        return [f"{at:8.3f}  " + "  ".join(map(str, entry)) for at, *entry in self._entries]

    def digest(self) -> str:
        return sha256("\n".join(map(repr, self._entries)).encode()).hexdigest()
