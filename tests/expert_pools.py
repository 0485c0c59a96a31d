"""Those who think for experts, without a process: at once, or in virtual time."""

import asyncio
from dataclasses import dataclass
from random import Random

from server import metrics
from spades_core.bots.decisions import Decision, choose, legal_decisions
from spades_core.bots.levels.expert import Expert
from spades_core.views import SeatView

FEW_WORLDS = Expert(4)


class AtOnce:
    """The event loop waits for it: for tests only."""

    def ask(self, view: SeatView, seed: int, _until: float) -> asyncio.Future[Decision | None]:
        answer = asyncio.get_running_loop().create_future()
        answer.set_result(choose(FEW_WORLDS, view, Random(seed)))
        return answer


class Slow:
    """Answers after some seconds, from `least` to `most`, with any option at all."""

    def __init__(self, least: float, most: float, rng: Random) -> None:
        self._least, self._most, self._rng = least, most, rng

    def ask(self, view: SeatView, seed: int, _until: float) -> asyncio.Future[Decision | None]:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        choice = Random(seed).choice(legal_decisions(view))
        loop.call_later(self._rng.uniform(self._least, self._most), _tell, answer, choice)
        return answer


def _tell(answer: asyncio.Future[Decision | None], choice: Decision) -> None:
    if not answer.done():
        answer.set_result(choice)


@dataclass(frozen=True, slots=True)
class Asked:
    view: SeatView
    until: float
    answer: asyncio.Future[Decision | None]


class Mute:
    """Writes down what it is asked, and leaves the answer to the test."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._is_asked = asyncio.Event()

    async def first(self) -> Asked:
        await self._is_asked.wait()
        return self.asked[0]

    def ask(self, view: SeatView, _seed: int, until: float) -> asyncio.Future[Decision | None]:
        answer = asyncio.get_running_loop().create_future()
        self.asked.append(Asked(view, until, answer))
        self._is_asked.set()
        return answer


def counted(name: str) -> float:
    """What a metric without labels says now."""
    value = metrics._registry.get_sample_value(name)
    assert value is not None
    return value
