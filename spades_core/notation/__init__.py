"""A game as text, for people to read and programs to check; docs/notation.md describes it.

Invariant: reading replays the game through `decide` and writes it again, and
every line must come out as it was read. So every text that can be read is a
possible game, and writing it again gives the same bytes.
"""

from spades_core.notation.lines import NotationError
from spades_core.notation.parser import GameRecord, read_game
from spades_core.notation.writer import write_game

__all__ = ["GameRecord", "NotationError", "read_game", "write_game"]
