"""The versions of the notation. They differ only in the words for the player of a seat.

A game is written in the newest version and read in the version of its first line.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from spades_core.notation.vocabulary import SEAT_NAMES, with_label
from spades_core.seats import Level, Seat
from spades_core.state import Occupant

PLAYER, AWAY = "player", "away"
"""A person, and a bot that plays for a person."""


@dataclass(frozen=True, slots=True)
class Version:
    """`bots` maps the word for a bot to its level; `width` is the width of the column of these words."""

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
        return with_label(SEAT_NAMES[seat], f"{self.kind_of(occupant):<{self.width}}{occupant.name}")

    def split_kind_and_name(self, text: str) -> tuple[str, str] | None:
        """Split the text of a seat line, or return None if it begins with no kind of player."""
        for kind in self.kinds:
            if text.startswith(f"{kind} "):
                return kind, text.removeprefix(kind)
        return None


FIRST = Version("Fourth Seat game, notation 1", {"bot": "medium"}, 8)
"""The version of the time when all bots had one level."""
NEWEST = Version("Fourth Seat game, notation 2", {f"{level} bot": level for level in get_args(Level)}, 12)
VERSIONS = {version.title: version for version in (FIRST, NEWEST)}
