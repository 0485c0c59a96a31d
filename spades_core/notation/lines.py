"""The lines of a text, and the error for a line that is wrong."""

from spades_core.cards import Card, parse_card
from spades_core.notation import vocabulary
from spades_core.seats import SEATS, Seat

MAX_QUOTE_LENGTH = 60


class NotationError(ValueError):
    """A text is not a game, or not a possible one. `line` counts from 1; `text` is that line, if there is one."""

    def __init__(self, line: int, text: str, problem: str) -> None:
        super().__init__(f"line {line} says {quote(text)}: {problem}" if text else f"line {line}: {problem}")
        self.line = line
        self.text = text
        self.problem = problem


def quote(text: str) -> str:
    """Quote a text, shortened in the middle and with escapes for characters that could disturb a terminal."""
    half = MAX_QUOTE_LENGTH // 2
    return repr(text if len(text) <= MAX_QUOTE_LENGTH else f"{text[:half]} … {text[-half:]}")


class Lines:
    """The lines of a text, by index from 0. Its methods raise NotationError for a line that is not as expected."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._ends_with_newline = self._lines[-1] == ""
        if self._ends_with_newline:
            self._lines.pop()

    def __getitem__(self, index: int) -> str:
        if index >= len(self._lines):
            raise NotationError(index + 1, "", "the text ends here, before the game does")
        return self._lines[index]

    def error(self, index: int, problem: str) -> NotationError:
        return NotationError(index + 1, self[index], problem)

    def after_label(self, index: int, label: str) -> str:
        """Return the rest of a line that begins with a label."""
        beginning = vocabulary.with_label(label, "")
        line = self[index]
        if not line.startswith(beginning):
            raise self.error(index, f"expected {label!r} here")
        return line[len(beginning) :]

    def is_end_mark(self, index: int) -> bool:
        """Return whether the mark of the end of the game begins here."""
        lines = self._lines[index : index + 2]
        return len(lines) == 2 and not lines[0] and lines[1].startswith(vocabulary.with_label(vocabulary.END, ""))

    def expect(self, index: int, expected: str) -> None:
        if self[index] != expected:
            raise self.error(index, f"expected {quote(expected)} after the lines before")

    def expect_end(self, count: int) -> None:
        """Check that there are `count` lines and that the last one ends with a line break."""
        if len(self._lines) > count:
            raise NotationError(count + 1, self._lines[count], "nothing follows the end of the game")
        if not self._ends_with_newline:
            raise self.error(count - 1, "the line break after the last line is missing")

    def seat(self, index: int, name: str) -> Seat:
        if name not in vocabulary.SEAT_NAMES:
            raise self.error(index, f"{quote(name)} is not a seat; the seats are {', '.join(vocabulary.SEAT_NAMES)}")
        return SEATS[vocabulary.SEAT_NAMES.index(name)]

    def card(self, index: int, text: str) -> Card:
        try:
            return parse_card(text)
        except ValueError as problem:
            raise self.error(index, str(problem)) from None
