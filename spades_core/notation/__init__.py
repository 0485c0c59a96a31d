"""One game as text that people read and programs check; docs/notation.md shows it.

Invariant: reading replays the game through `decide` and writes it anew, and
every line has to come out as it was read. So a text that is read is a game that
could have happened, and writing it again gives the same bytes if it is of the
newest version.
"""

from spades_core.notation.parts import NotationError
from spades_core.notation.reading import GameRecord, read_game
from spades_core.notation.words import plural, score_reason
from spades_core.notation.writing import write_game

__all__ = ["GameRecord", "NotationError", "plural", "read_game", "score_reason", "write_game"]
