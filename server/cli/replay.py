"""`spades replay`: check a game in notation and print it card by card.

Invariant: nothing is printed of a game that is not valid to its last line.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from server.cli.output import CommandError, standard_output, write_output
from server.cli.terminal import Style
from server.cli.transcript import result, transcript
from spades_core.events import CardPlayed, HandDealt
from spades_core.notation import GameRecord, NotationError, read_game
from spades_core.wording import plural

MAX_BYTES = 4_000_000
STANDARD_INPUT = "-"


def add_replay(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the game; - reads standard input")
    command.add_argument("--quiet", action="store_true", help="only check the game and print a summary in one line")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the game, or only its summary. Raises CommandError."""
    game = _read_game(options.file)
    style = style_of(standard_output("the game"), os.environ)
    lines = [summary(game)] if options.quiet else [*transcript(game, style), f"{counts(game)}: correct"]
    write_output("".join(f"{line}\n" for line in lines), "the game")
    return 0


def style_of(output: TextIO, environment: Mapping[str, str]) -> Style:
    """Return the style for an output: colours for terminals only, and not if NO_COLOR is set (https://no-color.org)."""
    colours = output.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    try:
        "♣♦♥♠−›─·–".encode(output.encoding)
    except UnicodeEncodeError:
        return Style(colours, symbols=False)
    return Style(colours)


def summary(game: GameRecord) -> str:
    """Return a summary as in "12 hands, 624 cards, Anna and Cleo won 512 to 388: correct"."""
    table = game.table
    ended = table.game.outcome if table.game else None
    text = "unfinished" if ended is None else result(table, ended, Style(symbols=False))
    return f"{counts(game)}, {text}: correct"


def counts(game: GameRecord) -> str:
    hands = sum(isinstance(event, HandDealt) for event in game.events)
    cards = sum(isinstance(event, CardPlayed) for event in game.events)
    return f"{plural(hands, 'hand')}, {plural(cards, 'card')}"


def _read_game(file: str) -> GameRecord:
    name = "standard input" if file == STANDARD_INPUT else file
    try:
        return read_game(_read_text(file, name))
    except NotationError as problem:
        raise CommandError(f"{name}, {problem}") from None


def _read_text(file: str, name: str) -> str:
    """Read a text; a byte order mark and line ends of other systems are accepted."""
    try:
        content = _read_bytes(file)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise CommandError(f"{name} cannot be read: {reason}") from None
    if len(content) > MAX_BYTES:
        raise CommandError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB; no game is")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not a text in UTF-8") from None


def _read_bytes(file: str) -> bytes:
    """Read at most one byte more than is allowed, so that a larger file is noticed."""
    if file == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("it is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(file, "rb") as opened:
        return opened.read(MAX_BYTES + 1)
