"""What is read of a line, and how a text is refused: the line, what it says, what is wrong. Lines count from 1."""

from spades_core.cards import Card, parse_card
from spades_core.notation import words
from spades_core.seats import SEATS, Seat

LONGEST_QUOTE = 60


class NotationError(ValueError):
    """No game, or none that could have happened. `line` counts from 1, `said` is what it says."""

    def __init__(self, line: int, said: str, problem: str) -> None:
        super().__init__(f"line {line} says {quoted(said)}: {problem}" if said else f"line {line}: {problem}")
        self.line = line
        self.said = said
        self.problem = problem


def quoted(text: str) -> str:
    """In quotes, the middle of what is long left out, without anything that could disturb a terminal."""
    half = LONGEST_QUOTE // 2
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:half]} … {text[-half:]}")


class Lines:
    """The lines of a text, by their index from 0."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._ended = self._lines[-1] == ""
        if self._ended:
            self._lines.pop()

    def __getitem__(self, index: int) -> str:
        if index >= len(self._lines):
            raise NotationError(index + 1, "", "the text ends here, before the game does")
        return self._lines[index]

    def refused(self, index: int, problem: str) -> NotationError:
        return NotationError(index + 1, self[index], problem)

    def after(self, label: str, index: int) -> str:
        """The rest of a line that begins with a label."""
        beginning = words.labelled(label, "")
        line = self[index]
        if not line.startswith(beginning):
            raise self.refused(index, f"here {label!r} is expected")
        return line[len(beginning) :]

    def is_end(self, index: int) -> bool:
        """Whether the end of the game is marked here."""
        here = self._lines[index : index + 2]
        return len(here) == 2 and not here[0] and here[1].startswith(words.labelled(words.END, ""))

    def compare(self, index: int, expected: str) -> None:
        if self[index] != expected:
            raise self.refused(index, f"by what comes before it, it has to be {quoted(expected)}")

    def end_at(self, index: int) -> None:
        """There are `index` lines, the last of them ended."""
        if len(self._lines) > index:
            raise NotationError(index + 1, self._lines[index], "nothing follows the end of the game")
        if not self._ended:
            raise self.refused(index - 1, "the line break after the last line is missing")

    def seat(self, index: int, word: str) -> Seat:
        if word not in words.SEAT_NAMES:
            raise self.refused(index, f"{quoted(word)} is no seat; the seats are {', '.join(words.SEAT_NAMES)}")
        return SEATS[words.SEAT_NAMES.index(word)]

    def card(self, index: int, word: str) -> Card:
        try:
            return parse_card(word)
        except ValueError as problem:
            raise self.refused(index, str(problem)) from None
