"""Those who think for experts, without a process: at once, or in virtual time."""

import asyncio
from random import Random

from server.thinking.question import Choice, choose, options
from spades_core.bots.expert import Expert
from spades_core.views import SeatView

FEW_WORLDS = Expert(4)


class AtOnce:
    """The event loop waits for it: for tests only."""

    def ask(self, view: SeatView, seed: int, _until: float) -> asyncio.Future[Choice | None]:
        answer = asyncio.get_running_loop().create_future()
        answer.set_result(choose(FEW_WORLDS, view, Random(seed)))
        return answer


class Slow:
    """Answers after some seconds, from `least` to `most`, with any option at all; remembers what it was asked."""

    def __init__(self, least: float, most: float, chance: Random) -> None:
        self._least, self._most, self._chance = least, most, chance
        self.asked: list[tuple[SeatView, asyncio.Future[Choice | None]]] = []

    def ask(self, view: SeatView, seed: int, _until: float) -> asyncio.Future[Choice | None]:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        choice = Random(seed).choice(options(view))
        loop.call_later(self._chance.uniform(self._least, self._most), _tell, answer, choice)
        self.asked.append((view, answer))
        return answer


def _tell(answer: asyncio.Future[Choice | None], choice: Choice) -> None:
    if not answer.done():
        answer.set_result(choice)
