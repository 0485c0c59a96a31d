"""Expert pools without processes, for tests: instant, in virtual time, or answered by the test."""

import asyncio
from dataclasses import dataclass
from random import Random

from server import metrics
from spades_core.bots.decisions import Decision, choose, legal_decisions
from spades_core.bots.levels.expert import Expert
from spades_core.views import SeatView

FAST_EXPERT = Expert(4)


class InstantPool:
    """Decides at once, in the event loop."""

    def request(self, view: SeatView, seed: int, _deadline: float) -> asyncio.Future[Decision | None]:
        answer = asyncio.get_running_loop().create_future()
        answer.set_result(choose(FAST_EXPERT, view, Random(seed)))
        return answer


class SlowPool:
    """Makes a random legal decision after `least` to `most` seconds."""

    def __init__(self, least: float, most: float, rng: Random) -> None:
        self._least, self._most, self._rng = least, most, rng

    def request(self, view: SeatView, seed: int, _deadline: float) -> asyncio.Future[Decision | None]:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        choice = Random(seed).choice(legal_decisions(view))
        loop.call_later(self._rng.uniform(self._least, self._most), _tell, answer, choice)
        return answer


def _tell(answer: asyncio.Future[Decision | None], choice: Decision) -> None:
    if not answer.done():
        answer.set_result(choice)


@dataclass(frozen=True, slots=True)
class ManualRequest:
    view: SeatView
    deadline: float
    answer: asyncio.Future[Decision | None]


class ManualPool:
    """Records the requests and leaves the answers to the test."""

    def __init__(self) -> None:
        self.requests: list[ManualRequest] = []
        self._has_request = asyncio.Event()

    async def first_request(self) -> ManualRequest:
        await self._has_request.wait()
        return self.requests[0]

    def request(self, view: SeatView, _seed: int, deadline: float) -> asyncio.Future[Decision | None]:
        answer = asyncio.get_running_loop().create_future()
        self.requests.append(ManualRequest(view, deadline, answer))
        self._has_request.set()
        return answer


def metric_value(name: str) -> float:
    """Return the value of a metric without labels."""
    value = metrics._registry.get_sample_value(name)
    assert value is not None
    return value
