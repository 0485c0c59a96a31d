"""Seats 0 to 3, clockwise, their sides, and the name and level of a player.

Partners sit opposite each other, so the side of a seat is its number modulo two.
"""

import unicodedata
from typing import Literal, NewType, TypeVar

Seat = NewType("Seat", int)
Side = NewType("Side", int)

SEATS: tuple[Seat, Seat, Seat, Seat] = (Seat(0), Seat(1), Seat(2), Seat(3))
SIDES: tuple[Side, Side] = (Side(0), Side(1))
MAX_NAME_LENGTH = 24
INVISIBLE_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that Unicode calls letters or marks and that print nothing."""

T = TypeVar("T")
BySeat = tuple[T, T, T, T]
BySide = tuple[T, T]

Level = Literal["easy", "medium", "hard", "expert"]
"""The strength of a bot, from the weakest to the strongest. How each level thinks: docs/bots.md."""

DEFAULT_LEVEL: Level = "hard"
"""The level of a bot if none was chosen, and of one that plays for a person who is away."""


def next_seat(seat: Seat, steps: int = 1) -> Seat:
    """Return the seat `steps` places clockwise; the player on the left is one step away."""
    return SEATS[(seat + steps) & 3]


def partner_of(seat: Seat) -> Seat:
    return SEATS[(seat + 2) & 3]


def side_of(seat: Seat) -> Side:
    return SIDES[seat & 1]


def seats_of(side: Side) -> tuple[Seat, Seat]:
    return SEATS[side], SEATS[side + 2]


def with_value(by_seat: BySeat[T], seat: Seat, value: T) -> BySeat[T]:
    """Return a copy with the value of `seat` replaced."""
    values = list(by_seat)
    values[seat] = value
    return values[0], values[1], values[2], values[3]


def clean_name(text: str) -> str:
    """Return a player's name in Unicode form NFC, with single spaces.

    Raises ValueError if the name is empty or too long, or has characters that
    are invisible or could change the display of other text (control, format and
    unassigned characters).
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise ValueError("a name needs at least one letter")
    if len(name) > MAX_NAME_LENGTH:
        raise ValueError(f"a name has at most {MAX_NAME_LENGTH} characters, this one has {len(name)}")
    if any(unicodedata.category(letter)[0] == "C" or letter in INVISIBLE_LETTERS for letter in name):
        raise ValueError("a name cannot contain invisible characters")
    if all(unicodedata.category(letter)[0] in "MZ" for letter in name):
        raise ValueError("a name needs at least one letter")
    return name
