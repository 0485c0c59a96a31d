"""`spades replay`: reads a file with a game, checks it and tells it.

Invariant: nothing is printed of a game that is not right to its last line.
"""

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from server.cli.output import output, put_out
from server.cli.terminal import Signs
from server.cli.transcript import outcome, tell
from spades_core.events import CardPlayed, HandDealt
from spades_core.notation import GameRecord, NotationError, plural, read_game

MOST_BYTES = 4_000_000
STANDARD_INPUT = "-"


class CannotReplay(Exception):
    """Why there is nothing to tell, in one sentence."""


def replay(file: str, *, quiet: bool) -> None:
    """Prints the game in `file`, "-" being standard input; only that it is right when `quiet`.

    Raises CannotReplay, CannotPrint.
    """
    game = _game(file)
    signs = signs_of(output("the game"), os.environ)
    lines = [summary(game)] if quiet else [*tell(game, signs), f"{counts(game)}: correct"]
    put_out("".join(f"{line}\n" for line in lines), "the game")


def signs_of(output: TextIO, environment: Mapping[str, str]) -> Signs:
    """Colours only for a terminal, and not for one whose user wants none (https://no-color.org)."""
    wanted = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    try:
        "♣♦♥♠−›─·–".encode(output.encoding)
    except UnicodeEncodeError:
        return Signs(colours=output.isatty() and wanted, symbols=False)
    return Signs(colours=output.isatty() and wanted)


def summary(game: GameRecord) -> str:
    """As in "12 hands, 624 cards, Anna and Cleo won 512 to 388: correct"."""
    table = game.table
    ended = table.game.outcome if table.game else None
    how = "unfinished" if ended is None else outcome(table, ended, Signs(symbols=False))
    return f"{counts(game)}, {how}: correct"


def counts(game: GameRecord) -> str:
    hands = sum(isinstance(event, HandDealt) for event in game.events)
    cards = sum(isinstance(event, CardPlayed) for event in game.events)
    return f"{plural(hands, 'hand')}, {plural(cards, 'card')}"


def _game(file: str) -> GameRecord:
    named = "standard input" if file == STANDARD_INPUT else file
    try:
        return read_game(_text(file, named))
    except NotationError as problem:
        raise CannotReplay(f"{named}, {problem}") from None


def _text(file: str, named: str) -> str:
    """What the file says. The mark and the line ends that some editors put into a text are no fault of the game."""
    try:
        content = _content(file)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise CannotReplay(f"{named} cannot be read: {reason}") from None
    if len(content) > MOST_BYTES:
        raise CannotReplay(f"{named} is larger than {MOST_BYTES // 1_000_000} MB; no game is")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise CannotReplay(f"{named} is not a text in UTF-8") from None


def _content(file: str) -> bytes:
    """One byte more than is allowed at most, so that too much is noticed."""
    if file == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("it is closed")
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with open(file, "rb") as opened:
        return opened.read(MOST_BYTES + 1)
