"""What a line says of who plays a seat, in every version of the notation: they differ in nothing else.

A game is written in the newest one and read in that of its first line.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from spades_core.notation.words import SEAT_NAMES, labelled
from spades_core.seats import Level, Seat
from spades_core.state import Occupant

PLAYER, AWAY = "player", "away"
"""`away` is a bot that plays for a person."""


@dataclass(frozen=True, slots=True)
class Version:
    """`bots` are the words for a bot with the level they stand for, `width` is that of their column."""

    title: str
    bots: Mapping[str, Level]
    width: int

    @property
    def kinds(self) -> tuple[str, ...]:
        return PLAYER, *self.bots, AWAY

    def kind_of(self, occupant: Occupant) -> str:
        if occupant.player is None:
            return next(kind for kind, level in self.bots.items() if level == occupant.level)
        return AWAY if occupant.away else PLAYER

    def seat_line(self, seat: Seat, occupant: Occupant) -> str:
        return labelled(SEAT_NAMES[seat], f"{self.kind_of(occupant):<{self.width}}{occupant.name}")

    def kind_and_name(self, said: str) -> tuple[str, str] | None:
        """What is said of a seat, apart; None when it begins with no kind of player."""
        for kind in self.kinds:
            if said.startswith(f"{kind} "):
                return kind, said.removeprefix(kind)
        return None


FIRST = Version("Fourth Seat game, notation 1", {"bot": "medium"}, 8)
"""Written while bots had one level and no name for it."""
NEWEST = Version("Fourth Seat game, notation 2", {f"{level} bot": level for level in get_args(Level)}, 12)
VERSIONS = {version.title: version for version in (FIRST, NEWEST)}
