"""Bots by name: a level, `random`, or `module:name` for one's own; `hard+medium` for two who are partners.

`expert:40` imagines 40 worlds for a decision, `expert:150ms` as many as it can in that time.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any

from spades_core.bots import LEVELS, Bot
from spades_core.bots.levels.expert import Expert
from spades_core.cards import Card
from spades_core.views import SeatView

RANDOM, EXPERT = "random", "expert"
ENDLESS = 1_000_000
MODEST = (1, 2, 3, 4)
"""What the random bot bids where it may: any bid at all would make its partner's contract hopeless."""
DECISIONS = ("choose_bid", "choose_pass", "choose_card")
"""What a bot of one's own has to have; without `choose_blind` it looks at its hand before it bids."""


class NoSuchBot(Exception):
    """Why a name is no bot, in one sentence."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    bot: Bot


class RandomBot:
    """Bids one to four and plays any legal card: what every bot has to beat by far."""

    def choose_blind(self, _view: SeatView, _rng: Random) -> bool:
        return False

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        modest = [bid for bid in view.legal_bids if bid in MODEST]
        return rng.choice(modest or view.legal_bids)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        first, second = rng.sample(view.hand, 2)
        return first, second

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return rng.choice(view.legal_cards)


def partners_of(names: str) -> tuple[Player, Player]:
    """Who plays a side; raises NoSuchBot."""
    first, plus, second = names.partition("+")
    one = player_of(first)
    return one, player_of(second) if plus else one


def player_of(name: str) -> Player:
    """Raises NoSuchBot."""
    if name == RANDOM:
        return Player(name, RandomBot())
    if name in LEVELS:
        return Player(name, LEVELS[name])
    level, _, thought = name.partition(":")
    if level == EXPERT:
        return Player(name, _expert(thought))
    if ":" not in name:
        known = ", ".join((*LEVELS, RANDOM))
        raise NoSuchBot(f"there is no bot {name!r}; there is: {known}, or module:name for one of your own")
    return Player(name, _imported(name))


def _expert(thought: str) -> Bot:
    number = thought.removesuffix("ms")
    if not (number.isascii() and number.isdecimal() and len(number) < 8 and 0 < int(number) <= ENDLESS):
        raise NoSuchBot(
            "an expert has a number of worlds or of milliseconds, at most a million, as in expert:40 or"
            f" expert:150ms: {thought[:24]!r}"
        )
    return Expert(int(number)) if number == thought else InTime(int(number) / 1000)


class InTime:
    """An expert that has so many seconds for a decision. What it does depends on the machine."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._until = seconds, 0.0
        self._expert = Expert(ENDLESS, lambda: monotonic() > self._until)

    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return self._expert.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        self._until = monotonic() + self._seconds
        return self._expert.choose_bid(view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        self._until = monotonic() + self._seconds
        return self._expert.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        self._until = monotonic() + self._seconds
        return self._expert.choose_card(view, rng)


class LooksFirst:
    """A bot of one's own that is not asked to bid blind."""

    def __init__(self, bot: Any) -> None:
        self.choose_bid, self.choose_pass, self.choose_card = bot.choose_bid, bot.choose_pass, bot.choose_card

    def choose_blind(self, _view: SeatView, _rng: Random) -> bool:
        return False


def _imported(name: str) -> Bot:
    """What is in a module: a module, an object, or a class or function that makes one; with no name the module."""
    module, _, inside = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # the folder one is in, as for `python -m`
    try:
        found: Any = importlib.import_module(module)
        if inside and not hasattr(found, inside) and hasattr(found, "__path__"):
            found = importlib.import_module(f"{module}.{inside}")
        elif inside:
            found = getattr(found, inside)
        if isinstance(found, type) or not _is_bot(found):
            maker: Callable[[], Any] = found
            found = maker()
    except Exception as problem:
        raise NoSuchBot(f"the bot {name} cannot be had: {type(problem).__name__}: {problem}") from None
    if not _is_bot(found):
        raise NoSuchBot(f"{name} is no bot; a bot has {', '.join(DECISIONS)}")
    bot: Bot = found if hasattr(found, "choose_blind") else LooksFirst(found)
    return bot


def _is_bot(found: object) -> bool:
    return all(callable(getattr(found, decision, None)) for decision in DECISIONS)
