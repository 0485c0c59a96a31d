"""Bots by name: a level, `random`, or `module:name` for one of your own; `hard+medium` names two partners.

`expert:40` samples 40 worlds per decision, `expert:150ms` as many as it can in that time.
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
MAX_WORLDS = 1_000_000
RANDOM_BIDS = (1, 2, 3, 4)
"""Bids of the random bot where they are legal: an arbitrary bid would make its partner's contract hopeless."""
REQUIRED_METHODS = ("choose_bid", "choose_pass", "choose_card")
"""A custom bot without `choose_blind` never bids blind."""


class BotLoadError(Exception):
    """A name is not that of a bot; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    bot: Bot


Partners = tuple[Player, Player]


class RandomBot:
    """Bids one to four and plays any legal card: the baseline that every bot has to beat by far."""

    def choose_blind(self, _view: SeatView, _rng: Random) -> bool:
        return False

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return rng.choice([bid for bid in view.legal_bids if bid in RANDOM_BIDS] or view.legal_bids)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        first, second = rng.sample(view.hand, 2)
        return first, second

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return rng.choice(view.legal_cards)


class TimedExpert:
    """An expert with a time limit per decision, in seconds. Its decisions depend on the machine."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._deadline = seconds, 0.0
        self._expert = Expert(MAX_WORLDS, lambda: monotonic() > self._deadline)

    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return self._expert.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        self._deadline = monotonic() + self._seconds
        return self._expert.choose_bid(view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        self._deadline = monotonic() + self._seconds
        return self._expert.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        self._deadline = monotonic() + self._seconds
        return self._expert.choose_card(view, rng)


class NeverBlind:
    """A custom bot without `choose_blind`."""

    def __init__(self, bot: Any) -> None:
        self.choose_bid, self.choose_pass, self.choose_card = bot.choose_bid, bot.choose_pass, bot.choose_card

    def choose_blind(self, _view: SeatView, _rng: Random) -> bool:
        return False


def load_partners(names: str) -> Partners:
    """Return both players of a side; raises BotLoadError."""
    first, plus, second = names.partition("+")
    player = load_player(first)
    return player, load_player(second) if plus else player


def load_player(name: str) -> Player:
    """Raises BotLoadError."""
    if name == RANDOM:
        return Player(name, RandomBot())
    if name in LEVELS:
        return Player(name, LEVELS[name])
    level, _, budget = name.partition(":")
    if level == EXPERT:
        return Player(name, _expert(budget))
    if ":" not in name:
        known = ", ".join((*LEVELS, RANDOM))
        raise BotLoadError(f"there is no bot {name!r}; choose one of {known}, or module:name for your own")
    return Player(name, _import_bot(name))


def _expert(budget: str) -> Bot:
    number = budget.removesuffix("ms")
    if not (number.isascii() and number.isdecimal() and len(number) < 8 and 0 < int(number) <= MAX_WORLDS):
        raise BotLoadError(
            "an expert takes a number of worlds or of milliseconds, at most a million, as in expert:40 or"
            f" expert:150ms, not {budget[:24]!r}"
        )
    return Expert(int(number)) if number == budget else TimedExpert(int(number) / 1000)


def _import_bot(name: str) -> Bot:
    """Import `module:attribute`, a bot or a callable that makes one; an empty attribute means the module itself."""
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # the current folder, as for `python -m`
    try:
        bot: Any = importlib.import_module(module)
        if attribute and not hasattr(bot, attribute) and hasattr(bot, "__path__"):
            bot = importlib.import_module(f"{module}.{attribute}")
        elif attribute:
            bot = getattr(bot, attribute)
        if isinstance(bot, type) or not _is_bot(bot):
            factory: Callable[[], Any] = bot
            bot = factory()
    except Exception as error:
        raise BotLoadError(f"the bot {name} cannot be loaded: {type(error).__name__}: {error}") from None
    if not _is_bot(bot):
        raise BotLoadError(f"{name} is not a bot; a bot has {', '.join(REQUIRED_METHODS)}")
    loaded: Bot = bot if hasattr(bot, "choose_blind") else NeverBlind(bot)
    return loaded


def _is_bot(candidate: object) -> bool:
    return all(callable(getattr(candidate, method, None)) for method in REQUIRED_METHODS)
